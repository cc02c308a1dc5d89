/** Requests about studies, and the nodes of a study as they are sent. */

import { find } from "../lib/dom.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";

const NOT_FOUND = 404;
const CONFLICT = 409;
const TOO_MANY = 429;
const FORBIDDEN = 403;

/**
 * The turns of a tree as they are stored: without positions, an empty comment or mark left out.
 *
 * @param {readonly AnalysisNode[]} nodes
 * @returns {StudyNode[]}
 */
export const studyNodes = (nodes) =>
  nodes.map(({ parent, actions, comment, mark }) => ({
    parent,
    actions,
    ...(comment ? { comment } : {}),
    ...(mark ? { mark } : {}),
  }));

/**
 * Posts JSON and returns the outcome; `isFinal` of a failure says that a repetition is no use.
 *
 * @param {string} url
 * @param {string} body
 * @returns {Promise<StudyReply>}
 */
export async function postStudy(url, body) {
  const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"))
    .value;
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "X-CSRFToken": token,
  };
  try {
    return await replyOf(await fetch(url, { method: "POST", headers, body }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { failed: untilReconnect(t("Not connected.")), isFinal: false };
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<StudyReply>}
 */
async function replyOf(answer) {
  const isJson = answer.headers.get("Content-Type") === "application/json";
  const found = isJson ? await answer.json() : {};
  if (answer.ok) return { done: found };
  if (answer.status === CONFLICT && found.conflict) return { conflict: found.conflict };
  if (answer.status === TOO_MANY)
    return { failed: t("Too many requests. Try again in a few minutes."), isFinal: false };
  if (found.refused) return { failed: found.refused.say, isFinal: true };
  if (answer.status === NOT_FOUND)
    return { failed: t("This study isn’t there any more."), isFinal: true };
  if (answer.status === FORBIDDEN) return { failed: t("Sign in again to save."), isFinal: true };
  return { failed: t("The server has a problem."), isFinal: false };
}

/**
 * The positions on the line of a turn of a public study; `changed`: the study is at another rev.
 *
 * Asked without cookies, so that a frame of another site and a page of its own get the same.
 *
 * @param {string} url
 * @param {number} rev
 * @param {number} at
 * @returns {Promise<LineReply>}
 */
export async function fetchLine(url, rev, at) {
  const query = new URLSearchParams({ rev: String(rev), at: String(at) });
  try {
    const answer = await fetch(`${url}?${query}`, { credentials: "omit" });
    if (answer.ok) return await answer.json();
    if (answer.status === CONFLICT) return { changed: true };
    if (answer.status === TOO_MANY)
      return { failed: t("Too many requests. Try again in a few minutes.") };
    if (answer.status === NOT_FOUND)
      return { failed: t("This study isn’t shared with you any more.") };
    return { failed: t("The server has a problem.") };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { failed: untilReconnect(t("Not connected.")) };
  }
}

/**
 * The study as it is on the server; null if it cannot be had now.
 *
 * @param {string} slug
 * @returns {Promise<StudyFile | null>}
 */
export async function fetchStudy(slug) {
  try {
    const answer = await fetch(`/study/${slug}.json`);
    return answer.ok ? await answer.json() : null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}
