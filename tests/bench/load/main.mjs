// The load generator: reads a plan (JSON) from standard input, runs it, prints the results.

import { readFileSync, writeSync } from "node:fs";

const plan = JSON.parse(readFileSync(0, "utf8"));
const adapter = await import(`./${plan.system}.mjs`);
const work = await import(`./${plan.work}.mjs`);
const failed = (error) => ({ faults: [String(error.stack ?? error)] });
const result = JSON.stringify(await work[plan.work](plan, adapter).catch(failed));
for (let at = 0; at < result.length; ) {
  at += writeSync(1, result.slice(at, at + 65536));
}
process.exit(0);
