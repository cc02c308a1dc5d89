/** Saving a study while it is edited. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  RETRY_DELAYS_MS,
  SAVE_DELAY_MS,
  SaveQueue,
} from "../../../static/js/studies/save-queue.js";

const FIRST = { title: "Ideas", visibility: "private", nodes: "[]" };

/** A queue with timers that run when they are told to, and a server that answers when it is told to. */
function world() {
  /** @type {{ call: () => void, wait: number }[]} */
  const timers = [];
  /** @type {{ body: any, answer: (reply: any) => Promise<void> }[]} */
  const sent = [];
  /** @type {string[]} */
  const states = [];
  /** @type {any[]} */
  const conflicts = [];
  const queue = new SaveQueue(
    1,
    FIRST,
    {
      send: (body) =>
        new Promise((resolve) => {
          const answer = async (/** @type {any} */ reply) => {
            resolve(reply);
            await new Promise((done) => setImmediate(done));
          };
          sent.push({ body, answer });
        }),
      onState: ({ name }) => states.push(name),
      onConflict: (conflict) => conflicts.push(conflict),
    },
    {
      later: (call, wait) => timers.push({ call, wait }),
      cancel: (timer) => {
        if (timer !== undefined) timers[timer - 1] = { call: () => {}, wait: 0 };
      },
    },
  );
  const fire = () => timers[timers.length - 1].call();
  return { queue, timers, sent, states, conflicts, fire };
}

test("only what has changed is sent, once for several changes", async () => {
  const { queue, timers, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "I" });
  queue.offer({ ...FIRST, title: "In" });
  assert.equal(timers[timers.length - 1].wait, SAVE_DELAY_MS);
  fire();
  assert.deepEqual(sent[0].body, { rev: 1, title: "In" });
  await sent[0].answer({ done: { rev: 2 } });
  assert.deepEqual(states, ["changed", "changed", "saving", "saved"]);
  assert.equal(queue.isDirty, false);
});

test("a change during a save is saved after it, on the new rev", async () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, nodes: "[1]" });
  fire();
  queue.offer({ ...FIRST, nodes: "[1,2]" });
  assert.equal(sent.length, 1);
  await sent[0].answer({ done: { rev: 2 } });
  assert.equal(states[states.length - 1], "changed");
  fire();
  assert.deepEqual(sent[1].body, { rev: 2, nodes: "[1,2]" });
});

test("what is taken back before it was saved is not sent", () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, nodes: "[1]" });
  queue.offer(FIRST);
  fire();
  assert.equal(sent.length, 0);
  assert.deepEqual(states, ["changed", "saved"]);
});

test("a lost request is repeated, later each time; a refusal waits for a change", async () => {
  const { queue, timers, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "New" });
  for (const [at, wait] of [...RETRY_DELAYS_MS, RETRY_DELAYS_MS[2]].entries()) {
    fire();
    await sent[at].answer({ failed: "Not connected.", isFinal: false });
    assert.equal(timers[timers.length - 1].wait, wait);
  }
  fire();
  const before = timers.length;
  await sent[4].answer({ failed: "Give the study a title.", isFinal: true });
  assert.equal(timers.length, before);
  assert.equal(states[states.length - 1], "failed");
  queue.offer({ ...FIRST, title: "Newer" });
  fire();
  assert.deepEqual(sent[5].body, { rev: 1, title: "Newer" });
});

test("what could not be saved is saved as soon as the network is back; a refusal is not", async () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "New" });
  fire();
  await sent[0].answer({ failed: "Not connected.", isFinal: false });
  queue.retry();
  assert.deepEqual(sent[1].body, { rev: 1, title: "New" });
  await sent[1].answer({ failed: "Give the study a title.", isFinal: true });
  queue.retry();
  assert.equal(sent.length, 2);
  queue.offer({ ...FIRST, title: "Newer" });
  queue.retry(); // saved in its own time
  assert.equal(sent.length, 2);
  fire();
  await sent[2].answer({ done: { rev: 2 } });
  assert.equal(states[states.length - 1], "saved");
});

test("after a conflict nothing is sent until the page shows one version", async () => {
  const { queue, sent, conflicts, fire } = world();
  queue.offer({ ...FIRST, title: "Mine" });
  fire();
  const theirs = { rev: 5, by: "ada", title: "Theirs" };
  await sent[0].answer({ conflict: theirs });
  assert.deepEqual(conflicts, [theirs]);
  queue.offer({ ...FIRST, title: "Mine too" });
  await queue.save();
  assert.equal(sent.length, 1);
  queue.adopt(5, { ...FIRST, title: "Theirs" });
  queue.offer({ ...FIRST, title: "Theirs, and mine" });
  fire();
  assert.deepEqual(sent[1].body, { rev: 5, title: "Theirs, and mine" });
});

test("a closed study is not saved, whatever comes", async () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "Mine" });
  fire();
  queue.close();
  await sent[0].answer({ done: { rev: 2 } });
  queue.offer({ ...FIRST, title: "More" });
  await queue.save();
  assert.equal(sent.length, 1);
  assert.equal(states[states.length - 1], "closed");
});

test("nothing of a hidden study is sent, and what isn't saved stays unsaved", async () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "Mine" });
  queue.hide();
  fire();
  queue.offer({ ...FIRST, title: "More" });
  await queue.save();
  assert.equal(sent.length, 0);
  assert.deepEqual(states, ["changed", "hidden"]);
  assert.equal(queue.isDirty, true);
});

test("a save that arrived before the study was hidden counts", async () => {
  const { queue, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "Mine" });
  fire();
  queue.hide();
  await sent[0].answer({ done: { rev: 2 } });
  assert.equal(queue.isDirty, false);
  assert.deepEqual(states, ["changed", "saving", "hidden", "hidden"]);
});

test("a save that is refused after the study was hidden leaves it hidden", async () => {
  const { queue, timers, sent, states, fire } = world();
  queue.offer({ ...FIRST, title: "Mine" });
  fire();
  queue.hide();
  const before = timers.length;
  await sent[0].answer({ failed: "A moderator has hidden this study.", isFinal: true });
  assert.equal(queue.isDirty, true);
  assert.equal(timers.length, before);
  assert.equal(states[states.length - 1], "hidden");
});
