/** When a composed go is sent. The one place where a setting such as "ask me first" would stand. */

import { isComplete } from "./path.js";

export const SEND = {
  /** With the choice of its last square. */
  atOnce: (hand) => isComplete(hand),
};

export const sendPolicy = SEND.atOnce;
