/** What the buttons and the typed words of the game page do. */

import { copyLink } from "../panel/copy.js";
import { lookAt } from "../replay/view.js";
import { t } from "../text.js";

/** Copies the address of what is shown. */
function copy({ replay, panel, voice }) {
  const hash = replay.isBack ? `#${replay.shown}` : "";
  copyLink(`${location.origin}${location.pathname}${hash}`, (words) => {
    panel.notices.show("told", words, { passing: true });
    voice.say(words[0]);
  });
}

/** What each button asks for, by its name (see acts.js, status.js and offers.js). */
export function deedsOf(game) {
  // An answer names the offer that it is meant for: arriving late, it answers no later one.
  const deal = (what) => (word) => () => {
    const rev = game.snapshot.offers[what]?.rev ?? null;
    return game.ask({ t: what, do: word, rev });
  };
  const [draw, takeback] = [deal("draw"), deal("takeback")];
  const claim = (as) => () => game.ask({ t: "claim", as });
  return {
    ask: (what) => game.panel.ask(what),
    keepPlaying: () => game.panel.ask(null),
    resign: () => game.end("resign"),
    abort: () => game.end("abort"),
    offer: draw("offer"),
    withdraw: draw("withdraw"),
    accept: draw("accept"),
    decline: draw("decline"),
    askBack: takeback("offer"),
    keepGo: takeback("withdraw"),
    giveBack: takeback("accept"),
    refuseBack: takeback("decline"),
    claim: claim("quiet"),
    claimWin: claim("victory"),
    claimDraw: claim("draw"),
    flip: () => game.flip(),
    undo: () => game.surface.undo(),
    keep: () => game.surface.keep(),
    submit: () => game.surface.submit(),
    copy: () => copy(game),
    setup: () => game.setup.toggle(document.getElementById("open-setup")),
    look: (view) => game.look(view),
    lookAt: (go) => game.look(lookAt(game.replay.look, go)),
    flag: () => game.line.send({ t: "flag" }),
  };
}

/** The words that can be typed; each gives why it cannot be done, or null. */
export function wordsOf(game) {
  const offers = () => game.snapshot.offers;
  const theirs = (kind) => offers()[kind] && offers()[kind].by !== game.snapshot.you;
  const may = (word, why, deed) => () => {
    if (!game.snapshot.may.includes(word)) return why;
    deed();
    return null;
  };
  const answer = (kind, why) => () => {
    if (theirs(kind)) game.ask({ t: kind, do: "accept", rev: offers()[kind].rev });
    else return may(kind, why, () => game.ask({ t: kind, do: "offer" }))();
    return null;
  };
  return {
    resign: may("resign", t("There is nothing to resign."), () => game.end("resign")),
    draw: answer("draw", t("A draw cannot be offered now.")),
    takeback: answer("takeback", t("There is nothing to take back.")),
    flip: () => (game.surface.flips ? game.flip() : t("This board is not turned.")),
    back: () => game.back(),
  };
}
