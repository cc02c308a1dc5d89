/** The engines in Node, from the committed modules. */

import { readFileSync } from "node:fs";

import { AmazonsEngine } from "../../../static/js/engine/amazons.js";
import { MANIFEST } from "../../../static/js/engine/manifest.js";
import { newMemory } from "../../../static/js/engine/memory.js";
import { PincerEngine } from "../../../static/js/engine/pincer.js";

const FOLDER = new URL("../../../static/engine/", import.meta.url);

async function load(name) {
  const memory = newMemory();
  const code = readFileSync(new URL(`${name}.wasm`, FOLDER));
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  return { instance, memory };
}

/** Returns a function that gives the engine of a rule set. */
export async function loadEngines() {
  const [amazons, pincer] = [await load("amazons"), await load("pincer")];
  const engines = {
    amazons: new AmazonsEngine(amazons.instance, amazons.memory, MANIFEST.amazons),
    pincer: new PincerEngine(pincer.instance, pincer.memory, MANIFEST.pincer),
  };
  return (key) => (key === "pincer" ? engines.pincer : engines.amazons);
}

/** Returns the lines of a case of `tests/games/wasm/native_lines.py`, in its form. */
export function answerOf(engine, { key, position, nodes, seed, count }) {
  const search = engine.search(key, position, nodes, seed);
  while (!search.isDone) search.grow(97);
  return search.lines(count).map((line) => ({
    actions: line.turns.flat(),
    value: line.value,
    visits: line.visits,
    depth: line.depth,
    is_proved: line.isProved,
  }));
}
