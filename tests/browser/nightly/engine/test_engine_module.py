"""The pages' module of the engine in Chromium: lines while it searches, stopping, refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.catalogue import rules_of
from tests.browser.visitors.browser_visitors import Visitor
from tests.games.wasm.native_lines import GOLDEN
from tests.support.servers.server_process import UnbundledServer

pytestmark = pytest.mark.timeout(300)
CASE = json.loads(GOLDEN.read_text("utf-8"))[0]
BIG = "amazons-10x10"
# Imports the module from the folder of the page's own scripts.
WITH_MODULE = """async argument => {
    const page = document.querySelector('script[type=module]').src;
    const { openEngine } = await import(page.replace(/js\\/pages\\/.*/, "js/engine/engine.js"));
    %s
}"""
SENTENCE = "The engine can’t run in this browser. Everything else on the page works."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnbundledServer]:
    """The site without esbuild: its pages' modules have addresses of their own."""
    server = UnbundledServer(tmp_path_factory.mktemp("engine-data"))
    asyncio.run(server.start())
    yield server
    assert asyncio.run(server.stop()) == 0


async def do(ada: Visitor, script: str, argument: Any = None) -> Any:
    await ada.page.goto(f"{ada.home}about/")
    return await ada.page.evaluate(WITH_MODULE % script, argument)


async def test_lines_come_while_the_engine_searches_and_at_its_end(visit) -> None:
    told = await do(
        await visit("ada"),
        """const engine = openEngine(argument.key);
        const reports = [];
        const last = await engine.analyse(argument.position, {
            nodes: argument.nodes, seed: argument.seed, lines: argument.count,
            onLines: analysis => reports.push(analysis),
        });
        engine.close();
        return [last, reports];""",
        CASE,
    )
    last, reports = told
    assert reports[-1] == last
    assert [each["isDone"] for each in reports] == [False] * (len(reports) - 1) + [True]
    assert len(reports) > 1
    assert last["nodes"] == CASE["nodes"]
    found = [(line["value"], line["visits"], line["depth"]) for line in last["lines"]]
    assert found == [(line["value"], line["visits"], line["depth"]) for line in CASE["lines"]]


async def test_a_stopped_analysis_resolves_and_the_next_one_begins(visit) -> None:
    rules = rules_of(BIG)
    stopped, after = await do(
        await visit("ada"),
        """const engine = openEngine(argument.key);
        const long = {nodes: 60_000, lines: 1};
        const onLines = () => engine.stop();
        const stopped = await engine.analyse(argument.start, {...long, onLines});
        const superseded = engine.analyse(argument.start, long);
        const after = await engine.analyse(argument.start, {nodes: 100});
        await superseded;
        return [stopped, after];""",
        {"key": BIG, "start": rules.write(rules.start())},
    )
    assert (stopped["isDone"], len(stopped["lines"])) == (False, 1)
    assert (after["isDone"], after["nodes"]) == (True, 100)


async def test_what_cannot_be_analysed_is_refused_and_the_engine_goes_on(visit) -> None:
    found = await do(
        await visit("ada"),
        """const engine = openEngine(argument.key);
        const said = [];
        const asked = [["nonsense", 10], [argument.start, 1e9], [argument.start, 0]];
        for (const [position, nodes] of asked)
            said.push(await engine.analyse(position, {nodes}).catch(error => error.name));
        const view = {board: argument.start.split(" ")[0], to_move: "white", moved: null};
        said.push((await engine.analyse(view, {nodes: 10})).nodes);
        engine.close();
        said.push(await engine.analyse(view, {nodes: 10}).catch(error => error.name));
        return said;""",
        {"key": BIG, "start": rules_of(BIG).write(rules_of(BIG).start())},
    )
    assert found == ["SyntaxError", "RangeError", "RangeError", 10, "EngineUnavailable"]


async def test_where_the_engine_cannot_run_a_sentence_says_so(visit) -> None:
    ada = await visit("ada")
    await ada.page.route("**/*.wasm", lambda route: route.abort())
    start = {"key": BIG, "start": rules_of(BIG).write(rules_of(BIG).start())}
    ask = """const engine = openEngine(argument.key);
        const asked = engine.analyse(argument.start, {nodes: 10});
        return asked.catch(error => [error.name, error.message]);"""
    assert await do(ada, ask, start) == ["EngineUnavailable", SENTENCE]
    none = """delete globalThis.WebAssembly;
        try { openEngine("amazons"); } catch (error) { return error.message; }"""
    assert await do(ada, none) == SENTENCE
    await ada.page.unroute("**/*.wasm")
    await ada.page.route("**/engine-worker.js", lambda route: route.abort())
    assert await do(ada, ask, start) == ["EngineUnavailable", SENTENCE]
