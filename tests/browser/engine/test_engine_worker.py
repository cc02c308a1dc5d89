"""The engine's worker in Chromium, under the site's own headers: the lines of native code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.games.wasm.native_lines import GOLDEN, KEYS

CASES = json.loads(GOLDEN.read_text("utf-8"))
# This page has no script, so its one policy of trusted types can be made here.
PAGE = "offline/"
# Asks a worker for one case after the other; resolves to the lines of each.
ASK = """async cases => {
    const policy = trustedTypes.createPolicy("quiver", {createScriptURL: address => address});
    const worker = new Worker(policy.createScriptURL("/engine-worker.js"), {type: "module"});
    const answers = [];
    for (const [id, each] of cases.entries()) {
        const {key, position, nodes, seed, count} = each;
        worker.postMessage({type: "analyse", id: id + 1, key, position, nodes, seed, lines: count});
        answers.push(await new Promise((resolve, reject) => {
            worker.onmessage = ({data}) => {
                if (data.type === "failed") reject(new Error(data.message));
                if (data.isDone) resolve(data.lines);
            };
            worker.onerror = event => reject(new Error(event.message));
        }));
    }
    worker.terminate();
    return answers.map(lines => lines.map(line => ({
        actions: line.turns.flat(), value: line.value, visits: line.visits,
        is_proved: line.isProved, depth: line.depth,
    })));
}"""
# Under the worker's policy: neither eval nor another host.
TRY = """async () => {
    const policy = trustedTypes.createPolicy("quiver", {createScriptURL: address => address});
    const files = [];
    for (const name of ["/engine-worker.js", "/other-worker.js"]) {
        const worker = new Worker(policy.createScriptURL(name), {type: "module"});
        files.push(await new Promise(resolve => {
            worker.onerror = () => resolve("refused");
            worker.onmessage = () => resolve("runs");
            worker.postMessage({type: "analyse", id: 1, key: "amazons", position: "", nodes: 1,
                                seed: 1, lines: 1});
        }));
        worker.terminate();
    }
    let compiled = "compiled";
    try { await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); }
    catch (error) { compiled = error.name; }
    return [...files, compiled];
}"""


@pytest.mark.parametrize("key", KEYS)
async def test_the_worker_finds_the_lines_of_native_code_to_the_bit(visit, key) -> None:
    cases = [each for each in CASES if each["key"] == key]
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}{PAGE}")
    answers = await ada.page.evaluate(ASK, cases)
    assert answers == [each["lines"] for each in cases]


async def test_only_the_worker_may_compile(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}{PAGE}")
    found: list[Any] = await ada.page.evaluate(TRY)
    ada.errors.clear()  # the browser tells of what was refused
    assert found == ["runs", "refused", "CompileError"]
