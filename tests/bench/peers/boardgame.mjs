// boardgame.io 0.50 as its documentation has it: a game object, matches by its lobby, its SocketIO
// transport, its own storage in memory, credentials that its lobby gives out.

import { createRequire } from "node:module";
import { burn, canMove, isOpen, mayMove, move, start } from "./board.mjs";

const packages = createRequire(`${process.env.QUIVER_BENCH_PACKAGES}/`);
const { Server } = packages("boardgame.io/server");
const { INVALID_MOVE } = packages("boardgame.io/core");
const SIDES = ["W", "B"]; // of the players "0" and "1"

const Amazons = {
  name: "amazons",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: () => ({ cells: start(), moved: null, next: 0 }),
  turn: { minMoves: 2, maxMoves: 2 },
  moves: {
    move({ G, playerID }, from, to) {
      if (G.moved !== null) return INVALID_MOVE;
      if (!mayMove(G.cells, SIDES[playerID], from, to)) return INVALID_MOVE;
      move(G.cells, from, to);
      G.moved = to;
    },
    fire({ G }, square) {
      if (G.moved === null || !isOpen(G.cells, G.moved, square)) return INVALID_MOVE;
      burn(G.cells, square);
      G.moved = null;
      G.next = 1 - G.next;
    },
  },
  // Asked after the second action of a turn, and again when the next turn has begun: then
  // `ctx.playOrderPos` is already the next player, so whoever is to act is kept in G.
  endIf({ G: { cells, moved, next } }) {
    if (moved === null && !canMove(cells, SIDES[next])) return { winner: String(1 - next) };
  },
};

Server({ games: [Amazons], origins: [/127\.0\.0\.1/] }).run(Number(process.argv[2]));
