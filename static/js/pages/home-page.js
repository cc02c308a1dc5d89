/**
 * Entry of the front page, of watching and of playing the computer: boards and the live lists.
 *
 * The lists of open lobbies and of running games follow the server's last frame. The page holds a
 * template for each kind of row; rows are filled as text, never as markup.
 */

import "./base.js";
import { FeaturedBoard } from "../front/featured-board.js";
import { findRatingFilter } from "../front/rating-filter.js";
import { drawThumbnail } from "../game/thumbnail.js";
import { byId, cloneTemplate, fill, find, syncRows } from "../lib/dom.js";
import { follow } from "../lib/page-connection.js";
import { t } from "../lib/text.js";

/** @type {[number, (count: number) => string][]} */
const UNITS = [
  [86400, (count) => t("{count} d", { count })],
  [3600, (count) => t("{count} h", { count })],
  [60, (count) => t("{count} min", { count })],
  [1, (count) => t("{count} s", { count })],
];

const AGES_INTERVAL_MS = 10_000;

/**
 * "20 s", "4 min", "2 h", "3 d": the largest whole unit; the server's pages write them alike.
 *
 * @param {number} seconds
 */
export function ageText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [size, say] = UNITS.find(([least]) => whole >= least) ?? UNITS[UNITS.length - 1];
  return say(Math.floor(whole / size));
}

class Lists {
  /**
   * @param {HTMLElement} root
   * @param {(frame: Wire.Lists) => void} onShow
   */
  constructor(root, onShow) {
    this.root = root;
    this.onShow = onShow;
    this.rev = -1;
    this.offset = 0;
    /** @type {Wire.ListedLobby[]} */
    this.lobbies = [];
    this.filter = findRatingFilter(root, () => this.showLobbies());
  }

  /** @param {Wire.Lists} frame */
  show(frame) {
    this.onShow(frame); // the large board is painted first
    this.rev = frame.rev;
    this.offset = frame.now - Date.now();
    this.lobbies = frame.lobbies;
    fill(this.root, { counts: frame.counts });
    this.showLobbies();
    const { featured } = frame;
    const isFront = this.root.dataset.key === undefined;
    const games = isFront ? frame.games.filter(({ slug }) => slug !== featured?.slug) : frame.games;
    this.showRows("games", games, ({ slug }) => slug, showGame);
  }

  showLobbies() {
    const { filter, lobbies } = this;
    const shown = filter ? filter.select(lobbies, document.body.dataset.me) : lobbies;
    this.showRows(
      "lobbies",
      shown,
      ({ code }) => code,
      (row, item) => this.showLobby(row, item),
    );
    const empty = this.root.querySelector("[data-empty=lobbies]");
    if (empty instanceof HTMLElement) empty.hidden = lobbies.length > 0;
  }

  /**
   * @template T
   * @param {string} name
   * @param {T[]} items
   * @param {(item: T) => string} keyOf
   * @param {(row: HTMLElement, item: T) => void} show
   */
  showRows(name, items, keyOf, show) {
    const list = this.root.querySelector(`[data-list=${name}]`);
    if (!list) return;
    const template = find(this.root, `[data-row=${name}]`);
    const shown = items.slice(0, Number(list.dataset.most ?? items.length));
    syncRows(list, shown, {
      keyOf,
      make: () => cloneTemplate(template),
      show,
    });
    find(this.root, `[data-empty=${name}]`).hidden = items.length > 0;
  }

  /**
   * @param {HTMLElement} row
   * @param {Wire.ListedLobby} item
   */
  showLobby(row, item) {
    fill(row, { ...item, age: this.ageOf(item) });
    find(row, "use").setAttribute("href", `#figure-${item.figure}`);
    const isMine = item.host === document.body.dataset.me;
    find(row, "button").hidden = isMine;
    find(row, "a").hidden = !isMine;
  }

  /** @param {Wire.ListedLobby} item */
  ageOf(item) {
    return ageText((Date.now() + this.offset - item.created) / 1000);
  }

  /** Lets the ages of the rows that stand grow. */
  age() {
    for (const item of this.lobbies) {
      const row = this.root.querySelector(`[data-key="${CSS.escape(item.code)}"]`);
      if (row) fill(row, { age: this.ageOf(item) });
    }
  }
}

/**
 * @param {HTMLElement} row
 * @param {Wire.GameSummary} item
 */
function showGame(row, item) {
  fill(row, item);
  drawThumbnail(find(row, "canvas"), item);
}

/**
 * Shows the lists that came with the page and keeps them up to date; `onShow` gets each frame.
 *
 * @param {HTMLElement} root
 * @param {Wire.Lists} first
 * @param {(frame: Wire.Lists) => void} onShow
 */
export function startLists(root, first, onShow) {
  const lists = new Lists(root, onShow);
  lists.show(first);
  const { key } = root.dataset;
  const subscription = follow(key ? `lists:${key}` : "lists", {
    revOf: () => lists.rev,
    onMessage: (frame) => {
      if (frame.t === "lists")
        lists.show(/** @type {Wire.Lists} */ (/** @type {unknown} */ (frame)));
    },
    onOpen: () => {},
    onState: (state) => {
      if (!state.open) lists.rev = -1;
    },
  });
  subscription.connect();
  setInterval(() => lists.age(), AGES_INTERVAL_MS);
}

/**
 * Returns the value of a `json_script` block of the page; null if the page has none.
 *
 * @param {string} id
 */
function readBlock(id) {
  const script = document.getElementById(id);
  return script && JSON.parse(script.textContent);
}

/**
 * The board of each game on offer: the newest game being played, else the position of its card.
 *
 * @param {Record<string, Wire.GameSummary>} boards
 * @param {Record<string, Wire.GameSummary>} pictures
 */
function drawBoards(boards, pictures) {
  /** @type {NodeListOf<HTMLCanvasElement>} */
  const canvases = document.querySelectorAll("[data-picture]");
  for (const canvas of canvases) {
    const { picture: key = "" } = canvas.dataset;
    drawThumbnail(canvas, boards[key] ?? pictures[key]);
  }
}

/** @param {Wire.GameSummary[]} games */
function drawFinished(games) {
  const rows = /** @type {Iterable<HTMLElement>} */ (find(document, "[data-finished]").children);
  for (const row of rows) {
    const game = games.find(({ slug }) => slug === row.dataset.key);
    if (game) drawThumbnail(find(row, "canvas"), game);
  }
}

const pictures = readBlock("pictures");

const finished = readBlock("finished");

if (finished) drawFinished(finished);

const lists = readBlock("lists-now");

/** @returns {(frame: Wire.Lists) => void} shows a frame on the large board of the front page */
function startFeatured() {
  const root = document.getElementById("featured");
  if (root === null) return () => {};
  const board = new FeaturedBoard(root);
  const idle = pictures[root.dataset.idle ?? ""];
  if (root.dataset.empty !== undefined) drawThumbnail(board.canvas, idle);
  return (frame) => {
    board.show(frame.featured);
    fill(byId("here").parentElement ?? root, { here: frame.here });
  };
}

if (lists) {
  const showFeatured = startFeatured();
  startLists(byId("lists"), lists, (frame) => {
    showFeatured(frame);
    if (pictures) drawBoards(frame.boards, pictures);
  });
} else if (pictures) drawBoards({}, pictures);
