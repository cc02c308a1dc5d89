// Games played in a closed loop: the player to act sends right after the action before has come.

import { between, cpu } from "./meters.mjs";
import { opened, sleep } from "./opening.mjs";

const PATIENCE = 20_000; // ms for what is under way at the end
const SETTLING = 1000; // ms in which the server tells everybody who is there
const LONGEST = 8000; // ms in which lines come to speed
const FIRST = 16; // actions a game after which they have

/** The role of action `n`: a move and a shot of white, then of black. */
const roleOf = (n) => (n % 4 < 2 ? "white" : "black");

/** Rate limit of one seat: `rate` frames a second, `burst` at once. */
class Pace {
  constructor({ rate, burst }) {
    Object.assign(this, { rate, burst, tokens: burst, at: performance.now() });
  }

  /** Takes a token to send; returns the ms to wait before. */
  wait() {
    const now = performance.now();
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) * this.rate) / 1000) - 1;
    this.at = now;
    return this.tokens >= 0 ? 0 : (-this.tokens * 1000) / this.rate;
  }
}

/** One game with both its lines. */
class Table {
  constructor(game, script, report, pace) {
    Object.assign(this, { game, script, report, lines: {}, times: [], receipts: 0 });
    this.sent = game.at; // actions
    this.seen = { white: -1, black: -1 };
    this.paces = pace && { white: new Pace(pace), black: new Pace(pace) };
    this.isPlaying = false;
    this.isHeld = false; // by the pace of whoever is to act
  }

  async open(adapter) {
    await Promise.all(["white", "black"].map(async (role) => {
      this.lines[role] = await adapter.open(this.game.seats[role], role, {
        onState: (step) => this.saw(role, step),
        onReceipt: () => this.answered(),
        onFault: (text) => this.report.fault(text),
      });
    }));
  }

  /** Whether both have seen all sent actions. */
  get isQuiet() {
    return this.seen.white >= this.sent && this.seen.black >= this.sent;
  }

  start() {
    this.isPlaying = true;
    this.act(roleOf(this.sent));
  }

  act(role) {
    if (!this.isPlaying || this.isHeld) return;
    const wait = this.paces ? this.paces[role].wait() : 0;
    this.isHeld = wait > 0;
    if (this.isHeld) setTimeout(() => this.send(role), wait);
    else this.send(role);
  }

  send(role) {
    this.isHeld = false;
    if (!this.isPlaying) return;
    this.times[this.sent] = performance.now();
    this.lines[role].act(this.sent, this.script[this.sent]);
    this.sent += 1;
  }

  saw(role, step) {
    const first = Math.max(this.seen[role], this.game.at);
    this.seen[role] = Math.max(this.seen[role], step);
    for (let n = first; n < step; n += 1) {
      if (role !== roleOf(n)) this.report.delivered(performance.now() - this.times[n]);
    }
    if (step === this.script.length) this.report.over();
    else if (step === this.sent && role === roleOf(step)) this.act(role);
  }

  answered() {
    this.receipts += 1;
    this.report.acknowledged();
  }
}

/** Results of a round. Only events in a window count. */
class Report {
  constructor() {
    Object.assign(this, { window: null, faults: [] });
    this.again();
  }

  /** From now on `ended` waits for the next game that is over. */
  again() {
    this.ended = new Promise((end) => (this.end = end));
  }

  delivered(ms) {
    this.window?.latencies.push(Math.round(ms * 1000));
  }

  acknowledged() {
    if (this.window) this.window.actions += 1;
  }

  fault(text) {
    this.faults.push(text);
    this.end();
  }

  over() {
    this.end();
  }
}

/**
 * Opens all games, plays `playing` of them (by default all) in each of `waves`, and returns the
 * measurements, and the state of every game as both its seats see it.
 */
export async function play(plan, adapter) {
  const report = new Report();
  const tables = plan.games.map(
    (game) => new Table(game, plan.scripts[game.script], report, adapter.pace));
  await opened(tables, (table) => table.open(adapter));
  await quiet(tables, report, "the first states");
  await sleep(SETTLING);
  const idle = plan.idle ? await rest(plan) : null;
  const playing = plan.playing ?? tables.length;
  const waves = [];
  for (let n = 0; n < (plan.waves ?? 1); n += 1) {
    waves.push(await wave(plan, tables.slice(n * playing, (n + 1) * playing), report));
  }
  const games = tables.map(ending);
  for (const table of tables) for (const line of Object.values(table.lines)) line.close();
  return { waves, idle, games, faults: report.faults };
}

/** Warms up, and measures until the first game is over or the time is up. */
async function wave(plan, tables, report) {
  report.again();
  for (const table of tables) table.start();
  await warm(plan.warm, tables, report);
  const window = { actions: 0, latencies: [] };
  const before = cpu(plan.trees);
  report.window = window;
  await Promise.race([sleep(plan.seconds * 1000), report.ended]);
  report.window = null;
  window.used = between(before, cpu(plan.trees));
  for (const table of tables) table.isPlaying = false;
  await quiet(tables, report, "what was under way");
  await sleep(100); // receipts may come after states
  return window;
}

/**
 * Warms up the lines: until the first actions of all games are through, or the time is up and
 * the frames sent at once in the beginning have been handled.
 */
async function warm(seconds, tables, report) {
  const begun = performance.now();
  const sent = () => tables.reduce((sum, table) => sum + table.sent - table.game.at, 0);
  const isWarm = (ms) =>
    sent() >= FIRST * tables.length || (ms > seconds * 1000 && sent() >= 2 * tables.length);
  for (let ms = 0; !isWarm(ms) && ms < LONGEST && !report.faults.length; ) {
    await sleep(10);
    ms = performance.now() - begun;
  }
}

/** The state of a game at the end of a round. */
function ending(table) {
  const { sent, receipts, game, lines } = table;
  const [white, black] = [lines.white.position(), lines.black.position()];
  return { at: sent, played: sent - game.at, receipts, white, black };
}

/** Waits until both seats of all games have seen all actions; reports games that do not get there. */
async function quiet(tables, report, what) {
  const end = performance.now() + PATIENCE;
  for (let late = tables; ; await sleep(20)) {
    late = late.filter((table) => !table.isQuiet);
    if (!late.length || report.faults.length) return;
    if (performance.now() > end) {
      const { game, sent, seen, script } = late[0];
      const where = `script ${game.script}: ${sent} of ${script.length} actions sent, ` +
        `white has seen ${seen.white}, black ${seen.black}`;
      report.faults.push(`waited in vain for ${what} in ${late.length} games, one of ${where}`);
      return;
    }
  }
}

/** Usage while all are connected and nobody acts. */
async function rest({ idle, trees }) {
  const before = cpu(trees);
  await sleep(idle * 1000);
  return between(before, cpu(trees));
}
