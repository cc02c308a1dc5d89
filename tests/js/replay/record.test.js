import assert from "node:assert/strict";
import test from "node:test";
import { GameRecord } from "../../../static/js/replay/record.js";

test("a record keeps each step once and knows what it lacks", () => {
  const record = new GameRecord([{ n: 0, effects: [] }]);
  assert.deepEqual(
    record
      .add([
        { n: 3, effects: [] },
        { n: 0, effects: [] },
      ])
      .map(({ n }) => n),
    [3],
  );
  assert.equal(record.firstGap(4), 1);
  record.add([
    { n: 1, effects: [] },
    { n: 2, effects: [] },
  ]);
  assert.equal(record.firstGap(4), null);
});
