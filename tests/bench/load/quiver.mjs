// Our own site: JSON frames, states with a turn, receipts; a page says hello, and beats.

import { dial } from "./dial.mjs";

const BEAT = 2000; // ms, as in static/js/socket.js
const HEAD = 400; // bytes in which `turn` and `rev` stand
const TURN = /"turn":(\d+)/;
const REV = /"rev":(\d+)/;
const ASIDE = /^\{"t":"(pong|people)"/; // what a page is told besides

/** Frames that a seat may send: the site allows 40 a second, and 120 at once. */
export const pace = { rate: 38, burst: 110 };

/**
 * Opens a line of a seat or a spectator. `hear` has onState(turn), onReceipt(), onFault(text).
 */
export async function open(place, role, hear) {
  let rev = -1;
  let newest = null;
  let count = 0;
  const socket = await dial(place, (frame) => {
    const head = frame.toString("latin1", 0, HEAD);
    if (head.startsWith('{"t":"game"')) {
      newest = frame;
      rev = numbered(REV, head, frame);
      hear.onState(numbered(TURN, head, frame));
    } else if (head.startsWith('{"t":"receipt"')) {
      hear.onReceipt();
    } else if (!ASIDE.test(head)) {
      hear.onFault(`${role}: ${head}`);
    }
  }, hear.onFault);
  const beat = setInterval(() => socket.send(`{"t":"ping","rev":${rev}}`), BEAT);
  socket.send('{"t":"hello","rev":-1}');
  return {
    act(turn, action) {
      count += 1;
      socket.send(`{"t":"act","id":"a-${turn}-${count}","turn":${turn},"actions":["${action}"]}`);
    },
    position() {
      const state = JSON.parse(newest.toString());
      return { board: state.view.board, turn: state.turn, rev: state.rev };
    },
    close() {
      clearInterval(beat);
      socket.terminate();
    },
  };
}

/** A number near the head of a frame, or wherever it is. */
const numbered = (field, head, frame) => Number((field.exec(head) ?? field.exec(frame))[1]);
