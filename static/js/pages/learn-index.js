/** Entry of the index of the rules: shows how many positions of each game have been solved here. */

import "./home-page.js";
import { solvedOf } from "../learn/progress.js";
import { readJson } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** The names of the positions of each course. @type {Record<string, string[]>} */
const courses = readJson("courses");

for (const place of document.querySelectorAll("[data-course]")) {
  const { course = "" } = place.dataset;
  const solved = solvedOf(course);
  const done = courses[course].filter((slug) => solved.has(slug)).length;
  const all = courses[course].length;
  if (done === all) place.textContent = t("✓ All {all} positions solved", { all });
  else if (done > 0) place.textContent = t("{done} of {all} positions solved", { done, all });
}
