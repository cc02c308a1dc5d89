// Colyseus: by its own SDK.

import { written, squaresOf } from "../peers/board.mjs";
import { packages } from "./dial.mjs";

const { Client } = packages("@colyseus/sdk");
const rooms = new Map(); // by table: the number of the room, made by white

/** The room of a table. White makes it, all others wait for that. */
async function enter({ base, table }, role) {
  const client = new Client(base.replace("http", "ws"));
  if (!rooms.has(table)) {
    const made = {};
    made.number = new Promise((done) => (made.tell = done));
    rooms.set(table, made);
  }
  if (role !== "white") return client.joinById(await rooms.get(table).number, { role });
  const room = await client.create("amazons", { role });
  rooms.get(table).tell(room.roomId);
  return room;
}

export async function open(place, role, hear) {
  const room = await enter(place, role);
  let asked = Infinity;
  room.onStateChange((state) => {
    if (state.step > asked) {
      asked = Infinity;
      hear.onReceipt();
    }
    hear.onState(state.step);
  });
  room.onMessage("refused", (step) => hear.onFault(`refused in turn ${step}`));
  room.onMessage("*", () => {});
  room.onError((code, text) => hear.onFault(`${code} ${text}`));
  const gone = (code) => hear.onFault(`a room was closed: ${code}`);
  room.onLeave(gone);
  return {
    act(step, action) {
      asked = step;
      room.send(action.slice(0, 4), squaresOf(action));
    },
    position: () => ({ board: written([...room.state.cells]), step: room.state.step }),
    close() {
      room.onLeave.remove(gone);
      room.leave(false);
    },
  };
}
