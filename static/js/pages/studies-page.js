/** Entry of the list of one's studies: the import of an exported one. */

import "./base.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/text.js";
import { postStudy } from "../studies/study-requests.js";

/** As in `site/analysis/studies/study_requests.py`. */
const MAX_FILE_BYTES = 320 * 1024;

const field = /** @type {HTMLInputElement | null} */ (document.getElementById("import-file"));

/** @param {File} file */
async function importStudy(file) {
  const say = byId("import-say");
  if (file.size > MAX_FILE_BYTES) {
    say.textContent = t("That file is too large for a study.");
    return;
  }
  say.textContent = t("Importing…");
  const reply = await postStudy("/studies/import", await file.text());
  if ("done" in reply && reply.done.url) location.assign(reply.done.url);
  else if ("failed" in reply) say.textContent = reply.failed;
}

field?.addEventListener("change", async () => {
  const file = field.files?.[0];
  if (!file) return;
  await importStudy(file);
  field.value = "";
});
