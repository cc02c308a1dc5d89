// The tutorial's way: games over HTTP, JSON frames.

import { dial } from "./dial.mjs";

const STEP = /"step": ?(\d+)/;
const games = new Map(); // by table

function gameOf({ base, table }) {
  const make = async () => (await fetch(`${base}/games/`)).json();
  if (!games.has(table)) games.set(table, make());
  return games.get(table);
}

export async function open(place, role, hear) {
  const game = await gameOf(place);
  let newest = null;
  let asked = Infinity;
  const url = `${place.base.replace("http", "ws")}/ws/${game.pk}/`;
  const socket = await dial({ url, origin: place.base }, (frame) => {
    const text = frame.toString("latin1");
    if (!text.startsWith('{"type": "game.state"')) {
      hear.onFault(text);
      return;
    }
    newest = frame;
    const step = Number(STEP.exec(text)[1]);
    if (step > asked) {
      asked = Infinity;
      hear.onReceipt();
    }
    hear.onState(step);
  }, hear.onFault);
  return {
    act(step, action) {
      asked = step;
      socket.send(JSON.stringify({ step, action, token: game[role] }));
    },
    position() {
      const state = JSON.parse(newest.toString());
      return { board: state.view.board, step: state.step };
    },
    close: () => socket.terminate(),
  };
}
