/**
 * The large board of the front page: the featured game, whose new moves slide.
 *
 * Without motion it shows each new position at once, and a finished game by its last position.
 */

import { momentOf, timelineOf } from "../board/tween.js";
import { drawThumbnail } from "../game/thumbnail.js";
import { fill, find } from "../lib/dom.js";
import { motionSpeed, reducedMotion } from "../lib/motion.js";

export class FeaturedBoard {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = /** @type {HTMLCanvasElement} */ (find(root, "canvas"));
    this.pause = /** @type {HTMLButtonElement} */ (find(root, ".featured-pause"));
    /** The newest game, shown or not. @type {Wire.Featured | null} */
    this.newest = null;
    /** @type {{ slug: string, step: number }} */
    this.shown = { slug: "", step: -1 };
    /** @type {{ slug: string, stop(): void } | null} */
    this.replay = null;
    this.frame = 0;
    this.pause.addEventListener("click", () => this.toggle());
  }

  get paused() {
    return this.pause.getAttribute("aria-pressed") === "true";
  }

  toggle() {
    this.pause.setAttribute("aria-pressed", String(!this.paused));
    if (this.paused) this.stopReplay();
    else this.show(this.newest);
  }

  /**
   * Shows a game, with the motion of the steps that are new since the last call.
   *
   * @param {Wire.Featured | null} game null: the last one stays
   */
  show(game) {
    if (game === null) return;
    this.newest = game;
    if (this.paused) return;
    delete this.root.dataset.empty;
    this.pause.hidden = false;
    if (this.replay?.slug === game.slug && game.kind === "replay") return;
    this.stopReplay();
    fill(this.root, game);
    const step = Math.max(-1, ...game.last.map(({ n }) => n));
    const isSame = this.shown.slug === game.slug;
    const fresh = isSame ? game.last.filter(({ n }) => n > this.shown.step) : [];
    this.shown = { slug: game.slug, step };
    this.draw(game, fresh);
    if (game.kind === "replay" && !reducedMotion()) this.startReplay(game);
  }

  /**
   * Draws a position, with the motion of the steps that led to it.
   *
   * @param {Wire.GameSummary} game
   * @param {Wire.ResolvedStep[]} steps
   */
  draw(game, steps) {
    cancelAnimationFrame(this.frame);
    const timeline = timelineOf(game.view.board === undefined ? [] : steps);
    if (timeline.length === 0 || reducedMotion()) {
      drawThumbnail(this.canvas, game);
      return;
    }
    const start = performance.now();
    /** @param {number} now */
    const next = (now) => {
      const time = Math.max(0, (now - start) * motionSpeed());
      const isOver = time >= timeline.length;
      const look = isOver ? {} : { moment: momentOf(timeline, time) };
      drawThumbnail(this.canvas, { ...game, look });
      if (!isOver) this.frame = requestAnimationFrame(next);
    };
    next(start);
  }

  /** @param {Wire.Featured} game */
  startReplay(game) {
    const controller = new AbortController();
    const { signal } = controller;
    this.replay = { slug: game.slug, stop: () => controller.abort() };
    import("./featured-replay.js").then(({ replayGame }) =>
      replayGame(game, {
        signal,
        onTurn: (position, steps, progress) => {
          fill(this.root, { progress });
          this.draw({ ...game, ...position }, steps);
        },
      }),
    );
  }

  stopReplay() {
    this.replay?.stop();
    this.replay = null;
  }
}
