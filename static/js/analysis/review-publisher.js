/** The button that publishes a review for everybody who opens the analysis of the game. */

import { byId, find } from "../lib/dom.js";
import { refusalOf } from "../lib/forms.js";
import { untilReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";
import { submissionOf } from "./published-review.js";

export class ReviewPublisher {
  /**
   * @param {EngineKey} key
   * @param {readonly AnalysisPosition[]} positions
   * @param {PublishedReview | null} published
   */
  constructor(key, positions, published) {
    this.key = key;
    this.positions = positions;
    /** Nodes of the published review by this engine; only a deeper review replaces it. */
    this.publishedNodes = published?.isPresent ? published.nodes : 0;
    /** @type {{ nodes: number, verdicts: Verdict[] } | null} */
    this.finished = null;
    this.button = /** @type {HTMLButtonElement} */ (byId("review-publish"));
    this.button.addEventListener("click", () => this.publish());
  }

  /**
   * Offers a pass that is finished.
   *
   * @param {number} nodes
   * @param {Verdict[]} verdicts
   */
  offer(nodes, verdicts) {
    this.finished = { nodes, verdicts };
    this.show();
  }

  show() {
    this.button.hidden = !this.finished || this.finished.nodes <= this.publishedNodes;
  }

  async publish() {
    if (!this.finished || this.button.disabled) return;
    const { nodes, verdicts } = this.finished;
    this.button.disabled = true;
    try {
      const { MANIFEST } = await import("../engine/manifest.js");
      const { digest } = this.key === "pincer" ? MANIFEST.pincer : MANIFEST.amazons;
      const say = await this.send(submissionOf(this.positions, verdicts, nodes, digest));
      if (say === null) this.publishedNodes = nodes;
      byId("publish-say").textContent =
        say ?? t("Published. Everyone who opens this analysis sees it.");
    } finally {
      this.button.disabled = false;
    }
    this.show();
  }

  /**
   * Sends a review; the sentence that says why it was refused, or null.
   *
   * @param {ReturnType<typeof submissionOf>} review
   * @returns {Promise<string | null>}
   */
  async send(review) {
    const token = /** @type {HTMLInputElement} */ (find(document, "[name=csrfmiddlewaretoken]"));
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "X-CSRFToken": token.value,
    };
    try {
      const url = this.button.dataset.url ?? "";
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(review) });
      return answer.ok ? null : await refusalOf(answer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return untilReconnect(t("Not connected. Nothing was published."));
    }
  }
}
