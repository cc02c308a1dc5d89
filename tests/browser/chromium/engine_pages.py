"""A page without scripts, and a script for it that asks the engine's worker."""

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
