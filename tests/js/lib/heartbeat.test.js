import assert from "node:assert/strict";
import test from "node:test";

import {
  ANSWER_DEADLINE_MS,
  DEAD_AFTER_MS,
  FIRST_PING_MS,
  PING_INTERVAL_MS,
  PONG_DEADLINE_MS,
  PROBE_AFTER_MS,
} from "../../../static/js/lib/heartbeat.js";
import { following, lineIn, pingsOf, pong, world } from "./connection-world.js";

const PEOPLE = { data: '{"t":"people"}' };

/** A page whose connection has opened and has had its first pong; it probes as `probing.is` says. */
function measured(probing = { is: false }, made = world()) {
  const { line, part, seen, open } = lineIn(made, { isProbing: () => probing.is });
  const socket = open();
  made.pass(FIRST_PING_MS);
  pong(socket);
  return { made, line, part, seen, socket };
}

test("the first ping comes soon, with the rev, and measures the round trip", () => {
  const made = world();
  const { seen, open } = lineIn(made);
  const socket = open();
  made.pass(FIRST_PING_MS);
  assert.deepEqual(pingsOf(socket), [{ t: "ping", revs: { "game:x": 7 } }]);
  made.pass(40);
  pong(socket);
  assert.equal(seen.messages.at(-1)[1], 40);
});

test("a page that waits pings every 25 s, spread by a fifth", () => {
  for (const [random, share] of [
    [0, 0.8],
    [0.5, 1],
    [1, 1.2],
  ]) {
    const made = world();
    made.random = () => random;
    const { open } = lineIn(made);
    const socket = open();
    made.pass(FIRST_PING_MS * (0.5 + random));
    pong(socket);
    made.pass(share * PING_INTERVAL_MS - 1);
    assert.equal(pingsOf(socket).length, 1);
    made.pass(1);
    assert.equal(pingsOf(socket).length, 2);
  }
});

test("what a waiting page hears does not put off its ping, which compares the revs of all topics", () => {
  const { made, socket } = measured();
  for (let second = 0; second < 30; second += 1) {
    made.pass(1000);
    socket.onmessage(PEOPLE);
  }
  assert.equal(pingsOf(socket).length, 2);
});

test("a probing page pings after 4 s of silence, and not before", () => {
  const { made, socket } = measured({ is: true });
  made.pass(3000);
  socket.onmessage(PEOPLE);
  made.pass(PROBE_AFTER_MS - 1);
  assert.equal(pingsOf(socket).length, 1);
  made.pass(1);
  assert.equal(pingsOf(socket).length, 2);
  pong(socket);
  made.pass(PROBE_AFTER_MS);
  assert.equal(pingsOf(socket).length, 3);
});

test("a probing page that is never left in silence pings every 25 s nevertheless", () => {
  const { made, socket } = measured({ is: true });
  for (let second = 0; second < 26; second += 1) {
    made.pass(1000);
    socket.onmessage(PEOPLE);
  }
  assert.equal(pingsOf(socket).length, 2);
});

test("a page begins to probe with the message that begins its game, and stops with its end", () => {
  const probing = { is: false };
  const { made, socket } = measured(probing);
  probing.is = true;
  socket.onmessage({ data: '{"topic":"game:x","t":"game"}' });
  made.pass(PROBE_AFTER_MS);
  assert.equal(pingsOf(socket).length, 2);
  probing.is = false;
  pong(socket);
  made.pass(2 * PROBE_AFTER_MS);
  assert.equal(pingsOf(socket).length, 2);
});

test("the half-open line of a probing page is silent within 6 s, wherever its beat stands", () => {
  for (const since of [0, 300, 2500, PROBE_AFTER_MS - 100]) {
    const { made, seen, socket } = measured({ is: true });
    made.pass(since);
    socket.onmessage(PEOPLE);
    const swallowed = made.time;
    made.pass(6000);
    const state = seen.states.find(({ silent }) => silent);
    assert.equal(state?.open, true);
    assert.ok(made.time - swallowed <= 6000);
  }
});

test("a half-open line is silent within 3 s of a request, on any page", () => {
  for (const since of [0, 1000, 20_000]) {
    const { made, part, seen } = measured();
    made.pass(since);
    part.send({ t: "resign", id: "a" });
    made.pass(3000);
    assert.equal(seen.states.at(-1).silent, true);
  }
});

test("a request that is answered, and a question without an id, make no ping", () => {
  const { made, part, socket } = measured();
  part.send({ t: "resign", id: "a" });
  made.pass(200);
  socket.onmessage({ data: '{"topic":"game:x","t":"receipt","id":"a"}' });
  part.send({ t: "flag" });
  made.pass(2 * ANSWER_DEADLINE_MS);
  assert.equal(pingsOf(socket).length, 1);
});

test("a second ping neither puts off the doubt of the first nor shortens its round trip", () => {
  const { made, line, seen, socket } = measured();
  line.ping();
  made.pass(PONG_DEADLINE_MS - 100);
  line.ping();
  made.pass(100);
  assert.equal(seen.states.at(-1).silent, true);
  pong(socket);
  assert.equal(seen.messages.at(-1)[1], PONG_DEADLINE_MS);
  pong(socket);
  assert.equal(seen.messages.at(-1)[1], undefined);
});

test("an answer within the time of doubt is no silence; a late one ends it", () => {
  const { made, line, seen, socket } = measured();
  line.ping();
  made.pass(PONG_DEADLINE_MS - 50);
  pong(socket);
  made.pass(100);
  assert.ok(!seen.states.some(({ silent }) => silent));
  line.ping();
  made.pass(PONG_DEADLINE_MS);
  assert.equal(seen.states.at(-1).silent, true);
  pong(socket);
  assert.equal(seen.states.at(-1).silent, false);
});

test("a line whose ping stays without an answer is given up, and opened again", () => {
  const { made, line, seen, socket } = measured();
  line.ping();
  made.pass(DEAD_AFTER_MS - 1);
  assert.equal(socket.closed, false);
  made.pass(1);
  assert.equal(socket.closed, true);
  assert.equal(seen.states.at(-1).open, false);
  made.pass(750);
  assert.equal(made.sockets.length, 2);
});

test("any message is an answer", () => {
  const { made, line, socket } = measured();
  line.ping();
  made.pass(1000);
  socket.onmessage(PEOPLE);
  made.pass(DEAD_AFTER_MS);
  assert.equal(socket.closed, false);
});

test("a socket that does not open is given up", () => {
  const made = world();
  lineIn(made);
  made.pass(9000);
  assert.equal(made.sockets[0].closed, true);
});

test("a page that comes back to sight asks at once, and one that was asleep connects again", () => {
  const { made, line, socket } = measured();
  made.pass(10_000);
  line.retryNow();
  assert.equal(pingsOf(socket).length, 2);
  assert.equal(socket.closed, false);
  pong(socket);
  made.time += 600_000; // no timer ran meanwhile
  line.retryNow();
  assert.equal(socket.closed, true);
});

test("a player's page that slept for some seconds connects again at once", () => {
  const { made, line, socket } = measured({ is: true });
  made.time += PROBE_AFTER_MS + DEAD_AFTER_MS; // no timer ran meanwhile
  line.retryNow();
  assert.equal(socket.closed, false);
  made.time += 1;
  line.retryNow();
  assert.equal(socket.closed, true);
});

test("a closed line has no beat", () => {
  const made = world();
  const line = measured({ is: true }, made);
  const other = following(line.line, "lists");
  line.part.close();
  other.part.close();
  assert.deepEqual(made.timers, []);
  assert.equal(line.socket.closed, true);
});

test("a page that somebody can see says so with its pings, and a hidden one says nothing", () => {
  const made = world();
  const { line, open } = lineIn(made);
  const socket = open();
  made.isVisible = () => true;
  made.pass(FIRST_PING_MS);
  assert.deepEqual(pingsOf(socket).at(-1), { t: "ping", revs: { "game:x": 7 }, visible: true });
  made.isVisible = () => false;
  line.ping();
  assert.deepEqual(pingsOf(socket).at(-1), { t: "ping", revs: { "game:x": 7 } });
});
