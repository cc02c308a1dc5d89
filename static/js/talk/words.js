/** What the talk panel says. Pure. */

import { t, tn } from "../text.js";

export const LONGEST = 200; // characters of a line
const NEAR = 40; // characters left from which on they are counted

const HEARD = {
  lobby: t("Everybody in this lobby sees this."),
  players: t("Only you two see this."),
  players_now: t("Only players see this until the game is over."),
  watchers_now: t("Only spectators see this until the game is over."),
  everybody: t("The game is over: everybody sees this."),
};

const WHY = {
  off: t("Talk is switched off on this site."),
  not_watchable: t("Only the two players can follow this game."),
  stranger: t("Take a name first."),
  silenced: t("A moderator has taken your right to write here."),
  guest: t("Guests talk in these phrases."),
  new: t("New accounts talk in these phrases for the first hour."),
  playing: t("A game is being played; talk goes on at its board."),
  closed: t("This lobby is closed."),
  empty: t("There is nothing to read in that."),
  too_long: t("That is longer than 200 characters."),
  too_fast: t("That was fast. Wait a few seconds."),
  same: t("You have said that twice already."),
  no_phrase: t("That phrase is not offered here."),
  no_line: t("That line is not here any more."),
  nobody: t("Nobody has that name."),
  yourself: t("That is you."),
  too_many: t("That is too many for now."),
  busy: t("The server could not save that. Nothing was changed; try again."),
  slow_down: t("Too many messages. Wait a moment."),
  gone: t("There is nothing at this address."),
};

/** The reasons for a report: pairs of key and words. */
export const REASONS = [
  ["insult", t("Insulting")],
  ["spam", t("Spam")],
  ["moves", t("Tells moves")],
  ["other", t("Something else")],
];

const STATES = {
  open: t("Your report: a moderator will look."),
  acted: t("Your report: acted on."),
  dismissed: t("Your report: looked at, nothing done."),
};

/** Who reads what is said; `alone`: the other side is a computer player, which reads nothing. */
export function heardBy(heard, alone = false) {
  if (alone && heard.startsWith("players")) return t("The computer reads nothing here.");
  return HEARD[heard] ?? "";
}

/** Why something was refused or is not possible; the server's own words for what is not known here. */
export function why(reason, say = "") {
  return WHY[reason] ?? say;
}

/** Why somebody may not write what they like; `spell` words a moment at which that ends by itself. */
export function reasonOf(may, spell) {
  if (may.why !== "silenced" || may.until === null) return why(may.why);
  return t("A moderator has taken your right to write until {time}.", { time: spell(may.until) });
}

/** What became of a report. */
export function stateOf(state) {
  return STATES[state] ?? "";
}

/** What stands beside a name: who speaks from outside the game, or has invited. */
export function tagOf({ role, circle }, heard) {
  if (heard === "lobby") return role === "host" ? t("host") : "";
  return heard === "everybody" && circle === "watchers" ? t("spectator") : "";
}

/** The name of who said a line. */
export function nameOf({ by }) {
  return by ?? t("somebody who is gone");
}

/** The length of a text as the server counts it: blanks count once, none at the ends. */
export function lengthOf(text) {
  return [...text.normalize("NFC").replace(/\s+/gu, " ").trim()].length;
}

/** What is said of the room that is left; empty while there is plenty. */
export function roomLeft(text) {
  const left = LONGEST - lengthOf(text);
  if (left > NEAR) return "";
  return left >= 0
    ? tn("{count} left", "{count} left", left)
    : tn("{count} too many", "{count} too many", -left);
}

export function freshCount(count) {
  return tn("{count} new", "{count} new", count);
}

/** How many are muted or were reported; empty if nobody. */
export function ownCount({ muted, reports }) {
  if (muted.length > 0) return tn("{count} muted", "{count} muted", muted.length);
  return reports.length > 0 ? tn("Your report", "Your {count} reports", reports.length) : "";
}
