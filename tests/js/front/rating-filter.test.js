import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { hidden: false, getElementById: () => null, addEventListener() {} };

const { isNear, noteText } = await import("../../../static/js/front/rating-filter.js");

const OWN = { "pincer/live": 1700 };

test("a host is near at 200 points, in the same pool", () => {
  const near = [1500, 1700, 1900].map((points) => isNear({ pool: "pincer/live", points }, OWN));
  assert.deepEqual(near, [true, true, true]);
  const far = [1499, 1901].map((points) => isNear({ pool: "pincer/live", points }, OWN));
  assert.deepEqual(far, [false, false]);
});

test("where one of the two has no rating, the game is shown", () => {
  assert.equal(isNear({ pool: "pincer/live", points: null }, OWN), true);
  assert.equal(isNear({ pool: "blotto/live", points: 3000 }, OWN), true);
  assert.equal(isNear({ pool: "pincer/live", points: 3000 }, {}), true);
});

test("what is hidden is counted", () => {
  assert.equal(noteText(OWN, 0), "");
  assert.equal(noteText(OWN, 1), "1 open game isn’t near your rating.");
  assert.equal(noteText(OWN, 3), "3 open games aren’t near your rating.");
  assert.equal(noteText({}, 0), "You have no rating yet, so all games are shown.");
});
