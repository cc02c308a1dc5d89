/** Entry of the index of the rules: a first lesson, moving pictures, and the progress on this device. */

import "./base.js";
import "../learn/moving-pictures.js";
import { Practice } from "../learn/practice.js";
import { solvedOf } from "../learn/progress.js";
import { readJson } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** The names of the positions of each course. @type {Record<string, string[]>} */
const courses = readJson("courses");

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll("[data-course]");

function showProgress() {
  for (const place of places) {
    const { course = "" } = place.dataset;
    const solved = solvedOf(course);
    const done = courses[course].filter((slug) => solved.has(slug)).length;
    const all = courses[course].length;
    if (done === all) place.textContent = t("✓ All {all} positions solved", { all });
    else if (done > 0) place.textContent = t("{done} of {all} positions solved", { done, all });
  }
}

showProgress();

addEventListener("pageshow", (event) => {
  if (event.persisted) showProgress(); // of what was solved on a later page
});

new Practice({ onSolved: showProgress });
