/** The share sheet of a game: its link, the link as a QR code, pictures of it, and its record. */

import { copyText } from "../lib/clipboard.js";
import { byId, loadLater, makeElement } from "../lib/dom.js";
import { resultSentence } from "../lib/result-words.js";
import { t } from "../lib/text.js";

const MIN_TURNS = 2;

/**
 * Whether there is something to play, and the browser can record it.
 *
 * @param {Pick<Wire.Snapshot, "status" | "turns">} snapshot
 */
const hasVideo = ({ status, turns }) =>
  status === "over" &&
  turns >= MIN_TURNS &&
  Boolean(window.MediaRecorder?.isTypeSupported("video/webm"));

/** Loaded by the first sheet that offers a video. */
const offerVideo = loadLater(
  () => import("./game-video.js"),
  (module) => module.offerVideo,
);

/**
 * The content to share: the game, and the turn that is looked at; null at the newest position.
 *
 * @typedef {{ snapshot: Wire.Snapshot, turn: number | null }} Shared
 */

/**
 * The address of the shown position. Pure.
 *
 * @param {string} page the address of the page
 * @param {number | null} turn
 */
export function addressOf(page, turn) {
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname}${turn === null ? "" : `#${turn}`}`;
}

/**
 * Says at which position the link opens; empty where that is the newest. Pure.
 *
 * @param {Shared} shared
 */
export function placeText({ snapshot, turn }) {
  if (turn === null) return "";
  if (turn === 0) return t("The link opens at the start.");
  return snapshot.key === "blotto"
    ? t("The link opens at round {turn}.", { turn })
    : t("The link opens at move {turn}.", { turn });
}

/**
 * The file name of a picture that is saved. Pure.
 *
 * @param {Shared} shared
 * @param {string} ending
 */
export function fileName({ snapshot, turn }, ending) {
  return ["quiver", snapshot.key, snapshot.game, ...(turn === null ? [] : [turn])]
    .join("-")
    .concat(".", ending);
}

/** @param {string} word @param {() => void} press */
function makeButton(word, press) {
  const button = makeElement("button", "button plain", { type: "button" }, word);
  button.addEventListener("click", press);
  return button;
}

export class ShareSheet {
  constructor() {
    const name = makeElement("h2", "", { id: "share-name" }, t("Share"));
    this.dialog = /** @type {HTMLDialogElement} */ (
      makeElement("dialog", "setup share", {
        id: "share-sheet",
        "aria-labelledby": name.id,
        closedby: "any",
      })
    );
    const head = makeElement("div", "setup-head");
    head.append(
      name,
      makeButton(t("Close"), () => this.dialog.close()),
    );
    this.body = makeElement("div", "share-body");
    /** Inside the dialog: a live region outside is inert while it is open. */
    this.status = makeElement("p", "small share-status", { role: "status" });
    this.dialog.append(head, this.body);
    document.body.append(this.dialog);
  }

  /**
   * @param {Shared} shared
   * @param {import("./game-video.js").Source} source of the positions in the video
   */
  open(shared, source) {
    if (this.dialog.open) return;
    const address = addressOf(location.href, shared.turn);
    this.status.textContent = placeText(shared);
    const link = this.makeLink(address);
    const parts = [link, this.status, this.makeCode(shared), this.makeFiles(shared)];
    if (hasVideo(shared.snapshot)) {
      const slot = makeElement("div", "share-video", { id: "share-video" });
      const closed = new AbortController();
      this.dialog.addEventListener("close", () => closed.abort(), { once: true });
      const file = fileName({ ...shared, turn: null }, "webm");
      const options = { ...source, key: shared.snapshot.key, file, signal: closed.signal };
      offerVideo((offer) => offer(slot, options));
      parts.push(slot);
    }
    this.body.replaceChildren(...parts);
    if ("share" in navigator) link.append(this.makeSystemButton(shared, address));
    this.dialog.showModal();
    byId("share-copy").focus();
  }

  /** @param {string} address */
  makeLink(address) {
    const field = /** @type {HTMLInputElement} */ (
      makeElement("input", "field", { readonly: "", "aria-label": t("Link to this game") })
    );
    field.value = address;
    const copy = makeButton(t("Copy"), async () => {
      const isCopied = await copyText(address, field);
      this.status.textContent = isCopied ? t("The link is copied.") : t("Press Ctrl+C to copy.");
    });
    copy.id = "share-copy";
    const line = makeElement("div", "share-link");
    line.append(field, copy);
    return line;
  }

  /**
   * The button of the system's own sheet.
   *
   * @param {Shared} shared
   * @param {string} url
   */
  makeSystemButton({ snapshot }, url) {
    const text = snapshot.status === "over" ? resultSentence({ ...snapshot, you: null }) : "";
    const button = makeButton(t("Send with an app"), async () => {
      try {
        await navigator.share({ title: document.title, text, url });
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        if (error.name !== "AbortError") this.status.textContent = t("Sharing failed.");
      }
    });
    button.id = "share-system";
    return button;
  }

  /** @param {Shared} shared */
  makeCode({ turn }) {
    const source = turn === null ? "qr.svg" : `qr.svg?turn=${turn}`;
    const figure = makeElement("figure", "share-code");
    const alt = t("QR code of the link");
    figure.append(makeElement("img", "", { src: source, alt, width: 168, height: 168 }));
    figure.append(
      makeElement("figcaption", "small", {}, t("Scan it to open the game on a phone.")),
    );
    return figure;
  }

  /** @param {Shared} shared */
  makeFiles(shared) {
    const { snapshot, turn } = shared;
    const picture = turn === null ? "picture.png" : `picture.png?turn=${turn}`;
    const list = makeElement("p", "share-files");
    const links = [
      makeElement(
        "a",
        "",
        { href: picture, download: fileName(shared, "png"), id: "share-picture" },
        t("Picture of this position"),
      ),
      makeElement("a", "", { href: "ledger/" }, t("Game log")),
    ];
    if (snapshot.status === "over")
      links.push(makeElement("a", "", { href: "record.json", download: "" }, t("Record")));
    list.append(...links);
    return list;
  }
}
