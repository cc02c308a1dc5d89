import assert from "node:assert/strict";
import test from "node:test";
import { webcrypto } from "node:crypto";

import { ANSWERS, Errands, newId } from "../../static/js/errands.js";
import { BEAT, DEAD, DOUBT, Line, addressOf, backoff } from "../../static/js/socket.js";

globalThis.crypto ??= webcrypto; // Node 18 keeps it to itself

/** A world with its own time; `pass(ms)` runs the timers that are due. */
function world() {
  const made = { time: 0, timers: [], sockets: [], random: () => 0.5 };
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

function lineIn(made) {
  const seen = { messages: [], states: [], opened: 0 };
  const line = new Line("ws://host/ws/game/x/", {
    revOf: () => 7,
    onMessage: (message, trip) => seen.messages.push([message, trip]),
    onOpen: () => (seen.opened += 1),
    onState: (state) => seen.states.push(state),
  }, made);
  line.connect();
  const open = () => {
    const socket = made.sockets.at(-1);
    socket.readyState = 1;
    socket.onopen();
    return socket;
  };
  return { line, seen, open };
}

test("the line says hello with the page's rev before anything else", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  assert.deepEqual(open().sent, [{ t: "hello", rev: 7 }]);
  assert.equal(seen.opened, 1);
});

test("it beats with the rev, and measures the round trip", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  made.pass(BEAT);
  assert.deepEqual(socket.sent.at(-1), { t: "ping", rev: 7 });
  made.pass(40);
  socket.onmessage({ data: '{"t":"pong","rev":7,"now":1}' });
  assert.equal(seen.messages.at(-1)[1], 40);
});

test("a line that is silent for 9 s is dead, and is opened again", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  made.pass(DEAD - 100);
  assert.equal(socket.closed, false);
  made.pass(BEAT);
  assert.equal(socket.closed, true);
  assert.equal(seen.states.at(-1).open, false);
  made.pass(8000);
  assert.equal(made.sockets.length, 2);
});

test("any message keeps the line alive", () => {
  const made = world();
  const { open } = lineIn(made);
  const socket = open();
  for (let round = 0; round < 8; round += 1) {
    made.pass(2000);
    socket.onmessage({ data: '{"t":"people"}' });
  }
  assert.equal(socket.closed, false);
});

test("it comes back, with waits that grow, until it is open", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const waits = [];
  for (let round = 0; round < 6; round += 1) {
    made.sockets.at(-1).onclose();
    const { retryAt } = seen.states.at(-1);
    waits.push(retryAt - made.time);
    made.pass(retryAt - made.time);
  }
  assert.equal(made.sockets.length, 7);
  assert.ok(waits.every((wait, index) => index === 0 || wait >= waits[index - 1]), waits.join());
  open();
  made.sockets.at(-1).onclose();
  assert.equal(seen.states.at(-1).retryAt - made.time, waits[0]);
});

test("the outage counts from the moment the line was lost", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  open();
  made.pass(1000);
  made.sockets.at(-1).onclose();
  made.pass(700);
  assert.deepEqual(seen.states.map(({ open: up, since }) => [up, since]).slice(0, 2), [[true, 0], [false, 1000]]);
  made.sockets.at(-1).onclose?.();
  assert.equal(seen.states.at(-1).since, 1000);
});

test("after a farewell it waits as long as the server has said, and a random share more", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  socket.onmessage({ data: '{"t":"bye","reason":"restart","retry":1500}' });
  socket.onclose();
  assert.equal(seen.states.at(-1).retryAt - made.time, 2250);
});

test("what an old socket still says is not heard", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  const late = socket.onmessage;
  socket.onclose();
  late({ data: '{"t":"game"}' });
  assert.deepEqual(seen.messages, []);
});

test("a closed line doesn't send", () => {
  const made = world();
  const { line, open } = lineIn(made);
  assert.equal(line.send({ t: "flag" }), false);
  open();
  assert.equal(line.send({ t: "flag" }), true);
});

test("backoff is random between half a second and a ceiling of at most 8 s", () => {
  for (const failures of [1, 2, 5, 50]) {
    assert.equal(backoff(failures, () => 0), 500);
    assert.ok(backoff(failures, () => 1) <= 8000);
  }
  assert.equal(backoff(1, () => 1), 1000);
  assert.equal(backoff(50, () => 1), 8000);
});

test("the address follows the page's protocol", () => {
  assert.equal(addressOf("/ws/game/x/", { protocol: "https:", host: "a.b" }), "wss://a.b/ws/game/x/");
  assert.equal(addressOf("/ws/game/x/", { protocol: "http:", host: "a:1" }), "ws://a:1/ws/game/x/");
});

test("ids are made on insecure origins too, where there is no randomUUID", () => {
  const bare = { getRandomValues: (bytes) => bytes.map((_, index) => index * 16) };
  assert.equal(newId(bare), "00102030405060708090a0b0c0d0e0f0");
  assert.match(newId(), /^[A-Za-z0-9_-]{1,64}$/);
});

test("what may have been saved is asked again under its id, more and more slowly, but not for ever", () => {
  const errands = new Errands();
  const { id, message } = errands.add({ t: "act", turn: 3, actions: ["fire 1 1"] });
  const waits = [];
  for (let wait = errands.patience(id); wait !== null; wait = errands.patience(id)) waits.push(wait);
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000]);
  assert.deepEqual(errands.withId(id), [message]);
  errands.answer({ t: "refused", id, reason: "unsure" });
  assert.deepEqual(errands.withId(id), []);
  assert.equal(errands.patience(id), null);
});

test("a second press of the same kind is known as such, a go for another turn is not", () => {
  const errands = new Errands();
  const { id } = errands.add({ t: "draw", do: "accept" });
  errands.add({ t: "act", turn: 3, actions: ["fire 1 1"] });
  assert.equal(errands.hasLike({ t: "draw", do: "offer" }), true);
  assert.equal(errands.hasLike({ t: "resign" }), false);
  assert.equal(errands.hasLike({ t: "act", turn: 3, actions: ["fire 2 2"] }), true);
  assert.equal(errands.hasLike({ t: "act", turn: 4, actions: ["fire 2 2"] }), false);
  errands.answer({ t: "receipt", id, again: false });
  assert.equal(errands.hasLike({ t: "draw", do: "accept" }), false);
});

test("an errand stays until it is answered, and keeps its id when it is sent again", () => {
  let count = 0;
  const errands = new Errands(() => `id${(count += 1)}`);
  const { message } = errands.add({ t: "act", turn: 3, actions: ["fire 1 1"] });
  assert.deepEqual(errands.unanswered(), [message]);
  assert.deepEqual(errands.unanswered(), [message]);
  assert.equal(errands.answer({ t: "receipt", id: "other", rev: 1 }), null);
  assert.equal(errands.answer({ t: "receipt", id: "id1", rev: 4, again: false }).outcome, ANSWERS.accepted);
  assert.deepEqual(errands.unanswered(), []);
});

test("the outcomes are accepted, already done and refused", () => {
  const errands = new Errands();
  const [done, refused] = [errands.add({ t: "act" }), errands.add({ t: "draw" })];
  assert.equal(errands.answer({ t: "receipt", id: done.id, again: true }).outcome, ANSWERS.done);
  const answer = errands.answer({ t: "refused", id: refused.id, reason: "stale_turn" });
  assert.equal(answer.outcome, ANSWERS.refused);
  assert.equal(answer.errand.message.t, "draw");
});

test("a line that swallows everything is doubted within three seconds, wherever the beat stands", () => {
  for (const since of [0, 300, BEAT - 100]) {
    const made = world();
    const { seen, open } = lineIn(made);
    const socket = open();
    made.pass(BEAT);
    socket.onmessage({ data: JSON.stringify({ t: "pong", rev: 7, now: 0 }) });
    made.pass(since);
    const swallowed = made.time;
    made.pass(3000 - since);
    assert.equal(seen.states.at(-1).silent, true);
    assert.equal(seen.states.at(-1).open, true);
    assert.ok(made.time - swallowed <= 3000);
  }
});

test("an answer within the time of doubt is no silence; a late one ends it", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  const pong = { data: JSON.stringify({ t: "pong", rev: 7, now: 0 }) };
  made.pass(BEAT + DOUBT - 50);
  socket.onmessage(pong);
  made.pass(100);
  assert.equal(seen.states.some(({ silent }) => silent), false);
  made.pass(BEAT + DOUBT);
  assert.equal(seen.states.at(-1).silent, true);
  socket.onmessage(pong);
  assert.equal(seen.states.at(-1).silent, false);
});

/** The wait and the state after the server has closed an open line with a code. */
function closedWith(code, random = 0.5, bye = null) {
  const made = world();
  made.random = () => random;
  const { line, seen, open } = lineIn(made);
  const socket = open();
  if (bye) socket.onmessage({ data: JSON.stringify(bye) });
  socket.onclose({ code });
  const state = seen.states.at(-1);
  return { made, line, state, wait: state.retryAt === null ? null : state.retryAt - made.time };
}

test("a close code tells why the line is down, and one that is not known does not", () => {
  const whys = { 1012: "restart", 4012: "restart", 1008: "flood", 4008: "flood", 4009: "behind" };
  Object.assign(whys, { 4401: "signed out", 4403: "turned away", 4404: "gone", 1006: null, 1011: null });
  for (const [code, why] of Object.entries(whys)) assert.equal(closedWith(Number(code)).state.why, why);
});

test("after a restart pages come back spread, also where the server has not said how long it takes", () => {
  assert.deepEqual([0, 0.5, 1].map((random) => closedWith(1012, random).wait), [1500, 2250, 3000]);
  const bye = { t: "bye", reason: "restart", retry: 800 };
  assert.equal(closedWith(1012, 0.5, bye).wait, 1200);
});

test("a restart is told until the server is back", () => {
  const { made } = closedWith(1012);
  const { seen, open } = lineIn(made);
  open().onclose({ code: 1012 });
  made.pass(3000);
  made.sockets.at(-1).onclose({ code: 1006 });
  assert.equal(seen.states.at(-1).why, "restart");
  made.pass(3000);
  open();
  assert.equal(seen.states.at(-1).why, null);
});

test("a page that has sent too much, or is turned away, waits at least four seconds", () => {
  for (const code of [1008, 4403]) {
    assert.deepEqual([closedWith(code, 0).wait, closedWith(code, 1).wait], [4000, 8000]);
  }
});

test("after a session has ended the page asks for the whole state anew", () => {
  const made = world();
  const { open } = lineIn(made);
  open().onclose({ code: 4401 });
  made.pass(1000);
  assert.deepEqual(open().sent, [{ t: "hello", rev: -1 }]);
});

test("a line to nothing comes back only when the page is looked at again", () => {
  const { made, line, wait } = closedWith(4404);
  assert.equal(wait, null);
  made.pass(60_000);
  assert.equal(made.sockets.length, 1);
  line.hurry();
  assert.equal(made.sockets.length, 2);
});
