// Colyseus 0.18 as its documentation has it: a room with a schema, messages, seats by session. With
// "at-once" the state is sent after each action, otherwise every 50 ms, which is its default.

import { createRequire } from "node:module";
import { burn, canMove, isOpen, mayMove, move, start } from "./board.mjs";

const packages = createRequire(`${process.env.QUIVER_BENCH_PACKAGES}/`);
const { Room, Server } = packages("@colyseus/core");
const { WebSocketTransport } = packages("@colyseus/ws-transport");
const { schema, t } = packages("@colyseus/schema");
const [port, rate] = process.argv.slice(2);
const SIDES = { white: "W", black: "B" };
const OTHER = { white: "black", black: "white" };

const State = schema({
  cells: t.array("string"),
  step: t.uint16(),
  toMove: t.string(),
  moved: t.int8(),
  winner: t.string(),
}, "State");

class Amazons extends Room {
  maxClients = Infinity;
  seats = new Map(); // sessions by role

  onCreate() {
    this.state = new State().assign({ step: 0, toMove: "white", moved: -1, winner: "" });
    this.state.cells.push(...start());
    if (rate === "at-once") this.patchRate = null;
    this.onMessage("move", (client, [from, to]) => this.act(client, () => this.move(from, to)));
    this.onMessage("fire", (client, [square]) => this.act(client, () => this.fire(square)));
  }

  onJoin(client, { role }) {
    if (role in SIDES && !this.seats.has(role)) this.seats.set(role, client.sessionId);
  }

  act(client, change) {
    const { state } = this;
    const isSeated = this.seats.get(state.toMove) === client.sessionId;
    if (state.winner || !isSeated || !change()) {
      client.send("refused", state.step);
      return;
    }
    state.step += 1;
    if (rate === "at-once") this.broadcastPatch();
  }

  move(from, to) {
    const { state } = this;
    if (state.moved >= 0 || !mayMove(state.cells, SIDES[state.toMove], from, to)) return false;
    move(state.cells, from, to);
    state.moved = to;
    return true;
  }

  fire(square) {
    const { state } = this;
    if (state.moved < 0 || !isOpen(state.cells, state.moved, square)) return false;
    burn(state.cells, square);
    const mover = state.toMove;
    Object.assign(state, { moved: -1, toMove: OTHER[mover] });
    if (!canMove(state.cells, SIDES[OTHER[mover]])) state.winner = mover;
    return true;
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("amazons", Amazons);
await server.listen(Number(port), "127.0.0.1");
