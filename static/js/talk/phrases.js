/**
 * The phrases that everybody may say with one press, in this page's language. The server has the same
 * keys for the same circles (site/talk/phrases.py).
 */

import { t } from "../text.js";

const WORDS = {
  hello: t("Hello"),
  luck: t("Good luck"),
  welcome: t("Welcome"),
  ready: t("I am ready"),
  moment: t("Just a moment"),
  friend: t("I am waiting for a friend"),
  sides: t("Shall we swap sides?"),
  clock: t("Shall we change the clock?"),
  which: t("Which game shall we play?"),
  yes: t("Yes"),
  no: t("No, thank you"),
  thanks: t("Thank you"),
  sorry: t("Sorry"),
  back: t("I am back"),
  move: t("Good move"),
  played: t("Well played"),
  game: t("Good game"),
  again: t("One more?"),
  slip: t("My finger slipped"),
  bye: t("I have to go"),
  close: t("This is close"),
  unexpected: t("I did not see that coming"),
  ahead: t("Who is ahead?"),
  first: t("I would rather be first here"),
  second: t("I would rather be second here"),
  idea: t("What an idea"),
  learning: t("I am learning a lot"),
};

const KEYS = {
  lobby: "hello welcome luck ready moment which clock sides friend yes no thanks bye",
  players: "hello luck thanks move moment back sorry slip played game again bye",
  watchers: "hello move played close ahead unexpected idea first second learning thanks bye",
};

/** What a circle is offered: pairs of key and words. */
export function phrasesOf(circle) {
  return KEYS[circle].split(" ").map((key) => [key, WORDS[key]]);
}

/** The words of a line: its text, or what its phrase means. */
export function wordsOf({ text, phrase }) {
  return text ?? WORDS[phrase] ?? phrase;
}
