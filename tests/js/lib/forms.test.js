import assert from "node:assert/strict";
import test from "node:test";

import { refusalOf, SENT_TIMEOUT_MS, SubmitGuard } from "../../../static/js/lib/forms.js";

function clock() {
  const timers = new Map();
  let last = 0;
  return {
    timers,
    later: (call, wait) => {
      last += 1;
      timers.set(last, { call, wait });
      return last;
    },
    cancel: (timer) => timers.delete(timer),
  };
}

function press(once, form, defaultPrevented = false) {
  const event = {
    target: form,
    defaultPrevented,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  once.submit(event);
  return !event.defaultPrevented;
}

test("a form goes once, and another one beside it", () => {
  const once = new SubmitGuard(clock());
  const [form, other] = [{ dataset: {} }, { dataset: {} }];
  assert.equal(press(once, form), true);
  assert.equal("sent" in form.dataset, true);
  assert.deepEqual([press(once, form), press(once, form)], [false, false]);
  assert.equal(press(once, other), true);
});

test("a form without an answer may be sent again", () => {
  const time = clock();
  const once = new SubmitGuard(time);
  const form = { dataset: {} };
  press(once, form);
  const [{ call, wait }] = time.timers.values();
  assert.equal(wait, SENT_TIMEOUT_MS);
  call();
  assert.equal("sent" in form.dataset, false);
  assert.equal(press(once, form), true);
});

test("a page that comes back has nothing on its way, and no timer of the time before", () => {
  const time = clock();
  const once = new SubmitGuard(time);
  const form = { dataset: {} };
  press(once, form);
  once.freeAll();
  assert.equal(time.timers.size, 0);
  assert.equal(press(once, form), true);
  assert.equal(time.timers.size, 1);
});

test("what another listener has stopped was not sent", () => {
  const once = new SubmitGuard(clock());
  const form = { dataset: {} };
  press(once, form, true);
  assert.equal("sent" in form.dataset, false);
  assert.equal(press(once, form), true);
});

test("a refused request says why, if its answer is JSON with a sentence", async () => {
  const say = "This page expired.";
  const json = Response.json({ refused: { say } }, { status: 403 });
  assert.equal(await refusalOf(json), say);
  const plain = "The server refused that.";
  assert.equal(await refusalOf(Response.json({ error: "no" }, { status: 400 })), plain);
  assert.equal(await refusalOf(new Response("<h1>No</h1>", { status: 403 })), plain);
});
