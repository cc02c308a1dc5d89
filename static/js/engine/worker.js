/**
 * The engine's worker: loads modules of WebAssembly, searches in slices, reports lines.
 *
 * `/engine-worker.js` imports it and names the modules' addresses (`site/pages/engine/views.py`).
 * One analysis at a time; between two slices it reads its messages.
 */

import { AmazonsEngine } from "./amazons.js";
import { MANIFEST } from "./manifest.js";
import { newMemory } from "./memory.js";
import { PincerEngine } from "./pincer.js";

const SLICE_MS = 25;
const REPORT_MS = 250;
const FIRST_SLICE_NODES = 32;

/**
 * @typedef {object} WorkerScope
 * @property {Record<string, string>} ENGINE_FILES addresses of the modules
 * @property {(report: WorkerReport) => void} postMessage
 * @property {((event: MessageEvent) => void) | null} onmessage
 */
const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (globalThis));

/** @typedef {{ search: (key: string, position: string | PositionView, nodes: number, seed: number) => EngineSearch }} Engine */

/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();
let current = 0; // the id of the analysis that runs

scope.onmessage = ({ data }) => {
  const order = /** @type {WorkerOrder} */ (data);
  if (order.type === "analyse") {
    current = order.id;
    analyse(order).catch(({ name, message }) =>
      scope.postMessage({ type: "failed", id: order.id, name, message }),
    );
  } else if (order.id === current) current = 0;
};

/** @param {Extract<WorkerOrder, { type: "analyse" }>} order */
async function analyse({ id, key, position, nodes, seed, lines }) {
  const engine = await engineOf(key === "pincer" ? "pincer" : "amazons");
  if (id !== current) return;
  const search = engine.search(key, position, nodes, seed);
  const report = () =>
    scope.postMessage({
      type: "lines",
      id,
      lines: search.lines(lines),
      nodes: search.nodes,
      isDone: search.isDone,
    });
  let slice = FIRST_SLICE_NODES;
  let reported = Number.NEGATIVE_INFINITY;
  while (!search.isDone) {
    const begun = performance.now();
    search.grow(slice);
    const now = performance.now();
    slice = sizeOfSlice(slice, now - begun);
    if (now - reported >= REPORT_MS && !search.isDone) {
      report();
      reported = now;
    }
    await nextTask();
    if (id !== current) return;
  }
  report();
}

/** @param {"amazons" | "pincer"} name */
function engineOf(name) {
  const engine = engines.get(name) ?? load(name);
  engines.set(name, engine);
  return engine;
}

/** @param {"amazons" | "pincer"} name @returns {Promise<Engine>} */
async function load(name) {
  try {
    const memory = newMemory();
    const response = await fetch(scope.ENGINE_FILES[name]);
    if (!response.ok) throw new TypeError(`${response.url}: ${response.status}`);
    const imports = { env: { memory } };
    const { instance } = await WebAssembly.instantiateStreaming(response, imports);
    return name === "amazons"
      ? new AmazonsEngine(instance, memory, MANIFEST.amazons)
      : new PincerEngine(instance, memory, MANIFEST.pincer);
  } catch (error) {
    // Out of memory; not as RangeError, which would blame what was asked for.
    if (error instanceof RangeError) throw new Error(error.message);
    throw error;
  }
}

/** The nodes of the next slice, so that it takes about SLICE_MS. @param {number} nodes @param {number} ms */
function sizeOfSlice(nodes, ms) {
  const fitting = (nodes * SLICE_MS) / Math.max(ms, 1);
  return Math.max(1, Math.round(Math.min(2 * nodes, fitting)));
}

/** Resolves after the messages that wait. */
function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
