/** The review of a game on its page: curve, turning points, and finding the better turn. */

import { drawCurve } from "../game/thoughts-panel.js";
import { byId, makeElement } from "../lib/dom.js";
import { t, tn } from "../lib/text.js";
import { lossesOf, turningPoints } from "./marks.js";
import { publishedSentence, publishedVerdicts } from "./published-review.js";
import { engineCount, Review, RUNGS } from "./review.js";
import { ReviewPublisher } from "./review-publisher.js";
import { betterSentence, engineFault, lossSentence } from "./sentences.js";

/** Least time between two paintings of a running review, ms: proved positions are judged in bursts. */
const REPAINT_MS = 250;

export class ReviewPanel {
  /**
   * @param {EngineKey} key
   * @param {import("./turn-tree.js").TurnTree} tree
   * @param {object} options
   * @param {Wire.ByRole<string>} options.names
   * @param {string} options.language
   * @param {(index: number) => void} options.onChoose shows the position after a turn
   * @param {(loss: TurnLoss) => void} options.onRetry lets somebody look for the better turn
   * @param {(loss: TurnLoss) => void} options.onPlayOn offers a game from the position before it
   * @param {(losses: TurnLoss[]) => void} options.onLosses
   * @param {PublishedReview | null} options.published
   * @param {boolean} options.mayPublish
   */
  constructor(key, tree, options) {
    this.key = key;
    this.tree = tree;
    this.options = options;
    this.positions = [tree.start, ...this.turns];
    /** @type {Review | null} */
    this.review = null;
    /** @type {readonly (Verdict | undefined)[]} */
    this.verdicts = [];
    /** @type {TurnLoss[]} */
    this.losses = [];
    this.shown = 0;
    this.judgedAt = Number.NEGATIVE_INFINITY;
    byId("review-start").addEventListener("click", () => this.start());
    byId("review-curve").addEventListener("click", (event) => this.choose(event));
    const { published, mayPublish } = options;
    this.publisher = mayPublish ? new ReviewPublisher(key, this.positions, published) : null;
  }

  /** Shows the review that was published, if there is one: nothing is computed for it. */
  showPublished() {
    const { published, language } = this.options;
    if (!published) return;
    byId("review-start").textContent = t("Review it yourself");
    byId("review-say").textContent = publishedSentence(published, language);
    this.verdicts = publishedVerdicts(this.positions, published.values);
    this.judge();
  }

  get turns() {
    return this.tree.nodes.slice(0, this.tree.mainCount);
  }

  async start() {
    byId("review-start").hidden = true;
    const say = byId("review-say");
    say.textContent = t("The engine is loading.");
    /** @type {import("../engine/engine.js").Engine[]} */
    const engines = [];
    try {
      const { openEngine } = await import("../engine/engine.js");
      for (let count = engineCount(navigator.hardwareConcurrency); count; count--)
        engines.push(openEngine(this.key));
      this.review = new Review(this.positions, engines, (progress) => this.report(progress));
      await this.review.run();
    } catch (error) {
      say.textContent = engineFault(error);
      byId("review-start").hidden = false; // to try it again
    }
    for (const engine of engines) engine.close();
  }

  /** @param {import("./review.js").Progress} progress */
  report({ rung, done, count }) {
    const isLast = rung === RUNGS.length - 1 && done === count;
    const values = { done, count, rung: rung + 1, rungs: RUNGS.length };
    byId("review-say").textContent = isLast
      ? t("Reviewed with {nodes} positions a move.", {
          nodes: RUNGS[rung].toLocaleString(this.options.language),
        })
      : t("Pass {rung} of {rungs}: {done} of {count} positions.", values);
    const verdicts = this.review?.verdicts ?? [];
    if (done === count)
      this.publisher?.offer(RUNGS[rung], /** @type {Verdict[]} */ ([...verdicts]));
    this.verdicts = verdicts;
    const now = performance.now();
    if (done < count && now - this.judgedAt < REPAINT_MS) return;
    this.judgedAt = now;
    this.judge();
  }

  /** Computes and shows the losses of the turns. */
  judge() {
    this.losses = lossesOf(this.turns, this.verdicts);
    this.options.onLosses(this.losses);
    this.paint();
  }

  paint() {
    this.paintCurve();
    const points = turningPoints(this.losses);
    byId("turning-head").hidden = points.length === 0;
    byId("turning-points").replaceChildren(...points.map((loss) => this.point(loss)));
    byId("review-counts").textContent = this.countsText();
  }

  countsText() {
    const { names } = this.options;
    return ["white", "black"]
      .map((role) => {
        const own = this.losses.filter((loss) => loss.role === role);
        const many = (/** @type {TurnMark} */ mark) =>
          own.filter((loss) => loss.mark === mark).length;
        return t("{name}: {blunders}, {mistakes}, {inaccuracies}.", {
          name: names[/** @type {Role} */ (role)],
          blunders: tn("{count} blunder", "{count} blunders", many("blunder")),
          mistakes: tn("{count} mistake", "{count} mistakes", many("mistake")),
          inaccuracies: tn("{count} inaccuracy", "{count} inaccuracies", many("inaccuracy")),
        });
      })
      .join(" ");
  }

  /** @param {TurnLoss} loss */
  point(loss) {
    const { names, language, onChoose, onRetry, onPlayOn } = this.options;
    const item = makeElement("li", "turning-point");
    const show = makeElement("button", "text-button", { type: "button" });
    show.textContent = t("Move {number}", { number: loss.turn });
    show.addEventListener("click", () => onChoose(loss.turn - 1));
    const retry = makeElement(
      "button",
      "button plain",
      { type: "button" },
      t("Find a better move"),
    );
    retry.addEventListener("click", () => onRetry(loss));
    const better = makeElement("details", "small");
    better.append(
      makeElement("summary", "", {}, t("Show a better move")),
      makeElement("p", "number", {}, betterSentence(loss)),
    );
    const words = makeElement("p", "");
    words.append(show, ` · ${lossSentence(loss, names, language)}`);
    item.append(words, retry);
    if (loss.turn > 1) {
      const play = makeElement("button", "button plain", { type: "button" });
      play.textContent = t("Play on from there");
      play.addEventListener("click", () => onPlayOn(loss));
      item.append(" ", play);
    }
    item.append(better);
    return item;
  }

  /** @param {number} shown the number of turns before the shown position */
  moveTo(shown) {
    this.shown = shown;
    if (this.verdicts.length) this.paintCurve();
  }

  paintCurve() {
    /** @type {[number, number][]} */
    const points = this.verdicts.flatMap((verdict, index) =>
      verdict && index > 0 ? [[index, 2 * verdict.chance - 1]] : [],
    );
    byId("review-figure").hidden = points.length < 2;
    drawCurve(byId("review-curve"), points, this.tree.mainCount, this.shown);
  }

  /** @param {MouseEvent} event */
  choose({ clientX }) {
    const { left, width } = byId("review-curve").getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    this.options.onChoose(Math.round(share * (this.tree.mainCount - 1)));
  }
}
