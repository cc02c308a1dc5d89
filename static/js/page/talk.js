/** Talk beside the moves. */

import { onSettings, setting } from "../settings.js";
import { startTalk } from "../talk/talk.js";

/** Talk has a tab, which counts what has not been read; both go where talk is not wanted. */
export function joinTalk(slot, tabs) {
  const talk = slot.querySelector(".talk");
  if (!talk) return;
  talk.addEventListener("talk-news", ({ detail }) => tabs.count("talk", detail.unread));
  const allow = () => tabs.allow("talk", setting("talk") === "on");
  startTalk(talk);
  onSettings(allow);
  allow();
}
