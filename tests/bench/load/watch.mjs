// One game with many spectators: cost of a delivered state, and time until the last has it.

import { between, cpu } from "./meters.mjs";
import { opened, sleep } from "./opening.mjs";

const SETTLING = 2500; // ms after the last one came
const ALL = 10_000; // ms for all to have an action

export async function watch(plan, adapter) {
  const crowd = new Crowd();
  const [game] = plan.games;
  const script = plan.scripts[game.script];
  const lines = {};
  for (const role of ["white", "black"]) {
    lines[role] = await adapter.open(game.seats[role], role, crowd.member());
  }
  const spectators = Array.from({ length: plan.spectators });
  const others = [];
  await opened(spectators, async () => {
    others.push(await adapter.open(game.watch, "spectator", crowd.member()));
  });
  await crowd.reach(game.at);
  await sleep(SETTLING);
  const before = cpu(plan.trees);
  crowd.count = 0;
  const delays = [];
  for (let at = game.at; at < game.at + plan.actions; at += 1) {
    const sentAt = performance.now();
    lines[at % 4 < 2 ? "white" : "black"].act(at, script[at]);
    delays.push(Math.round(((await crowd.reach(at + 1)) - sentAt) * 1000));
    await sleep(Math.max(0, plan.every - (performance.now() - sentAt)));
  }
  const used = between(before, cpu(plan.trees));
  const delivered = crowd.count;
  const [white, black] = [lines.white.position(), lines.black.position()];
  for (const line of [...Object.values(lines), ...others]) line.close();
  return { delivered, delays, used, white, black, faults: crowd.faults };
}

/** Everybody at a game. */
class Crowd {
  constructor() {
    Object.assign(this, { size: 0, count: 0, faults: [], behind: 0, step: 0, reached: null });
    this.seen = [];
  }

  /** The callbacks of one more spectator. */
  member() {
    const n = this.size;
    this.size += 1;
    this.seen.push(-1);
    return {
      onState: (step) => this.saw(n, step),
      onReceipt: () => {},
      onFault: (text) => this.faults.push(text),
    };
  }

  saw(n, step) {
    this.count += 1;
    const had = this.seen[n];
    this.seen[n] = Math.max(had, step);
    if (had < this.step && step >= this.step) {
      this.behind -= 1;
      if (this.behind === 0) this.reached?.(performance.now());
    }
  }

  /** Waits until all have a step; returns the time. */
  reach(step) {
    this.step = step;
    this.behind = this.seen.filter((each) => each < step).length;
    if (this.behind === 0) return Promise.resolve(performance.now());
    return new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(`${this.behind} never saw step ${step}: ` +
        `${this.faults.slice(0, 3)}`)), ALL);
      this.reached = (at) => {
        clearTimeout(late);
        done(at);
      };
    });
  }
}
