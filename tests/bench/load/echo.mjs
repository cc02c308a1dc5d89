// One small frame to and fro on each of many sockets.

import { dial } from "./dial.mjs";
import { between, cpu } from "./meters.mjs";
import { opened, sleep } from "./opening.mjs";

const FRAME = '{"t":"act","id":"a-1","step":1,"actions":["move 4 1 4 7"]}';

export async function echo(plan) {
  const counts = { echoes: 0, faults: [] };
  const sockets = [];
  const fault = (text) => counts.faults.push(text);
  const place = { url: plan.base.replace("http", "ws"), origin: plan.base };
  await opened(Array.from({ length: plan.sockets }), async () => {
    const socket = await dial(place, () => {
      counts.echoes += 1;
      socket.send(FRAME);
    }, fault);
    sockets.push(socket);
  });
  for (const socket of sockets) socket.send(FRAME);
  await sleep(plan.warm * 1000);
  const before = cpu(plan.trees);
  counts.echoes = 0;
  await sleep(plan.seconds * 1000);
  const { echoes, faults } = counts;
  const used = between(before, cpu(plan.trees));
  for (const socket of sockets) socket.terminate();
  return { actions: echoes, faults: [...faults], used };
}
