"""Bundled scripts behave as their modules and come as one file per page."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from assets.entry_points import EntryPoints, find_entry_points
from assets.esbuild import bundle

NODE = shutil.which("node")
in_node = pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
STATIC = Path(settings.BASE_DIR) / "static"
PARTS = {
    "state": "export const heard = []; export function hear(word) { heard.push(word); }",
    "helper": """import { hear } from "./state.js"; hear("helper");
        export const help = (x) => x + 1;""",
    "part": """import { help } from "./helper.js"; import { hear } from "./state.js";
        hear("part"); export const answer = help(41); export class Later {}""",
    "page": """import { heard } from "./state.js";
        (async () => {
          const once = await import("./part.js");
          const { answer, Later } = await import("./part.js");
          console.log(heard.join(" "), answer, once.Later === Later);
        })();""",
}
# Sheets that come beside that of a page, and the fewest characters that they have.
BESIDE = {
    "css/pages/choices.css": 3_000,
    "css/pages/print.css": 900,
    "css/pages/play/lines.css": 500,
}


def output(folder: Path, esbuild: str, **modules: str) -> str:
    """The output of Node for the bundle of `page`."""
    (folder / "js").mkdir()
    for name, text in modules.items():
        (folder / "js" / f"{name}.js").write_text(text)
    manifest = bundle(esbuild, folder, EntryPoints(modules={"js/page.js"}))
    for name in modules:
        (folder / "js" / f"{name}.js").unlink()
    (folder / "package.json").write_text('{ "type": "module" }')
    done = subprocess.run(
        [str(NODE), str(folder / manifest["js/page.js"])],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.processes
@in_node
def test_a_part_shares_the_modules_of_its_page_and_is_made_once(tmp_path, esbuild) -> None:
    assert output(tmp_path, esbuild, **PARTS) == "helper part 42 true"


@pytest.mark.processes
@in_node
def test_a_module_that_two_parts_need_is_there_once(tmp_path, esbuild) -> None:
    page = """import { heard } from "./state.js";
        Promise.all([import("./part.js"), import("./other.js")]).then(([one, two]) => {
          console.log(heard.join(" "), one.answer + two.twice);
        });"""
    other = 'import { help } from "./helper.js"; export const twice = help(help(0));'
    assert output(tmp_path, esbuild, **{**PARTS, "page": page, "other": other}) == (
        "helper part 44"
    )


@pytest.mark.processes
@in_node
def test_modules_run_in_the_order_of_their_imports(tmp_path, esbuild) -> None:
    page = """import "./everywhere.js"; import "./own.js"; import { heard } from "./state.js";
        import("./part.js").then(() => console.log(heard.join(" ")));"""
    names = ("everywhere", "own", "part")
    rest = {name: f'import {{ hear }} from "./state.js"; hear("{name}");' for name in names}
    assert output(tmp_path, esbuild, state=PARTS["state"], page=page, **rest) == (
        "everywhere own part"
    )


@pytest.mark.processes
def test_a_page_that_waits_for_a_part_before_it_ends_is_refused(tmp_path, esbuild) -> None:
    # The part imports the page's file, so the two would wait for each other.
    page = 'const { answer } = await import("./part.js"); console.log(answer);'
    with pytest.raises(CommandError, match="Top-level await"):
        output(tmp_path, esbuild, **{**PARTS, "page": page})


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """The bundles of the site's own pages: the folder, and the manifest."""
    from assets.esbuild import find_esbuild

    esbuild, folder = find_esbuild(), tmp_path_factory.mktemp("bundles")
    if esbuild is None:
        pytest.skip("needs esbuild (apt install esbuild)")
    for kind in ("js", "css"):
        ignored = shutil.ignore_patterns("node_modules")
        shutil.copytree(STATIC / kind, folder / kind, ignore=ignored)
    return folder, bundle(esbuild, folder, find_entry_points())


def test_the_script_of_each_page_is_one_file(pages) -> None:
    folder, manifest = pages
    for name in find_entry_points().modules:
        text = (folder / manifest[name]).read_text(encoding="utf-8")
        assert not re.search(r"(?:^|;)\s*import\s*[\"{*\w]", text), name
        for part in re.findall(r'import\("(.*?)"\)', text):
            assert (folder / manifest[name]).parent.joinpath(part).exists(), (name, part)


def test_every_file_is_in_the_manifest_under_a_name_with_a_hash(pages) -> None:
    folder, manifest = pages
    written = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if re.search(r"\.[0-9A-Z]{8}\.(?:js|css)$", path.name)
    }
    assert {*manifest.values()} == written
    entries = find_entry_points()
    assert {*manifest} >= entries.modules | entries.classics | entries.sheets


def test_the_script_that_runs_before_the_first_paint_is_no_module(pages) -> None:
    folder, manifest = pages
    assert find_entry_points().classics
    for name in find_entry_points().classics:
        source, text = (STATIC / name).read_text(), (folder / manifest[name]).read_text()
        assert not re.search(r"\b(?:import|export)\b", text)
        assert len(text) < 0.6 * len(source)


def test_every_style_sheet_is_one_file(pages) -> None:
    folder, manifest = pages
    for name in find_entry_points().sheets:
        text = (folder / manifest[name]).read_text(encoding="utf-8")
        assert "@import" not in text and len(text) > BESIDE.get(name, 5_000)
