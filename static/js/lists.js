/**
 * The lists of open lobbies and of games being played, kept as the server's last frame says.
 * The page holds a template for each kind of row; rows are filled as text, never as markup.
 */

import { drawMini } from "./board/mini.js";
import { fill, syncRows } from "./fill.js";
import { Line, addressOf } from "./socket.js";
import { t } from "./text.js";

const UNITS = [
  [86400, (count) => t("{count} d", { count })],
  [3600, (count) => t("{count} h", { count })],
  [60, (count) => t("{count} min", { count })],
  [1, (count) => t("{count} s", { count })],
];
const AGES_EVERY = 10_000;

/** "20 s", "4 min", "2 h", "3 d": the largest whole unit; the server's pages write them alike. */
export function ageText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [size, say] = UNITS.find(([least]) => whole >= least) ?? UNITS.at(-1);
  return say(Math.floor(whole / size));
}

class Lists {
  constructor(root, onShow) {
    this.root = root;
    this.onShow = onShow;
    this.rev = -1;
    this.offset = 0;
    this.lobbies = [];
  }

  show(frame) {
    this.rev = frame.rev;
    this.offset = frame.now - Date.now();
    this.lobbies = frame.lobbies;
    fill(this.root, { counts: frame.counts });
    this.showRows("lobbies", frame.lobbies, "code", (row, item) => this.showLobby(row, item));
    this.showRows("games", frame.games, "slug", (row, item) => showGame(row, item));
    this.onShow(frame);
  }

  showRows(name, items, key, show) {
    const list = this.root.querySelector(`[data-list=${name}]`);
    if (!list) return;
    const template = this.root.querySelector(`[data-row=${name}]`).content.firstElementChild;
    const shown = items.slice(0, Number(list.dataset.most ?? items.length));
    syncRows(list, shown, { keyOf: (item) => item[key], make: () => template.cloneNode(true), show });
    this.root.querySelector(`[data-empty=${name}]`).hidden = items.length > 0;
  }

  showLobby(row, item) {
    fill(row, { ...item, age: this.ageOf(item) });
    row.querySelector("use").setAttribute("href", `#figure-${item.figure}`);
    const isMine = item.host === this.root.dataset.me;
    row.querySelector("form").hidden = isMine;
    row.querySelector("a").hidden = !isMine;
  }

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

function showGame(row, item) {
  fill(row, item);
  drawMini(row.querySelector("canvas"), item);
}

/** Shows the lists that came with the page and keeps them up to date; `onShow` gets each frame. */
export function startLists(root, first, onShow) {
  const lists = new Lists(root, onShow);
  lists.show(first);
  const { key = "" } = root.dataset;
  const game = key && `${key}/`;
  const path = `/ws/lists/${game}?lang=${document.documentElement.lang}`;
  const line = new Line(addressOf(path), {
    revOf: () => lists.rev,
    onMessage: (frame) => {
      if (frame.t === "lists") lists.show(frame);
    },
    onOpen: () => {},
    onState: (state) => {
      if (!state.open) lists.rev = -1;
    },
  });
  line.connect();
  setInterval(() => lists.age(), AGES_EVERY);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") line.hurry();
  });
  addEventListener("online", () => line.hurry());
}
