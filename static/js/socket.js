/**
 * The line to the server: it says hello with the page's rev, beats, notices when it is dead, and
 * comes back. It carries messages and decides nothing about the game.
 */

/** A question every two seconds, and doubt when its answer takes longer: a dead line shows within three. */
export const BEAT = 2000;
export const DOUBT = 900;
export const DEAD = 9000;
const FIRST = 500;
const LONGEST = 8000;
/** How long a restart takes if the server has not said so, in ms. */
const RESTART = 1500;

/**
 * Why the server has closed a line, by its close code. `restart`: it goes away and comes back;
 * `flood`: the page has sent too much; `behind`: the page did not take what it was sent; `signed
 * out`: the session has ended; `turned away`: nothing is shown to whoever asks, now; `gone`: there is
 * nothing at this address.
 */
const WHYS = {
  1008: "flood",
  1012: "restart",
  4008: "flood",
  4009: "behind",
  4012: "restart",
  4401: "signed out",
  4403: "turned away",
  4404: "gone",
};

/** After these the line comes back slowly. */
const SLOW = ["flood", "turned away"];

/** A random wait from 0.5 s up to a ceiling: 1 s after the first failure, then half as much again, up to 8 s. */
export function backoff(failures, random = Math.random) {
  const ceiling = Math.min(LONGEST, 2 * FIRST * 1.5 ** Math.max(0, failures - 1));
  return Math.round(FIRST + (ceiling - FIRST) * random());
}

/** The socket's address for a path on this page's host. */
export function addressOf(path, place = location) {
  return `${place.protocol === "https:" ? "wss:" : "ws:"}//${place.host}${path}`;
}

const WORLD = {
  open: (url) => new WebSocket(url),
  now: () => performance.now(),
  later: (call, wait) => setTimeout(call, wait),
  cancel: (timer) => clearTimeout(timer),
  random: () => Math.random(),
};

export class Line {
  /**
   * `revOf()` gives the page's rev. `onMessage(message, trip)` gets every message, with the round trip
   * in ms if it is a pong. `onOpen()` is called after hello, `onState({open, since, retryAt, silent,
   * why})` after every change; times are those of `world.now`. `silent`: the line is open, and a
   * question has had no answer for so long that it may be dead; `why` the server has closed it, or null.
   */
  constructor(url, { revOf, onMessage, onOpen, onState }, world = WORLD) {
    Object.assign(this, { url, revOf, onMessage, onOpen, onState, world });
    this.socket = null;
    this.failures = 0;
    this.heard = 0;
    this.asked = 0;
    this.retry = null;
    this.ended = false;
    this.state = { open: false, since: world.now(), retryAt: null, silent: false, why: null };
  }

  connect() {
    this.world.cancel(this.waiting);
    if (this.socket || this.ended) return;
    const socket = this.world.open(this.url);
    this.socket = socket;
    this.heard = this.world.now();
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => this.received(socket, event.data);
    socket.onclose = (event) => this.closed(socket, WHYS[event?.code]);
    socket.onerror = () => this.closed(socket);
    this.beat();
  }

  opened(socket) {
    if (socket !== this.socket) return;
    this.failures = 0;
    this.heard = this.world.now();
    const isAnother = this.state.why === "signed out"; // whoever asks now may see another game
    this.send({ t: "hello", rev: isAnother ? -1 : this.revOf() });
    this.change({ open: true, since: this.world.now(), retryAt: null, silent: false, why: null });
    this.onOpen();
  }

  received(socket, data) {
    if (socket !== this.socket) return;
    this.heard = this.world.now();
    this.trust();
    const message = JSON.parse(data);
    if (message.t === "bye") this.retry = message.retry;
    const trip = message.t === "pong" ? this.heard - this.asked : undefined;
    this.onMessage(message, trip);
  }

  closed(socket, why = null) {
    if (socket !== this.socket) return;
    this.drop();
    if (this.ended) return;
    this.failures += 1;
    const wait = this.wait(why);
    const told = why ?? (this.retry === null ? this.state.why : "restart");
    this.retry = null;
    this.lost(wait, told);
    if (wait !== null) this.waiting = this.world.later(() => this.connect(), wait);
  }

  /**
   * Pages come back from a restart spread over as long again as it takes, after a flood not before
   * half the longest wait, and from an empty address (null) only when somebody asks for it.
   */
  wait(why) {
    const { random } = this.world;
    if (why === "gone") return null;
    if (SLOW.includes(why)) return Math.round((LONGEST * (1 + random())) / 2);
    if (why !== "restart" && this.retry === null) return backoff(this.failures, random);
    return Math.round((this.retry ?? RESTART) * (1 + random()));
  }

  /** `why` stays until the line is open again: a server that restarts refuses connections at first. */
  lost(wait, why) {
    const { open, since } = this.state;
    const now = this.world.now();
    const retryAt = wait === null ? null : now + wait;
    this.change({ open: false, since: open ? now : since, retryAt, silent: false, why });
  }

  drop() {
    this.world.cancel(this.beating);
    this.world.cancel(this.doubting);
    const socket = this.socket;
    this.socket = null;
    for (const event of ["onopen", "onmessage", "onclose", "onerror"]) socket[event] = null;
    socket.close();
  }

  change(state) {
    this.state = state;
    this.onState(state);
  }

  /** Beats while there is a socket; one that has been silent for too long is given up. */
  beat() {
    const socket = this.socket;
    this.world.cancel(this.beating);
    this.beating = this.world.later(() => {
      if (socket !== this.socket) return;
      if (this.world.now() - this.heard > DEAD) {
        this.closed(socket);
        return;
      }
      this.ask();
      this.beat();
    }, BEAT);
  }

  ask() {
    if (!this.state.open) return;
    this.asked = this.world.now();
    this.send({ t: "ping", rev: this.revOf() });
    this.world.cancel(this.doubting);
    this.doubting = this.world.later(() => this.doubt(this.asked), DOUBT);
  }

  doubt(asked) {
    if (this.heard >= asked || !this.state.open || this.state.silent) return;
    this.change({ ...this.state, silent: true });
  }

  /** Something was heard: the line lives. */
  trust() {
    this.world.cancel(this.doubting);
    if (this.state.silent) this.change({ ...this.state, silent: false });
  }

  /** Sends if the line is open; tells whether it was. */
  send(message) {
    if (this.socket === null || this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** The page is seen again, or the network is back: don't wait any longer. */
  hurry() {
    if (this.ended) return;
    if (this.socket === null) this.connect();
    else if (this.world.now() - this.heard > DEAD) this.closed(this.socket);
    else this.ask();
  }

  end() {
    this.ended = true;
    this.world.cancel(this.waiting);
    if (this.socket) this.drop();
  }
}
