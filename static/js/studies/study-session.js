/** A study on its page: saved while its owner edits it, and followed by everyone who looks at it. */

import { byId } from "../lib/dom.js";
import { follow } from "../lib/page-connection.js";
import { onReconnect } from "../lib/reconnect.js";
import { t } from "../lib/text.js";
import { showEmbedCode, showEmbedTitle } from "./embed-code.js";
import { SaveQueue } from "./save-queue.js";
import { fetchStudy, postStudy, studyNodes } from "./study-requests.js";
import { mergeTrees, nearestPlace } from "./tree-merge.js";

/** Readers fetch a change within this time, not all in the same moment, ms. */
const FETCH_SPREAD_MS = 800;

export class StudySession {
  /**
   * @param {import("../analysis/analysis-board.js").AnalysisBoard} board
   * @param {StudyData} study
   */
  constructor(board, study) {
    this.board = board;
    this.study = study;
    this.newest = study.rev;
    /** Whether the page has fields for the title and who sees the study, and saves it. */
    this.isEditor = study.is_own && !study.is_hidden;
    this.isFetching = false;
    /** The tree as the server has it. @type {StudyNode[]} */
    this.stored = studyNodes(board.tree.nodes);
    /** The tree whose text is `nodesText`. @type {AnalysisNode[] | null} */
    this.written = null;
    this.nodesText = "";
    this.queue = new SaveQueue(study.rev, this.contents(), {
      send: (body) => this.send(body),
      onState: (state) => this.showState(state),
      onConflict: (conflict) => this.showConflict(conflict),
    });
    if (this.isEditor) this.listen();
    this.follow();
  }

  listen() {
    for (const id of ["study-title", "study-visibility"])
      byId(id).addEventListener("input", () => this.offer());
    byId("study-title").addEventListener("input", () => this.showTitle(this.contents().title));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.queue.save();
    });
    addEventListener("beforeunload", (event) => {
      if (this.queue.isDirty && this.queue.state.name !== "closed") event.preventDefault();
    });
    byId("study-edit").addEventListener("click", () => {
      const field = /** @type {HTMLInputElement} */ (byId("study-title"));
      field.focus();
      field.select();
    });
    byId("save-now").addEventListener("click", () => this.queue.save());
    onReconnect(() => this.queue.retry());
    this.showState(this.queue.state);
  }

  /** The tree, the title or the visibility may have changed. */
  offer() {
    if (!this.isEditor) return;
    this.queue.offer(this.contents());
    showEmbedCode(this.contents().visibility);
  }

  /** @returns {StudyContents} */
  contents() {
    const { nodes } = this.board.tree;
    if (this.written !== nodes) {
      this.written = nodes;
      this.nodesText = JSON.stringify(studyNodes(nodes));
    }
    if (!this.isEditor)
      return {
        title: this.study.title,
        visibility: this.study.visibility,
        nodes: this.nodesText,
      };
    return {
      title: /** @type {HTMLInputElement} */ (byId("study-title")).value,
      visibility: /** @type {HTMLSelectElement} */ (byId("study-visibility")).value,
      nodes: this.nodesText,
    };
  }

  /** @param {SaveBody} body */
  async send({ nodes, ...rest }) {
    const tree = nodes === undefined ? {} : { nodes: JSON.parse(nodes) };
    const reply = await postStudy(
      `/study/${this.study.slug}/save`,
      JSON.stringify({ ...rest, ...tree }),
    );
    if ("done" in reply) {
      this.newest = Math.max(this.newest, reply.done.rev);
      if (tree.nodes) this.stored = tree.nodes;
    }
    return reply;
  }

  /** @param {SaveState} state */
  showState({ name, say }) {
    if (!this.isEditor) return; // readers save nothing
    /** @type {Record<SaveState["name"], string>} */
    const texts = {
      saved: t("Saved"),
      changed: t("Not saved yet"),
      saving: t("Saving…"),
      failed: t("Not saved. {why}", { why: say }),
      conflict: t("Not saved"),
      hidden: this.queue.isDirty ? t("Not saved") : "",
      closed: "",
    };
    const field = byId("save-state");
    if (field.textContent !== texts[name]) field.textContent = texts[name];
    field.dataset.state = name;
    byId("save-now").hidden = name !== "failed";
  }

  /** @param {string} title */
  showTitle(title) {
    byId("study-name").textContent = title;
    showEmbedTitle(title);
  }

  /* Changes of others, and from other tabs. */

  follow() {
    /** @type {string | null} */
    let rev = null;
    const topic = follow(`study:${this.study.slug}`, {
      revOf: () => rev,
      onMessage: (/** @type {SiteMessage<"study:SLUG">} */ message) => {
        if (message.t === "ended" && message.reason === "gone") this.close("closed");
        if (message.t !== "study") return;
        rev = message.rev;
        this.receive(message);
      },
      onOpen: () => {},
      onState: () => {},
    });
    topic.connect();
  }

  /** @param {Wire.StudyState} message */
  receive({ state, version = 0, hidden = false }) {
    const isSwitched = this.study.is_own && hidden !== this.study.is_hidden;
    if (state !== "open") this.close(state);
    else if (!byId("study-closed").hidden || (isSwitched && !hidden)) location.reload();
    else if (isSwitched) this.hide();
    else if (version > this.newest) {
      this.newest = version;
      this.fetchSoon();
    }
  }

  fetchSoon() {
    if (this.isFetching) return;
    this.isFetching = true;
    const wait = this.isEditor ? 0 : Math.random() * FETCH_SPREAD_MS;
    setTimeout(() => this.fetch(), wait);
  }

  async fetch() {
    const { queue } = this;
    const { newest } = this;
    // Changes that are not saved here are not overwritten: saving them asks the reader.
    if (this.isEditor && queue.state.name !== "saved") {
      this.isFetching = false;
      if (queue.state.name === "saving") setTimeout(() => this.checkAgain(), FETCH_SPREAD_MS);
      else queue.save();
      return;
    }
    const found = await fetchStudy(this.study.slug);
    this.isFetching = false;
    if (queue.state.name === "hidden") return;
    if (found && found.rev > queue.rev && !(this.isEditor && queue.isDirty)) {
      this.apply(found, !this.isEditor);
      byId("study-say").textContent = this.isEditor
        ? t("Changed in another tab, and shown here.")
        : t("The author has changed the study.");
    }
    if (this.newest > newest) this.fetchSoon();
  }

  checkAgain() {
    if (this.newest > this.queue.rev) this.fetchSoon();
  }

  /**
   * Shows the server's contents.
   *
   * @param {StudyFile} found
   * @param {boolean} keepsTried whether turns that were tried here stay
   */
  apply(found, keepsTried) {
    const { tree, editor } = this.board;
    const { nodes, places } = mergeTrees(tree, this.stored, found.nodes, { keepsTried });
    const at = nearestPlace(tree, places, this.board.at);
    this.stored = found.nodes;
    this.newest = Math.max(this.newest, found.rev);
    tree.nodes = nodes;
    editor.history.clear();
    this.study = { ...this.study, title: found.title, visibility: found.visibility };
    this.showTitle(found.title);
    if (this.isEditor) {
      /** @type {HTMLInputElement} */ (byId("study-title")).value = found.title;
      /** @type {HTMLSelectElement} */ (byId("study-visibility")).value = found.visibility;
    }
    showEmbedCode(found.visibility);
    this.queue.adopt(found.rev, this.contents());
    this.board.handleEdit(at);
  }

  /** Two tabs have changed the study. @param {StudyConflict} conflict */
  showConflict(conflict) {
    const time = new Date(conflict.at).toLocaleTimeString(document.documentElement.lang, {
      timeStyle: "short",
    });
    byId("conflict-say").textContent = t(
      "{name} changed this study at {time}, in another tab or on another device. Your changes here aren’t saved.",
      { name: conflict.by, time },
    );
    byId("study-conflict").hidden = false;
    byId("conflict-take").onclick = () => {
      byId("study-conflict").hidden = true;
      this.apply(conflict, false);
      byId("study-title").focus();
    };
    byId("conflict-copy").onclick = () => this.keepCopy();
    byId("conflict-copy").focus();
  }

  async keepCopy() {
    const { title } = this.contents();
    const body = {
      rules: this.board.data.key,
      title: t("{title} (copy)", { title }).slice(0, 80),
      nodes: studyNodes(this.board.tree.nodes),
    };
    const reply = await postStudy("/studies/new", JSON.stringify(body));
    if ("done" in reply && reply.done.url) {
      this.queue.close();
      location.assign(reply.done.url);
    } else if ("failed" in reply) byId("conflict-say").textContent = reply.failed;
  }

  /** A moderator has hidden the study from everyone but its owner, who cannot change it now. */
  hide() {
    this.study = { ...this.study, is_hidden: true };
    for (const id of ["study-title", "study-visibility"])
      byId(id).toggleAttribute("disabled", true);
    byId("study-hidden").hidden = false;
    byId("study-conflict").hidden = true;
    showEmbedCode("private");
    byId("study-say").textContent = "";
    this.queue.hide();
  }

  /** The study is deleted, or not shared with the reader any more. @param {"closed" | "deleted"} state */
  close(state) {
    this.queue.close();
    byId("study-closed").hidden = false;
    byId("study-closed").textContent =
      state === "deleted"
        ? t("This study was deleted.")
        : t("This study isn’t shared with you any more.");
    byId("analysis-root").hidden = true;
    byId("study-tools").hidden = true;
    byId("study-conflict").hidden = true;
  }
}
