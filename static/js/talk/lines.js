/** The list of lines: text and buttons only, never markup made of what somebody wrote. */

import { syncRows } from "../fill.js";
import { t } from "../text.js";
import { wordsOf } from "./phrases.js";
import { nameOf, tagOf } from "./words.js";

const CLOCK = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" });

function span(name, text) {
  const part = document.createElement("span");
  part.className = name;
  part.textContent = text;
  return part;
}

function moment(at) {
  const time = document.createElement("time");
  time.className = "unseen";
  time.dateTime = new Date(at).toISOString();
  time.textContent = `, ${CLOCK.format(at)}`;
  return time;
}

function words(line, heard) {
  const said = document.createElement("p");
  said.append(span("talk-by", line.you ? t("You") : nameOf(line)));
  const tag = tagOf(line, heard);
  if (tag) said.append(" ", span("talk-tag", tag));
  said.append(span("unseen", ":"), " ", span("talk-text", wordsOf(line)), moment(line.at));
  return said;
}

/** The button of somebody else's line, where it can be muted and reported. */
function menuOf(template, line) {
  const menu = template.content.firstElementChild.cloneNode(true);
  menu.setAttribute("aria-label", t("About the line by {name}", { name: nameOf(line) }));
  return menu;
}

export class Lines {
  /** `onMenu(line, button)` is called when somebody wants to do something about a line. */
  constructor(list, template, onMenu) {
    Object.assign(this, { list, template });
    this.known = new Map();
    list.addEventListener("click", ({ target }) => {
      const button = target.closest(".talk-menu");
      if (button) onMenu(this.known.get(button.closest("li").dataset.key), button);
    });
  }

  /** Shows the lines of a frame; how many of them are new and by others. */
  show({ lines, heard, may }) {
    const before = this.known;
    this.known = new Map(lines.map((line) => [String(line.id), line]));
    const reacts = may.why !== "stranger";
    syncRows(this.list, lines, {
      keyOf: ({ id }) => String(id),
      make: () => document.createElement("li"),
      show: (row, line) => this.fill(row, line, { heard, reacts }),
    });
    return lines.filter(({ id, you }) => !you && !before.has(String(id))).length;
  }

  /** A row is written anew only if it says something else: what has been read out stays quiet. */
  fill(row, line, { heard, reacts }) {
    const stamp = JSON.stringify([line, heard, reacts]);
    if (row.dataset.stamp === stamp) return;
    row.dataset.stamp = stamp;
    row.classList.toggle("own", line.you);
    row.replaceChildren(words(line, heard));
    if (reacts && !line.you && line.by !== null) row.append(menuOf(this.template, line));
  }

  buttonOf(id) {
    return this.list.querySelector(`li[data-key="${id}"] .talk-menu`);
  }
}
