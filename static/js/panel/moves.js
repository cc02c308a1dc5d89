/** The move list on the page. It is built again only when its rows have changed, and ends at the newest. */

import { rowsOf } from "./rows.js";

const SIGNS = { white: ["△", "triangles"], black: ["○", "circles"] };

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function cellOf({ text, last = false, open = false }) {
  const cell = element("span", "cell", text);
  if (last) cell.classList.add("newest");
  if (open) cell.classList.add("open");
  return cell;
}

function rowOf({ number, role, cells }) {
  const row = element("li", role ? "row with-sign" : "row");
  row.append(element("span", "number", String(number)));
  if (role) {
    const [sign, name] = SIGNS[role];
    const mark = element("span", "sign", sign);
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", name);
    row.append(mark);
  }
  row.append(...cells.map(cellOf));
  return row;
}

export class Moves {
  constructor(list, key) {
    this.list = list;
    this.key = key;
    this.shown = "";
    this.atEnd = true;
    this.height = 0;
    const scroll = list.parentElement;
    scroll.addEventListener("scroll", () => this.scrolled(scroll));
    new ResizeObserver(() => this.resized(scroll)).observe(scroll);
  }

  /** A person who has scrolled back is left there; a scroll that a change of size made is none. */
  scrolled({ scrollHeight, scrollTop, clientHeight }) {
    if (clientHeight !== this.height) return;
    this.atEnd = scrollHeight - scrollTop - clientHeight < 20;
  }

  resized(scroll) {
    this.height = scroll.clientHeight;
    if (this.atEnd) this.toEnd();
  }

  toEnd() {
    const scroll = this.list.parentElement;
    scroll.scrollTop = scroll.scrollHeight;
    this.atEnd = true;
  }

  show(goes, open) {
    const rows = rowsOf(this.key, goes, open);
    const text = JSON.stringify(rows);
    if (text === this.shown) return;
    const grown = rows.length > this.list.children.length;
    this.shown = text;
    this.list.replaceChildren(...rows.map(rowOf));
    if (grown || this.atEnd) this.toEnd();
  }
}
