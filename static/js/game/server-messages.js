/** Messages of the server to the game page: newer snapshots, receipts, refusals. */

import { loadLater } from "../lib/dom.js";
import { EXPLAIN_ID, OUTCOMES } from "../lib/pending-requests.js";
import { isSoundOn, playSounds } from "../lib/sounds.js";
import { t } from "../lib/text.js";
import { describeChange } from "./announcer.js";

/** @typedef {import("./game-page.js").Game} Game */

const withTurnSounds = loadLater(
  () => import("../sounds/turn-sounds.js"),
  (sounds) => sounds,
);

if (isSoundOn()) withTurnSounds(() => {});

/**
 * @param {Game} game
 * @param {Wire.Snapshot} next
 */
function receiveSnapshot(game, next) {
  const before = game.snapshot;
  if (next.rev < before.rev) return;
  if (next.you !== before.you) {
    location.reload(); // the session is another one: this page belongs to somebody else
    return;
  }
  game.time.observe(next.now);
  game.snapshot = next;
  const draftAfterUndo = (next.takebacks ?? 0) !== (before.takebacks ?? 0);
  if (draftAfterUndo) handleTakeback(game, next);
  const fresh = game.record.add(next.last);
  const exact = !draftAfterUndo && fresh.length > 0 && fresh.length === next.step - before.step;
  const same = !draftAfterUndo && next.step === before.step;
  const sealed = next.your_seal && !before.your_seal;
  const own = game.sentStep === before.step && fresh.every(({ role }) => role === next.you);
  if (!same || sealed) game.settle();
  game.replay.updateCount();
  game.show(next, { steps: exact ? fresh : null, same, own });
  const seen = draftAfterUndo ? [] : fresh;
  if (isSoundOn())
    withTurnSounds(({ turnSounds }) => playSounds(turnSounds(seen, { own, you: next.you })));
  game.gate.whenTold(() => announceChange(game, before, next, seen));
  game.fetcher.fill();
}

/**
 * Steps after a takeback have numbers that were used before: the record is fetched anew.
 *
 * @param {Game} game
 * @param {Wire.Snapshot} snapshot
 */
function handleTakeback(game, { step }) {
  game.sentStep = null;
  game.record.cut(step);
  game.record.isOld = true;
}

/**
 * Says what has changed, and sounds the end of the game.
 *
 * @param {Game} game
 * @param {Wire.Snapshot} before
 * @param {Wire.Snapshot} next
 * @param {Wire.ResolvedStep[]} fresh
 */
function announceChange(game, before, next, fresh) {
  const news = describeChange(before, next, fresh);
  if (news.answer) game.panel.notices.show("told", [news.answer, ""], { passing: true });
  if (news.away) game.panel.notices.show("away", news.away, { passing: true });
  if (news.begins) game.sendStatus.forget();
  const sayAll = () => game.announcer.say([...news.said, game.sentence].join(" "));
  if (news.ends || news.begins) sayAll();
  else if (news.said.length > 0) game.announcer.say(news.said.join(" "));
  if (news.ends && isSoundOn()) withTurnSounds(({ endSounds }) => playSounds(endSounds(next)));
}

/**
 * Sends a request again that may have been saved, under the same id, which does nothing twice.
 *
 * @param {Game} game
 * @param {Wire.Reply} reply
 */
function askAgain(game, { id }) {
  if (!id) return false;
  const wait = game.requests.nextDelay(id);
  if (wait === null) return false;
  setTimeout(
    () => game.requests.withId(id).forEach((message) => game.connection.send(message)),
    wait,
  );
  return true;
}

/**
 * @param {Game} game
 * @param {Wire.Receipt | Wire.Refusal} reply
 */
function receiveReply(game, reply) {
  if (reply.id?.startsWith(EXPLAIN_ID)) return; // no answer to a wrong click: it has been shaken
  if (reply.t === "refused" && reply.reason === "unsure" && askAgain(game, reply)) return;
  const answer = game.requests.answer(reply);
  const act = answer?.request.message.t === "act";
  if (reply.t === "receipt") game.receipts.keep(reply);
  if (answer?.request.message.t === "shown") return; // nobody has asked for it
  if (reply.t === "receipt" && reply.refused_claims !== undefined) {
    const number = reply.refused_claims;
    game.later.refusals(({ claimRefusal }) => tellRefusal(game, [claimRefusal(number), ""]));
  } else if (reply.t === "refused") showRefusal(game, reply, answer);
  else if (answer?.outcome === OUTCOMES.done) {
    const words = [t("That’s already done."), t("It arrived before the connection was lost.")];
    game.panel.notices.show("told", words, { passing: true });
    if (act) game.sendStatus.tell("done", answer.request.text);
  } else if (act) game.sendStatus.forget();
}

/**
 * @param {Game} game
 * @param {Wire.Refusal} reply
 * @param {Answer} answer
 */
function showRefusal(game, reply, answer) {
  const { you, control, status } = game.snapshot;
  const act = answer?.request.message.t === "act";
  const mine = act && status === "live" && you !== null && control.includes(you);
  if (act) {
    game.settle();
    game.surface.refuse(reply.squares ?? []);
    game.show(game.snapshot, { steps: null, same: true, own: false });
    game.sendStatus.tell("refused", answer.request.text);
  }
  game.later.refusals(({ refusalSentence, refusedTurnNotice }) => {
    tellRefusal(game, act ? refusedTurnNotice(reply, mine) : [refusalSentence(reply), ""]);
  });
}

/**
 * @param {Game} game
 * @param {string[]} words
 */
function tellRefusal(game, words) {
  game.panel.notices.show("refused", words, { passing: true });
  game.announcer.sayNow(words.join(" ").trim());
}

/**
 * Handles a message of the socket; kinds that this page does not know are ignored.
 *
 * @param {Game} game
 * @param {Wire.GameMessage} message
 * @param {number} [trip] the round trip in ms, for a pong
 */
export function handleMessage(game, message, trip) {
  if (message.t === "game") receiveSnapshot(game, message);
  else if (message.t === "plan") {
    game.surface.premoves?.receiveOptions(message);
  } else if (message.t === "explained") game.later.explainer((part) => part.receive(message));
  else if (message.t === "people") {
    game.panel.showPeople(message);
    if (message.claim) game.later.ends(() => {});
  } else if (message.t === "receipt" || message.t === "refused") receiveReply(game, message);
  else if (message.t === "anew") location.reload();
  else if (message.t === "pong") game.time.observe(message.now, trip);
}
