/** The video of an ended game: the page plays the game on a canvas and records it meanwhile. */

import { drawThumbnail } from "../game/thumbnail.js";
import { makeElement, pause, whenVisible } from "../lib/dom.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";
import { pastPosition } from "../replay/record.js";

/** @typedef {{ record: import("../replay/record.js").GameRecord, fetcher: import("../replay/record.js").StepFetcher }} Source */
/** @typedef {{ key: string, file: string, signal: AbortSignal }} Video the signal: nobody wants it any more */

const TURN_MS = 600;

const MAX_TURNS_MS = 40_000; // of all turns: in a long game each is shown more briefly

const END_TURNS = 5; // the last position stays for as long as so many turns

/**
 * Plays all turns; returns the recording, or null if it broke off. The record has all positions.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Source & Video} options
 * @returns {Promise<Blob | null>}
 */
async function recordTurns(canvas, { record, key, signal }) {
  const turns = record.turns();
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: "video/webm" });
  /** @type {Promise<Blob>} */
  const recorded = new Promise((done) => {
    recorder.addEventListener("dataavailable", ({ data }) => done(data));
  });
  recorder.start();
  for (let at = 0; at < turns.length + END_TURNS && recorder.state !== "inactive"; at += 1) {
    if (document.hidden) {
      recorder.pause();
      await whenVisible();
      if (recorder.state === "paused") recorder.resume(); // an error has ended it otherwise
    }
    const position = pastPosition(turns, record.start, Math.min(at, turns.length));
    if (position) drawThumbnail(canvas, { key, ...position });
    await pause(Math.min(TURN_MS, MAX_TURNS_MS / turns.length));
    if (signal.aborted) return null;
  }
  if (recorder.state === "inactive") return null;
  recorder.stop();
  return recorded;
}

/**
 * Fills `slot` with the button that records, and then with the link that saves the file.
 *
 * @param {HTMLElement} slot
 * @param {Source & Video} options
 */
export function offerVideo(slot, options) {
  const name = t("Video of the game");
  const label = { role: "img", "aria-label": name, hidden: "" };
  const canvas = /** @type {HTMLCanvasElement} */ (makeElement("canvas", "", label));
  const button = makeElement("button", "text-button", { type: "button" }, name);
  const status = makeElement("p", "small", { role: "status" });
  slot.append(button, status, canvas);
  button.addEventListener("click", async () => {
    if (!canvas.hidden) return;
    canvas.hidden = false;
    status.textContent = t("Recording while it plays…");
    canvas.scrollIntoView({ block: "nearest" });
    const isKnown = await options.fetcher.fill(true);
    const video = isKnown ? await recordTurns(canvas, options) : null;
    canvas.hidden = video === null;
    if (isKnown) status.textContent = video ? "" : t("The video couldn’t be recorded.");
    else status.textContent = untilReconnect(t("Not connected. Try again in a moment."));
    if (video === null) return;
    const href = URL.createObjectURL(video);
    options.signal.addEventListener("abort", () => URL.revokeObjectURL(href));
    const link = makeElement("a", "", { href, download: options.file }, t("Save the video"));
    button.replaceWith(link);
    link.focus();
  });
}
