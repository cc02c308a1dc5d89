/** Texts of the chat panel: audiences, refusals, authors, lengths, counts, phrases. Pure. */

import { t, tn } from "../lib/text.js";

/** The length of a line. */
export const MAX_LENGTH = 200;

/** From so many characters left on, they are counted. */
const COUNTED_FROM = 40;

/** @type {Record<string, string>} */
const AUDIENCE_TEXTS = {
  lobby: t("Everyone in this lobby can read this."),
  players: t("Only the two of you can read this."),
  players_now: t("Only the players can read this until the game ends."),
  watchers_now: t("Only spectators can read this until the game ends."),
  everybody: t("The game is over: everyone can read this."),
};

/** @type {Record<string, string>} */
const REFUSAL_TEXTS = {
  off: t("Chat is off on this site."),
  not_watchable: t("Only the two players can follow this game."),
  stranger: t("Pick a name first."),
  silenced: t("You’ve been muted by a moderator."),
  guest: t("Guests can use quick chat."),
  new: t("New accounts can only use quick chat for the first hour."),
  playing: t("Your game has started. The chat continues there."),
  closed: t("This lobby is closed."),
  empty: t("Your message is empty."),
  too_long: t("That’s longer than 200 characters."),
  too_fast: t("Too fast. Wait a few seconds."),
  same: t("You’ve already said that twice."),
  no_phrase: t("You can’t send that message here."),
  no_line: t("That message no longer exists."),
  nobody: t("No one has that name."),
  yourself: t("That’s you."),
  too_many: t("That’s too many for now. Try again later."),
  computer: t("You can’t do that with a computer player."),
  unavailable: t("You can’t chat here."),
  busy: t("Not saved. Try again."),
  slow_down: t("Too many messages. Wait a moment."),
  gone: t("This page no longer exists."),
};

/** The reasons for a report: pairs of key and words. */
export const REASONS = [
  ["insult", t("Insulting")],
  ["spam", t("Spam")],
  ["moves", t("Suggests moves")],
  ["other", t("Something else")],
];

/** @type {Record<string, string>} */
const REPORT_STATES = {
  open: t("Your report: waiting for a moderator."),
  acted: t("Your report: action taken."),
  dismissed: t("Your report: no action taken."),
};

/**
 * Returns the audience of the chat; `alone`: the opponent is a computer player, which reads nothing.
 *
 * @param {string} heard
 */
export function audienceText(heard, alone = false) {
  if (alone && heard.startsWith("players")) return t("The computer doesn’t chat.");
  return AUDIENCE_TEXTS[heard] ?? "";
}

/**
 * Returns the text of a refusal; the server's own where its reason is not known here.
 *
 * @param {string} reason
 * @param {string} [say]
 */
export function refusalText(reason, say = "") {
  return REFUSAL_TEXTS[reason] ?? say;
}

/**
 * Returns why somebody may not write freely; `spell` formats the moment at which that ends.
 *
 * @param {Wire.ShownRight} may
 * @param {(at: number) => string} spell
 */
export function silencedText(may, spell) {
  if (may.why !== "silenced" || may.until === null) return refusalText(may.why);
  return t("A moderator has muted you until {time}.", { time: spell(may.until) });
}

/**
 * Returns the text for the state of a report.
 *
 * @param {string} state
 */
export function reportStateText(state) {
  return REPORT_STATES[state] ?? "";
}

/**
 * Returns the tag beside a name: spectator or host.
 *
 * @param {Wire.ShownLine} line
 * @param {string} heard
 */
export function authorTag({ role, circle }, heard) {
  if (heard === "lobby") return role === "host" ? t("host") : "";
  return heard === "everybody" && circle === "watchers" ? t("spectator") : "";
}

/**
 * The name of a line's author.
 *
 * @param {Wire.ShownLine} line
 */
export function authorName({ by }) {
  return by ?? t("deleted user");
}

/**
 * The length of a text in characters: blanks count once, none at the ends. The server, which drops
 * some, counts no more; `lib/plain-text.js` does the same, but is too large for the page of a game.
 *
 * @param {string} text
 */
export function textLength(text) {
  return [...text.normalize("NFC").replace(/\s+/gu, " ").trim()].length;
}

/**
 * Returns how many characters are left; empty while there are plenty.
 *
 * @param {string} text
 */
export function lengthLeftText(text) {
  const left = MAX_LENGTH - textLength(text);
  if (left > COUNTED_FROM) return "";
  return left >= 0
    ? tn("{count} left", "{count} left", left)
    : tn("{count} too many", "{count} too many", -left);
}

/** @param {number} count */
export function unreadText(count) {
  return tn("{count} new", "{count} new", count);
}

/**
 * Returns how many are muted or were reported; empty if nobody.
 *
 * @param {Wire.ChatState} frame
 */
export function ownReportsText({ muted, reports }) {
  if (muted.length > 0) return tn("{count} muted", "{count} muted", muted.length);
  return reports.length > 0 ? tn("Your report", "Your {count} reports", reports.length) : "";
}

/** The phrases that everybody may send with one press; the server has the same keys (chat/phrases.py). */

/** @type {Record<string, string>} */
const PHRASES = {
  hello: t("Hello"),
  luck: t("Good luck"),
  welcome: t("Welcome"),
  ready: t("I’m ready"),
  moment: t("Just a moment"),
  friend: t("I’m waiting for a friend"),
  sides: t("Shall we swap sides?"),
  clock: t("Shall we change the clock?"),
  which: t("Which game shall we play?"),
  yes: t("Yes"),
  no: t("No, thanks"),
  thanks: t("Thank you"),
  sorry: t("Sorry"),
  back: t("I’m back"),
  move: t("Good move"),
  played: t("Well played"),
  game: t("Good game"),
  again: t("Another game?"),
  slip: t("My finger slipped"),
  bye: t("I have to go"),
  close: t("It’s close"),
  unexpected: t("I didn’t see that coming"),
  ahead: t("Who’s winning?"),
  first: t("I’d rather go first"),
  second: t("I’d rather go second"),
  idea: t("Great idea"),
  learning: t("I’m learning a lot"),
};

/** @type {Record<string, string>} */
const PHRASE_KEYS = {
  lobby: "hello welcome luck ready moment which clock sides friend yes no thanks bye",
  players: "hello luck thanks move moment back sorry slip played game again bye",
  watchers: "hello move played close ahead unexpected idea first second learning thanks bye",
};

/**
 * Returns the phrases of an audience: pairs of key and words.
 *
 * @param {string} circle
 */
export function phrasesOf(circle) {
  return PHRASE_KEYS[circle].split(" ").map((key) => [key, PHRASES[key]]);
}

/**
 * The words of a line: its own text, or that of its phrase.
 *
 * @param {Wire.ShownLine} line
 */
export function messageWords({ text, phrase }) {
  return text ?? PHRASES[phrase ?? ""] ?? phrase ?? "";
}
