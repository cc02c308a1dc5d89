// Memory of a connection: many connections that watch one game are held open.

import { memory } from "./meters.mjs";
import { opened, sleep } from "./opening.mjs";

const SETTLING = 4000; // ms

export async function hold(plan, adapter) {
  const faults = [];
  const hear = { onState() {}, onReceipt() {}, onFault: (text) => faults.push(text) };
  const [game] = plan.games;
  const lines = [await adapter.open(game.seats.white, "white", hear)];
  lines.push(await adapter.open(game.seats.black, "black", hear));
  lines.push(await adapter.open(game.watch, "spectator", hear));
  await sleep(SETTLING);
  const before = memory(plan.trees);
  await opened(Array.from({ length: plan.connections }), async () => {
    lines.push(await adapter.open(game.watch, "spectator", hear));
  });
  await sleep(SETTLING);
  const after = memory(plan.trees);
  for (const line of lines) line.close();
  return { before, after, connections: plan.connections, faults };
}
