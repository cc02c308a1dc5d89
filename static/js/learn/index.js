/** The index of the rules: says how many positions of each game have been solved here. */

import { t } from "../text.js";
import { solvedOf } from "./progress.js";

const courses = JSON.parse(document.getElementById("courses").textContent);

for (const place of document.querySelectorAll("[data-course]")) {
  const { course } = place.dataset;
  const solved = solvedOf(course);
  const done = courses[course].filter((slug) => solved.has(slug)).length;
  const all = courses[course].length;
  if (done === all) place.textContent = t("✓ All {all} positions solved", { all });
  else if (done > 0) place.textContent = t("{done} of {all} positions solved", { done, all });
}
