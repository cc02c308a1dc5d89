import assert from "node:assert/strict";
import test from "node:test";

import {
  amazonsRemark,
  captureReasons,
  remarkOf,
  roundRemark,
} from "../../../static/js/teach/remarks.js";

const take = (role, squares, jaws) => ({ kind: "remove", role, squares, jaws, axis: "row" });
const slide = (role, start, end) => ({ kind: "slide", role, start, end });
const step = (role, ...effects) => ({ n: 0, turn: 3, role, effects, text: {} });
const SEATS = { white: { name: "Ada" }, black: { name: "Bob" } };

test("a capture is told with what held it", () => {
  const reasons = (...effects) => captureReasons([step("white", ...effects)]);
  assert.deepEqual(reasons(take("black", ["a1"], ["wall", "b1"])), [
    "The circle on a1 was caught between the wall and b1.",
  ]);
  assert.deepEqual(reasons(take("white", ["c2", "d2"], ["b2", "e2"])), [
    "The triangles on c2 and d2 were caught between b2 and e2.",
  ]);
  assert.deepEqual(reasons(slide("white", "a1", "a2")), []);
});

test("a piece that is held in its row and its column is told of once", () => {
  const twice = [take("black", ["c3"], ["b3", "d3"]), take("black", ["c3"], ["c2", "c4"])];
  assert.equal(captureReasons([step("white", ...twice)]).length, 1);
  const more = [take("black", ["c3"], ["b3", "d3"]), take("black", ["c3", "c4"], ["c2", "wall"])];
  assert.equal(captureReasons([step("white", ...more)]).length, 2);
});

const boardOf = (...rows) => ({
  board: rows.join("/"),
  width: rows[0].length,
  height: rows.length,
  turns: 9,
});
const shot = (role, start, end, at) =>
  step(role, slide(role, start, end), { kind: "place", role, start: end, at });

test("an amazon that has lost its room is named with the squares that it has left", () => {
  const shut = boardOf("B.x..", ".xx..", "xx...", "...W.", ".....");
  assert.equal(
    amazonsRemark(shut, [shot("white", "d1", "d2", "c4")]),
    "Black’s amazon on a5 has 2 squares left.",
  );
  const stuck = boardOf("Bxx..", "xxx..", ".....", "...W.", ".....");
  assert.equal(
    amazonsRemark(stuck, [shot("white", "d1", "d2", "b4")]),
    "Black’s amazon on a5 cannot move.",
  );
});

test("squares that one side alone can reach now are news", () => {
  const room = boardOf("W.x.B", "..x..", "..x..", "..x..", "..x..");
  assert.equal(
    amazonsRemark(room, [shot("white", "b5", "a5", "c3")]),
    "Only White’s amazons can reach 9 squares now.",
  );
});

test("nothing is said where nothing has changed", () => {
  const open = boardOf("W...B", ".....", ".....", "..x..", ".....");
  assert.equal(amazonsRemark(open, [shot("white", "a4", "a5", "c2")]), "");
});

test("a round is told by the fields that each has won, and only when it was revealed", () => {
  const count = (field, white, black) => ({
    kind: "count",
    field,
    troops: { white, black },
    points: { white: 1 + Math.sign(white - black), black: 1 + Math.sign(black - white) },
  });
  const round = [step("white", count(0, 5, 2), count(1, 3, 6), count(2, 2, 2))];
  assert.equal(roundRemark(round, SEATS), "Ada took Hill. Bob took Ford.");
  assert.equal(roundRemark([step("white", count(0, 3, 3))], SEATS), "All fields were level.");
  const snapshot = { key: "blotto", view: { fields: 3 }, status: "live", you: null, seats: SEATS };
  assert.equal(remarkOf({ ...snapshot, last: round }), "Ada took Hill. Bob took Ford.");
  assert.equal(remarkOf({ ...snapshot, last: [] }), "");
  assert.equal(remarkOf({ ...snapshot, last: round, you: "white" }), "");
});

const PINCER = {
  key: "pincer",
  status: "live",
  seats: SEATS,
  view: { ...boardOf(".....", ".....", "W....", ".....", "W.BB."), to_move: "white", step: 1 },
};

test("spectators of Pincer are told what can be taken next, players are not", () => {
  const last = [step("black", slide("black", "d2", "d1"))];
  assert.equal(remarkOf({ ...PINCER, you: null, last }), "");
  const wall = { ...PINCER.view, board: PINCER.view.board.replace("W.BB.", "W..BB") };
  assert.equal(remarkOf({ ...PINCER, view: wall, you: null, last }), "");
  const near = { ...PINCER.view, board: PINCER.view.board.replace("W.BB.", ".W.BB") };
  assert.equal(
    remarkOf({ ...PINCER, view: near, you: null, last }),
    "Triangles can take d1 and e1 with one step.",
  );
  assert.equal(remarkOf({ ...PINCER, view: near, you: "white", last }), "");
});

test("a capture is told to players and spectators, and after the end the result says all", () => {
  const last = [step("black", slide("black", "d2", "d1"), take("white", ["e1"], ["d1", "wall"]))];
  const said = "The triangle on e1 was caught between the wall and d1.";
  for (const you of [null, "white", "black"])
    assert.equal(remarkOf({ ...PINCER, you, last }), said);
  assert.equal(remarkOf({ ...PINCER, you: null, last, status: "over" }), "");
});

test("players of Amazons get no remark, and nobody before the shot", () => {
  const view = boardOf("Bxx..", "xxx..", ".....", "...W.", ".....");
  const last = [shot("white", "d1", "d2", "b4")];
  const game = { key: "amazons-8x8", view, last, status: "live", seats: SEATS };
  assert.notEqual(remarkOf({ ...game, you: null }), "");
  assert.equal(remarkOf({ ...game, you: "white" }), "");
  assert.equal(remarkOf({ ...game, you: null, view: { ...view, step: "fire" } }), "");
});
