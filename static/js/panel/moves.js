/**
 * The move list on the page: every go is a button that shows its position. It is built again only
 * when its rows have changed, and ends at the newest. One stop of the tab key: the go that is shown.
 */

import { t } from "../text.js";
import { rowsOf } from "./rows.js";

const SIGNS = { white: ["△", t("triangles")], black: ["○", t("circles")] };

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function cellOf({ text, go = null, last = false, open = false }) {
  const cell = element(go === null ? "span" : "button", "cell", text);
  if (open) cell.classList.add("open");
  if (go === null) return cell;
  cell.type = "button";
  cell.dataset.goes = String(go);
  cell.tabIndex = last ? 0 : -1;
  if (last) {
    cell.classList.add("newest");
    cell.setAttribute("aria-current", "true");
  }
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
  /** `onGo(number)` is called with the go that was pressed. */
  constructor(list, key, onGo) {
    this.list = list;
    this.key = key;
    this.shown = "";
    this.atEnd = true;
    this.height = 0;
    this.scroll = list.parentElement;
    this.scroll.addEventListener("scroll", () => this.scrolled());
    new ResizeObserver(() => this.resized()).observe(this.scroll);
    list.addEventListener("click", ({ target }) => {
      const go = target.closest("[data-goes]")?.dataset.goes;
      if (go) onGo(Number(go));
    });
  }

  /** A person who has scrolled back is left there; a scroll that a change of size made is none. */
  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroll;
    if (clientHeight !== this.height) return;
    this.atEnd = scrollHeight - scrollTop - clientHeight < 20;
  }

  resized() {
    this.height = this.scroll.clientHeight;
    if (this.atEnd) this.toEnd();
  }

  toEnd() {
    this.scroll.scrollTop = this.scroll.scrollHeight;
    this.atEnd = true;
  }

  /** Brings the shown go into sight, without moving the page. */
  toShown() {
    const row = this.list.querySelector(".newest")?.closest(".row");
    if (!row) {
      this.scroll.scrollTop = 0;
      return;
    }
    const top = row.offsetTop - this.list.offsetTop;
    const { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop) this.scroll.scrollTop = top;
    else if (top + row.offsetHeight > scrollTop + clientHeight) {
      this.scroll.scrollTop = top + row.offsetHeight - clientHeight;
    }
  }

  /** `at`: the number of the go that is shown; `back`: somebody looks back at it. */
  show(goes, open, at, back) {
    const rows = rowsOf(this.key, goes, open, at);
    const text = JSON.stringify(rows);
    if (text === this.shown) return;
    const grown = rows.length > this.list.children.length;
    const focused = this.list.contains(document.activeElement);
    this.shown = text;
    this.list.replaceChildren(...rows.map(rowOf));
    this.keepStop();
    if (back) this.toShown();
    else if (grown || this.atEnd) this.toEnd();
    if (focused) this.list.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  /** There is always one stop for the tab key, also before the first go. */
  keepStop() {
    if (this.list.querySelector("[tabindex='0']")) return;
    const first = this.list.querySelector("button");
    if (first) first.tabIndex = 0;
  }
}
