/** Answers cases from standard input, one JSON line each, with lines and seconds: for the bench. */

import { createInterface } from "node:readline";

import { answerOf, loadEngines } from "./modules.js";

const engineOf = await loadEngines();
for await (const line of createInterface({ input: process.stdin })) {
  const begun = process.cpuUsage();
  const each = JSON.parse(line);
  const lines = answerOf(engineOf(each.key), each);
  const spent = process.cpuUsage(begun);
  console.log(JSON.stringify({ lines, seconds: (spent.user + spent.system) / 1e6 }));
}
