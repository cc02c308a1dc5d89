/** Speak each half-step of a turn, and the position, the last move and the clocks when a key asks. */

import { setting } from "../lib/settings.js";
import { t } from "../lib/text.js";
import { draftSentence } from "./draft-speech.js";
import { clockSentences, lastMoveSentence, placedSentence, positionSentences } from "./position.js";
import { summaryOf } from "./summary.js";

export class Speaker {
  /** @param {import("../game/game-page.js").Game} game */
  constructor(game) {
    this.game = game;
    /** The draft that was spoken of last. @type {Draft | null} */
    this.draft = null;
    /** @type {Record<string, () => string>} */
    this.readers = {
      o: () => this.position(),
      l: () => this.lastMove(),
      t: () => clockSentences(game.gate.snapshot, game.time.read()),
    };
  }

  /** Says what has changed in the draft on the board. */
  followDraft() {
    const { surface, snapshot, announcer } = this.game;
    const [before, after] = [this.draft, surface.draft ?? null];
    const { view, you } = snapshot;
    this.draft = after;
    if (you === null || view.board === undefined) return;
    const { planning } = surface.read(snapshot);
    const said = draftSentence(before, after, { view, you, way: setting("send"), planning });
    if (said !== null) announcer.say(said);
  }

  /** The position that is shown: of Blotto the score and the reader's own troops. */
  position() {
    const { gate, replay, sentence, surface } = this.game;
    const { snapshot } = gate;
    const view = replay.viewOf(snapshot);
    if (view.board === undefined) {
      const placed = surface.activeSplit ? [placedSentence(surface.activeSplit)] : [];
      return [summaryOf(snapshot, sentence), ...placed].join(" ");
    }
    const place = replay.isBack
      ? [t("Move {at} of {count}", { at: replay.shown, count: replay.look.count })]
      : [sentence];
    const where = place.map((each) => t("{sentence}.", { sentence: each }));
    return [...where, positionSentences(snapshot.key, view, snapshot.you)].join(" ");
  }

  /** The move that led to the shown position; of a round that is being opened, the one before. */
  lastMove() {
    const { gate, record, replay, surface } = this.game;
    const shown = surface.isOpening ? gate.snapshot.view.turns : replay.shown;
    return lastMoveSentence(record.turns()[shown - 1], gate.snapshot);
  }

  /** @param {string} key */
  read(key) {
    this.game.announcer.say(this.readers[key]());
  }
}
