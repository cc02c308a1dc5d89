// boardgame.io: its lobby over HTTP, and Socket.IO's frames on one websocket, written by hand.

import { written, squaresOf } from "../peers/board.mjs";
import { dial } from "./dial.mjs";

const PLAYERS = { white: "0", black: "1" };
const STEP = /"_stateID":(\d+)/;
const matches = new Map(); // by table: the match, made when somebody first asks for it

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function matchOf({ base, table }) {
  const make = async () => (await post(`${base}/games/amazons/create`, { numPlayers: 2 })).matchID;
  if (!matches.has(table)) matches.set(table, make());
  return matches.get(table);
}

async function credentialsOf({ base }, match, playerID) {
  const url = `${base}/games/amazons/${match}/join`;
  return (await post(url, { playerID, playerName: `player ${playerID}` })).playerCredentials;
}

export async function open(place, role, hear) {
  const match = await matchOf(place);
  const playerID = PLAYERS[role] ?? null;
  const credentials = playerID === null ? undefined : await credentialsOf(place, match, playerID);
  let newest = null;
  let asked = Infinity;
  const url = `${place.base.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  const emit = (socket, ...event) => socket.send(`42/amazons,${JSON.stringify(event)}`);
  const socket = await dial({ url, origin: place.base }, (frame, socket) => {
    const text = frame.toString("latin1");
    if (text === "2") socket.send("3"); // a heartbeat
    else if (text.startsWith("0")) socket.send("40/amazons,");
    else if (text.startsWith("40")) emit(socket, "sync", match, playerID, credentials, 2);
    else if (/^42\/amazons,\["(sync|update)"/.test(text)) {
      newest = frame;
      const step = Number(STEP.exec(text)[1]);
      if (step > asked) {
        asked = Infinity;
        hear.onReceipt();
      }
      hear.onState(step);
    } else if (!text.startsWith('42/amazons,["matchData"')) hear.onFault(text);
  }, hear.onFault);
  return {
    act(step, action) {
      asked = step;
      const payload = { type: action.slice(0, 4), args: squaresOf(action), playerID, credentials };
      emit(socket, "update", { type: "MAKE_MOVE", payload }, step, match, playerID);
    },
    position() {
      const [kind, , told] = JSON.parse(newest.toString().slice("42/amazons,".length));
      const state = kind === "sync" ? told.state : told;
      return { board: written(state.G.cells), step: state._stateID };
    },
    close: () => socket.terminate(),
  };
}
