"""The linker of the pages' scripts: what it makes does in Node what the modules did one by one."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from config.linking import House, linked
from config.scripts import Unlinkable

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
in_node = pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")


def node(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    (folder / "package.json").write_text('{ "type": "module" }')
    return subprocess.run(
        [str(NODE), *command], cwd=folder, capture_output=True, text=True, timeout=120
    )


def said(folder: Path, base: str = "", **modules: str) -> str:
    """What a page prints that loads `base` and then `page`; the others are imported."""
    files = {"base.js": base, **{f"{name}.js": text for name, text in modules.items()}}
    for name, text in linked("base.js", [("page.js",)], files.__getitem__):
        (folder / name).write_text(text)
    done = node(folder, "page.js")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@in_node
def test_the_linked_modules_pass_the_tests_of_the_scripts(tmp_path: Path) -> None:
    house = House(lambda name: (ROOT / "static" / name).read_text(encoding="utf-8"))
    shutil.copytree(ROOT / "tests" / "js", tmp_path / "tests" / "js")
    texts = {p: p.read_text(encoding="utf-8") for p in (tmp_path / "tests" / "js").glob("*.js")}
    for path in [path for path, text in texts.items() if ".js?" in text]:
        del texts[path]  # wants a second copy of a module
        path.unlink()
    named = (re.findall(r"static/(js/[^\"]+)", text) for text in texts.values())
    wanted = sorted({name for names in named for name in names})
    names, shorts = house.closure(wanted), {}
    house.name(names, shorts)
    gives = []
    for number, name in enumerate(wanted):
        words = {word: shorts[house[name].top.names[word]] for word in house[name].exports}
        gives += [f"{short} as x{number}_{word}" for word, short in words.items()]
        shim = ",".join(f"x{number}_{word} as {word}" for word in words)
        path = tmp_path / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'export{{{shim}}}from"{tmp_path.as_uri()}/all.js";')
    (tmp_path / "all.js").write_text(f"{house.text(names, shorts)}export{{{','.join(gives)}}};")
    files = sorted(str(path) for path in (tmp_path / "tests" / "js").glob("*.test.js"))
    done = node(tmp_path, "--test", "--test-reporter=spec", *files)
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.search(r"^\D*pass (\d+)$", done.stdout, re.MULTILINE)[1]) > 100


@in_node
def test_names_that_shadow_each_other_stay_apart(tmp_path: Path) -> None:
    one = """
    const a = 1;
    export const b = (a, { b, c: d = a } = {}, ...rest) => [a, b, d, rest.length];
    export class Kept { static a = a; b() { return a; } }
    export function outer(x) {
      for (const a of [x]) { const g = function f(n) { return n ? f(n - 1) : a; }; x = g(2); }
      try { throw { a: 7 }; } catch ({ a }) { return x + a; }
    }
    """
    page = """
    import { b as first, Kept, outer } from "./one.js";
    const a = "mine";
    const b = { a, first: first.length };
    let c, d;
    [c, d] = [1, 2];
    ({ c, x: d } = { c: 3, x: 4 });
    const made = [first(1, { b: 2 }, 3, 4), Kept.a, new Kept().b(), outer(5)];
    console.log(JSON.stringify([a, b, c, d, ...made]));
    """
    assert (
        said(tmp_path, one=one, page=page) == '["mine",{"a":"mine","first":1},3,4,[1,2,1,2],1,1,12]'
    )


@in_node
def test_what_is_no_name_of_ours_stays_as_it_is(tmp_path: Path) -> None:
    page = """
    // a comment; import { nothing } from "./nowhere.js"
    const word = "a"; /* another */
    const text = `${word}  ${{ word }.word}
      ${[1, 2].map((n) => `<${n}>`).join(" ")} // kept`;
    const found = /[/'"`]\\/ +\\w/g.test("'/  a") ? 1 - -1 : +(+1);
    const object = { word, "key": word, get [word]() { return typeof word; }, async *let() {} };
    const total = ((x) => x / 2 / 1)(1.5) + 2..toFixed(0).length + (word in object);
    console.log(JSON.stringify([text, found, object, object.a, total, object?.word?.length]));
    """
    out = said(tmp_path, page=page)
    assert out == (
        '["a  a\\n      <1> <2> // kept",2,{"word":"a","key":"a","a":"string"},"string",2.75,1]'
    )


PARTS = {
    "state": "export const heard = []; export function hear(word) { heard.push(word); }",
    "helper": """import { hear } from "./state.js"; hear("helper");
        export const help = (x) => x + 1;""",
    "part": """import { help } from "./helper.js"; import { hear } from "./state.js";
        hear("part"); export const answer = help(41); export class Later {}""",
    "page": """import { heard } from "./state.js";
        const once = await import("./part.js"); const { answer, Later } = await import("./part.js");
        console.log(heard.join(" "), answer, once.Later === Later);""",
}


@in_node
def test_a_part_shares_the_modules_of_its_page_and_is_made_once(tmp_path: Path) -> None:
    assert said(tmp_path, **PARTS) == "helper part 42 true"
    assert "helper" not in (tmp_path / "page.js").read_text()
    assert said(tmp_path, 'import "./state.js";', **PARTS) == "helper part 42 true"


@in_node
def test_what_two_parts_need_is_there_once(tmp_path: Path) -> None:
    page = """import { heard } from "./state.js";
        const [one, two] = await Promise.all([import("./part.js"), import("./other.js")]);
        console.log(heard.join(" "), one.answer + two.twice);"""
    other = 'import { help } from "./helper.js"; export const twice = help(help(0));'
    assert said(tmp_path, **{**PARTS, "page": page, "other": other}) == "helper part 44"


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;",
        "const a = 1; export { a };",
        'export * from "./base.js";',
        "export let a = 1;",
        "export const { a } = {};",
        "var a = 1;",
        'import * as all from "./base.js";',
        'import all from "./base.js";',
        'import { a } from "./base.js";',  # which the base does not export
        'import { a } from "node:fs";',
        "import(location.hash);",
        "console.log(import.meta.url);",
        "const a = 1",
        "for (const a of []);",
        "const = 1;",
    ],
)
def test_what_the_linker_does_not_know_is_refused(text: str) -> None:
    files = {"base.js": "export const b = 1;", "page.js": text}
    with pytest.raises((Unlinkable, KeyError)):
        list(linked("base.js", [("page.js",)], files.__getitem__))


def test_a_circle_of_imports_is_refused() -> None:
    files = {
        "base.js": "",
        "page.js": 'import { b } from "./other.js"; export const a = 1;',
        "other.js": 'import { a } from "./page.js"; export const b = 2;',
    }
    with pytest.raises(Unlinkable, match="circle"):
        list(linked("base.js", [("page.js",)], files.__getitem__))


def test_two_scripts_of_a_page_have_what_they_share_from_the_base() -> None:
    files = {
        "base.js": "",
        "one.js": 'import "./shared.js";',
        "two.js": 'import "./shared.js";',
        "shared.js": "export const state = {};",
    }
    with pytest.raises(Unlinkable, match=r"shared\.js"):
        list(linked("base.js", [("one.js", "two.js")], files.__getitem__))
    files["base.js"] = 'import "./shared.js";'
    assert len(list(linked("base.js", [("one.js", "two.js")], files.__getitem__))) == 3
