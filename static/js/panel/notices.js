/** Notices: an icon, what is, and what happens next. Each has a name, and there is one of a name. */

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  line:
    "M3 9.5a13 13 0 0 1 4-2.3M11 6.1a13 13 0 0 1 10 3.4M6.5 13.2a8 8 0 0 1 3-1.8" +
    "M14.5 11.4a8 8 0 0 1 3 1.8M12 17.5h.01M4 20 20 4",
  refused: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9l6 6M15 9l-6 6",
  sending: "M5 12h.01M12 12h.01M19 12h.01",
  computer: "M7 7.5h10v9H7ZM10 4v3.5M14 4v3.5M10 16.5V20M14 16.5V20M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5",
  away: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2",
  told: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5M12 8h.01",
};

const LASTS = 6000;

function icon(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[kind]);
  svg.append(path);
  return svg;
}

function sheet(kind) {
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.dataset.kind = kind;
  const text = document.createElement("div");
  const [what, then] = [document.createElement("p"), document.createElement("p")];
  then.className = "small";
  text.append(what, then);
  notice.append(icon(kind), text);
  return { notice, what, then };
}

export class Notices {
  constructor(root) {
    this.root = root;
    this.sheets = new Map();
    this.timers = new Map();
  }

  /** Shows (or rewrites) the notice `kind`. `passing`: it goes by itself after a while. */
  show(kind, [what, then], { passing = false } = {}) {
    if (!this.sheets.has(kind)) {
      const made = sheet(kind);
      this.sheets.set(kind, made);
      this.root.append(made.notice);
    }
    const parts = this.sheets.get(kind);
    if (parts.what.textContent !== what) parts.what.textContent = what;
    if (parts.then.textContent !== then) parts.then.textContent = then;
    clearTimeout(this.timers.get(kind));
    if (passing) this.timers.set(kind, setTimeout(() => this.hide(kind), LASTS));
  }

  hide(kind) {
    clearTimeout(this.timers.get(kind));
    this.sheets.get(kind)?.notice.remove();
    this.sheets.delete(kind);
  }
}
