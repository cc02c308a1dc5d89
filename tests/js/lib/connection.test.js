import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import test from "node:test";

import { FIRST_PING_MS } from "../../../static/js/lib/heartbeat.js";
import { socketPath, socketUrl } from "../../../static/js/lib/page-connection.js";
import { newId, OUTCOMES, PendingRequests } from "../../../static/js/lib/pending-requests.js";
import { following, lineIn, world } from "./connection-world.js";

globalThis.crypto ??= webcrypto; // Node 18 keeps it to itself

test("the line subscribes with the page's rev before anything else", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  assert.deepEqual(open().sent, [{ t: "subscribe", topic: "game:x", rev: 7 }]);
  assert.equal(seen.opened, 1);
});

test("the page hears each time that the line is open", () => {
  const made = world();
  const { line, open } = lineIn(made);
  let count = 0;
  line.onOpen = () => (count += 1);
  open();
  made.pass(1000);
  made.sockets.at(-1).onclose();
  assert.equal(count, 1);
  made.pass(2000);
  open();
  assert.equal(count, 2);
});

test("the outage counts from the moment the line was lost", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  open();
  made.pass(1000);
  made.sockets.at(-1).onclose();
  made.pass(700);
  assert.deepEqual(seen.states.map(({ open: up, since }) => [up, since]).slice(0, 2), [
    [true, 0],
    [false, 1000],
  ]);
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

test("a closed line doesn't send, an open one with the topic", () => {
  const made = world();
  const { part, open } = lineIn(made);
  assert.equal(part.send({ t: "flag" }), false);
  const socket = open();
  assert.equal(part.send({ t: "flag" }), true);
  assert.deepEqual(socket.sent.at(-1), { t: "flag", topic: "game:x" });
});

test("all parts of a page share a line, and each hears its topic", () => {
  const made = world();
  const { line, seen, open } = lineIn(made);
  const talk = following(line, "chat:game/x", "4/2");
  const own = following(line, "mine", null);
  const socket = open();
  assert.equal(made.sockets.length, 1);
  assert.deepEqual(socket.sent, [
    { t: "subscribe", topic: "game:x", rev: 7 },
    { t: "subscribe", topic: "chat:game/x", rev: "4/2" },
    { t: "subscribe", topic: "mine", rev: -1 },
  ]);
  socket.onmessage({ data: '{"topic":"chat:game/x","t":"chat"}' });
  assert.deepEqual(
    [seen, talk.seen, own.seen].map(({ messages }) => messages.length),
    [0, 1, 0],
  );
  made.pass(FIRST_PING_MS);
  assert.deepEqual(socket.sent.at(-1), {
    t: "ping",
    revs: { "game:x": 7, "chat:game/x": "4/2" },
  });
  socket.onmessage({ data: '{"t":"pong","now":1,"revs":{}}' });
  assert.deepEqual(
    [seen, talk.seen, own.seen].map(({ messages }) => messages.length),
    [1, 2, 1],
  );
});

test("a part that comes later is asked for on the open line, and one that leaves is not told any more", () => {
  const made = world();
  const { line, part, open } = lineIn(made);
  const socket = open();
  const late = following(line, "lobby:y", -1);
  assert.deepEqual(socket.sent.at(-1), { t: "subscribe", topic: "lobby:y", rev: -1 });
  assert.deepEqual([late.seen.opened, late.seen.states.at(-1).open], [1, true]);
  late.part.close();
  assert.deepEqual(socket.sent.at(-1), { t: "unsubscribe", topic: "lobby:y" });
  socket.onmessage({ data: '{"topic":"lobby:y","t":"lobby"}' });
  assert.equal(late.seen.messages.length, 0);
  assert.equal(socket.closed, false);
  part.close();
  assert.equal(socket.closed, true);
  made.pass(60_000);
  assert.equal(made.sockets.length, 1);
});

test("after a lost line every part subscribes again with the rev that it has", () => {
  const made = world();
  const { line, seen, open } = lineIn(made);
  const talk = following(line, "chat:game/x", "1");
  open().onclose({ code: 1006 });
  assert.deepEqual(
    [seen, talk.seen].map(({ states }) => states.at(-1).open),
    [false, false],
  );
  made.pass(8000);
  assert.deepEqual(
    open().sent.map(({ t, topic, rev }) => [t, topic, rev]),
    [
      ["subscribe", "game:x", 7],
      ["subscribe", "chat:game/x", "1"],
    ],
  );
  assert.deepEqual([seen.opened, talk.seen.opened], [2, 2]);
});

test("the address follows the page's protocol", () => {
  assert.equal(socketUrl("/ws/g/x/", { protocol: "https:", host: "a.b" }), "wss://a.b/ws/g/x/");
  assert.equal(socketUrl("/ws/g/x/", { protocol: "http:", host: "a:1" }), "ws://a:1/ws/g/x/");
});

test("the pages of a game name it in the address, all others don't", () => {
  assert.equal(socketPath("/g/aB-3/", "en"), "/ws/g/aB-3/?lang=en");
  assert.equal(socketPath("/g/aB-3/ledger/", "tr"), "/ws/g/aB-3/?lang=tr");
  for (const path of ["/", "/l/aB3/", "/g/", "/watch/pincer/"])
    assert.equal(socketPath(path, "en"), "/ws/?lang=en");
});

test("ids are made on insecure origins too, where there is no randomUUID", () => {
  const bare = { getRandomValues: (bytes) => bytes.map((_, index) => index * 16) };
  assert.equal(newId(bare), "00102030405060708090a0b0c0d0e0f0");
  assert.match(newId(), /^[A-Za-z0-9_-]{1,64}$/);
});

test("what may have been saved is asked again under its id, more and more slowly, but not for ever", () => {
  const requests = new PendingRequests();
  const { id, message } = requests.add({ t: "act", step: 3, actions: ["fire 1 1"] });
  const waits = [];
  for (let wait = requests.nextDelay(id); wait !== null; wait = requests.nextDelay(id))
    waits.push(wait);
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000]);
  assert.deepEqual(requests.withId(id), [message]);
  requests.answer({ t: "refused", id, reason: "unsure" });
  assert.deepEqual(requests.withId(id), []);
  assert.equal(requests.nextDelay(id), null);
});

test("a second press of the same kind is known as such, a turn for another step is not", () => {
  const requests = new PendingRequests();
  const { id } = requests.add({ t: "draw", do: "accept" });
  requests.add({ t: "act", step: 3, actions: ["fire 1 1"] });
  assert.equal(requests.hasLike({ t: "draw", do: "offer" }), true);
  assert.equal(requests.hasLike({ t: "resign" }), false);
  assert.equal(requests.hasLike({ t: "act", step: 3, actions: ["fire 2 2"] }), true);
  assert.equal(requests.hasLike({ t: "act", step: 4, actions: ["fire 2 2"] }), false);
  requests.answer({ t: "receipt", id, again: false });
  assert.equal(requests.hasLike({ t: "draw", do: "accept" }), false);
});

test("an errand stays until it is answered, and keeps its id when it is sent again", () => {
  let count = 0;
  const requests = new PendingRequests(() => {
    count += 1;
    return `id${count}`;
  });
  const { message } = requests.add({ t: "act", step: 3, actions: ["fire 1 1"] });
  assert.deepEqual(requests.unanswered(), [message]);
  assert.deepEqual(requests.unanswered(), [message]);
  assert.equal(requests.answer({ t: "receipt", id: "other", rev: 1 }), null);
  assert.equal(
    requests.answer({ t: "receipt", id: "id1", rev: 4, again: false }).outcome,
    OUTCOMES.accepted,
  );
  assert.deepEqual(requests.unanswered(), []);
});

test("the outcomes are accepted, already done and refused", () => {
  const requests = new PendingRequests();
  const [done, refused] = [requests.add({ t: "act" }), requests.add({ t: "draw" })];
  assert.equal(requests.answer({ t: "receipt", id: done.id, again: true }).outcome, OUTCOMES.done);
  const answer = requests.answer({ t: "refused", id: refused.id, reason: "stale_step" });
  assert.equal(answer.outcome, OUTCOMES.refused);
  assert.equal(answer.request.message.t, "draw");
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
  Object.assign(whys, {
    4401: "signed out",
    1006: null,
    1011: null,
  });
  for (const [code, why] of Object.entries(whys))
    assert.equal(closedWith(Number(code)).state.why, why);
});

test("after a restart pages come back spread, also where the server has not said how long it takes", () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => closedWith(1012, random).wait),
    [1500, 2250, 3000],
  );
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

test("a page that has sent too much waits at least four seconds", () => {
  assert.deepEqual([closedWith(1008, 0).wait, closedWith(1008, 1).wait], [4000, 8000]);
});

test("after a session has ended the page asks for the whole state anew", () => {
  const made = world();
  const { open } = lineIn(made);
  open().onclose({ code: 4401 });
  made.pass(1000);
  assert.deepEqual(open().sent, [{ t: "subscribe", topic: "game:x", rev: -1 }]);
});

/** A page of two topics, the first of which the server has ended for a reason. */
function endedWith(reason) {
  const made = world();
  const { line, part, seen, open } = lineIn(made);
  const talk = following(line, "chat:game/x", "1");
  const socket = open();
  const ended = { topic: "game:x", t: "ended", reason, say: "" };
  socket.onmessage({ data: JSON.stringify(ended) });
  return { made, line, part, seen, talk, socket };
}

test("a topic that has ended leaves the line and the others alone", () => {
  for (const [reason, why] of [
    ["gone", "gone"],
    ["slow_down", "flood"],
    ["signed_out", "signed out"],
    ["not_watchable", "turned away"],
  ]) {
    const { made, part, seen, talk, socket } = endedWith(reason);
    assert.deepEqual([seen.states.at(-1).open, seen.states.at(-1).why], [false, why]);
    assert.equal(part.send({ t: "flag" }), false);
    assert.equal(talk.part.send({ t: "say" }), true);
    assert.equal(talk.seen.states.at(-1).open, true);
    assert.equal(socket.closed, false);
    made.pass(FIRST_PING_MS);
    assert.deepEqual(socket.sent.at(-1), { t: "ping", revs: { "chat:game/x": "1" } });
  }
});

test("a topic that has ended is asked for again, and is open when it is answered", () => {
  const { made, part, seen, socket } = endedWith("slow_down");
  const opened = seen.opened;
  const { retryAt } = seen.states.at(-1);
  assert.equal(retryAt - made.time, 6000);
  for (let beat = 0; beat < 6; beat += 1) {
    made.pass(1000);
    socket.onmessage({ data: '{"t":"pong","now":1,"revs":{}}' });
  }
  assert.ok(socket.sent.some(({ t, rev }) => t === "subscribe" && rev === -1));
  assert.equal(part.state.open, false);
  socket.onmessage({ data: '{"topic":"game:x","t":"game"}' });
  assert.equal(part.state.open, true);
  assert.equal(seen.opened, opened + 1);
});

test("a topic that is gone is asked for again only when the page is looked at", () => {
  const { made, line, seen, socket } = endedWith("gone");
  assert.equal(seen.states.at(-1).retryAt, null);
  const asked = () => socket.sent.filter(({ t, rev }) => t === "subscribe" && rev === -1).length;
  for (let beat = 0; beat < 30; beat += 1) {
    made.pass(1000);
    socket.onmessage({ data: '{"t":"pong","now":1,"revs":{}}' });
  }
  assert.equal(asked(), 0);
  line.retryNow();
  assert.equal(asked(), 1);
});

test("a page that is put away closes its socket, and follows its topics again when it is back", () => {
  const made = world();
  const { line, seen, open } = lineIn(made);
  const first = open();
  line.suspend();
  assert.ok(first.closed);
  assert.equal(seen.states.at(-1).open, false);
  made.pass(600_000);
  assert.equal(made.sockets.length, 1); // nothing is tried meanwhile
  line.retryNow();
  assert.deepEqual(open().sent, [{ t: "subscribe", topic: "game:x", rev: 7 }]);
  assert.equal(seen.states.at(-1).open, true);
});

test("a page that is put away while it waits to connect again does not", () => {
  const made = world();
  const { line, open } = lineIn(made);
  open().onclose({ code: 1006 });
  line.suspend();
  made.pass(600_000);
  assert.equal(made.sockets.length, 1);
});
