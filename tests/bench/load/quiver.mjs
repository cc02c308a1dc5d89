// Our own site: JSON frames, states with a step, receipts; a page subscribes, and beats.

import { dial } from "./dial.mjs";

const BEAT = 25_000; // ms, as in static/js/lib/heartbeat.js
const HEAD = 400; // bytes in which `step` and `rev` stand
const STEP = /"step":(\d+)/;
const REV = /"rev":(\d+)/;
const KIND = /"t":"([a-z]+)"/; // stands behind the topic, which is first
const ASIDE = ["pong", "people"]; // other messages to a page

/** Frames that a seat may send: the site allows 40 a second, and 120 at once. */
export const pace = { rate: 38, burst: 110 };

/**
 * Opens a line of a seat or a spectator. `hear` has onState(step), onReceipt(), onFault(text).
 */
export async function open(place, role, hear) {
  let rev = -1;
  let newest = null;
  let count = 0;
  const socket = await dial(place, (frame) => {
    const head = frame.toString("latin1", 0, HEAD);
    const kind = KIND.exec(head)[1];
    if (kind === "game") {
      newest = frame;
      rev = numbered(REV, head, frame);
      hear.onState(numbered(STEP, head, frame));
    } else if (kind === "receipt") {
      hear.onReceipt();
    } else if (!ASIDE.includes(kind)) {
      hear.onFault(`${role}: ${head}`);
    }
  }, hear.onFault);
  const topic = `"game:${/\/ws\/g\/([^/]+)\//.exec(place.url)[1]}"`;
  const beat = setInterval(() => socket.send(`{"t":"ping","revs":{${topic}:${rev}}}`), BEAT);
  socket.send(`{"t":"subscribe","topic":${topic},"rev":-1}`);
  return {
    act(step, action) {
      count += 1;
      socket.send(`{"t":"act","topic":${topic},"id":"a-${step}-${count}","step":${step},"actions":["${action}"]}`);
    },
    position() {
      const state = JSON.parse(newest.toString());
      return { board: state.view.board, step: state.step, rev: state.rev };
    },
    close() {
      clearInterval(beat);
      socket.terminate();
    },
  };
}

/** A number in a frame, usually near its head. */
const numbered = (field, head, frame) => Number((field.exec(head) ?? field.exec(frame))[1]);
