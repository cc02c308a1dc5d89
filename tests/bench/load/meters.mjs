// Resource usage of processes as Linux reports it. Nothing is estimated.

import { readFileSync, readdirSync } from "node:fs";

const TICK = 10_000; // µs; a tick of /proc is a hundredth of a second on every Linux

/** The fields of a process after its name: [state, parent, …], or null if it is gone. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** The processes with all that they have started. */
function tree(roots) {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(stat(name)?.[1]));
  }
  const found = new Set(roots);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** CPU time in µs that a tree has used so far, by user and system, with children that have ended. */
function used(roots) {
  let ticks = 0;
  for (const pid of tree(roots)) {
    const fields = stat(pid);
    if (fields) for (const n of [11, 12, 13, 14]) ticks += Number(fields[n]);
  }
  return ticks * TICK;
}

/** The same of several trees by name, and of this process as `generator`; `at` is the time in µs. */
export function cpu(trees) {
  const { user, system } = process.cpuUsage();
  const found = Object.entries(trees).map(([name, roots]) => [name, used(roots)]);
  return { ...Object.fromEntries(found), generator: user + system, at: performance.now() * 1000 };
}

/** Usage between two readings. */
export function between(before, after) {
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
}

/** Proportional set size in bytes of each tree: memory that is shared counts once. */
export function memory(trees) {
  const size = (pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
      return Number(/^Pss:\s+(\d+)/m.exec(text)[1]) * 1024;
    } catch {
      return 0;
    }
  };
  const total = (roots) => tree(roots).reduce((sum, pid) => sum + size(pid), 0);
  return Object.fromEntries(Object.entries(trees).map(([name, roots]) => [name, total(roots)]));
}
