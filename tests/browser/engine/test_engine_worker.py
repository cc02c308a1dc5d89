"""The policies of the engine's worker in Chromium, under the site's own headers."""

from __future__ import annotations

from typing import Any

from tests.browser.chromium.engine_pages import PAGE

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


async def test_only_the_worker_may_compile(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}{PAGE}")
    found: list[Any] = await ada.page.evaluate(TRY)
    ada.errors.clear()  # the browser tells of what was refused
    assert found == ["runs", "refused", "CompileError"]
