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

/** A random wait from 0.5 s up to a ceiling: 1 s after the first failure, doubling up to 8 s. */
export function backoff(failures, random = Math.random) {
  const ceiling = Math.min(LONGEST, 2 * FIRST * 2 ** Math.max(0, failures - 1));
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
   * in ms if it is a pong. `onOpen()` is called after hello, `onState({open, since, retryAt, silent})`
   * after every change; times are those of `world.now`. `silent`: the line is open, and a question
   * has had no answer for so long that it may be dead.
   */
  constructor(url, { revOf, onMessage, onOpen, onState }, world = WORLD) {
    Object.assign(this, { url, revOf, onMessage, onOpen, onState, world });
    this.socket = null;
    this.failures = 0;
    this.heard = 0;
    this.asked = 0;
    this.retry = null;
    this.ended = false;
    this.state = { open: false, since: world.now(), retryAt: null, silent: false };
  }

  connect() {
    this.world.cancel(this.waiting);
    if (this.socket || this.ended) return;
    const socket = this.world.open(this.url);
    this.socket = socket;
    this.heard = this.world.now();
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (event) => this.received(socket, event.data);
    socket.onclose = () => this.closed(socket);
    socket.onerror = () => this.closed(socket);
    this.beat();
  }

  opened(socket) {
    if (socket !== this.socket) return;
    this.failures = 0;
    this.heard = this.world.now();
    this.send({ t: "hello", rev: this.revOf() });
    this.change({ open: true, since: this.world.now(), retryAt: null, silent: false });
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

  closed(socket) {
    if (socket !== this.socket) return;
    this.drop();
    if (this.ended) return;
    this.failures += 1;
    const wait = this.wait();
    this.retry = null;
    this.lost(wait);
    this.waiting = this.world.later(() => this.connect(), wait);
  }

  /** The server may have said how long its restart takes; pages then come back spread over it. */
  wait() {
    if (this.retry === null) return backoff(this.failures, this.world.random);
    return Math.round(this.retry * (1 + this.world.random()));
  }

  lost(wait) {
    const { open, since } = this.state;
    const now = this.world.now();
    this.change({ open: false, since: open ? now : since, retryAt: now + wait, silent: false });
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
