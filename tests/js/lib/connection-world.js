/** A connection in a world with its own time, for tests. */

import { Connection } from "../../../static/js/lib/connection.js";

/** A world with its own time; `pass(ms)` runs the timers that are due. */
export function world() {
  const made = { time: 0, timers: [], sockets: [], random: () => 0.5, isVisible: () => false };
  made.now = () => made.time;
  made.later = (call, wait) => {
    const timer = { call, at: made.time + wait };
    made.timers.push(timer);
    return timer;
  };
  made.cancel = (timer) => {
    made.timers = made.timers.filter((each) => each !== timer);
  };
  made.open = (url) => {
    const socket = { url, readyState: 0, sent: [], closed: false };
    socket.send = (text) => socket.sent.push(JSON.parse(text));
    socket.close = () => (socket.closed = true);
    made.sockets.push(socket);
    return socket;
  };
  made.pass = (ms) => {
    const until = made.time + ms;
    for (;;) {
      const due = made.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      made.cancel(due);
      made.time = due.at;
      due.call();
    }
    made.time = until;
  };
  return made;
}

/** A part of the page that follows a topic on a line, and what it has seen. */
export function following(line, topic, rev = 7, options = {}) {
  const seen = { messages: [], states: [], opened: 0 };
  const part = line.subscription(topic, {
    revOf: () => rev,
    onMessage: (message, trip) => seen.messages.push([message, trip]),
    onOpen: () => (seen.opened += 1),
    onState: (state) => seen.states.push(state),
    ...options,
  });
  part.connect();
  return { part, seen };
}

export function lineIn(made, options = {}) {
  const line = new Connection("ws://host/ws/g/x/", made);
  const { part, seen } = following(line, "game:x", 7, options);
  const open = () => {
    const socket = made.sockets.at(-1);
    socket.readyState = 1;
    socket.onopen();
    return socket;
  };
  return { line, part, seen, open };
}

/** The pings that a socket was sent. */
export const pingsOf = (socket) => socket.sent.filter(({ t }) => t === "ping");

/** The server answers on a socket. */
export const pong = (socket) => socket.onmessage({ data: '{"t":"pong","now":1,"revs":{}}' });
