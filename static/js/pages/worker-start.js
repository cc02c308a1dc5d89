/** Entry of every page: loads the upkeep of the service worker, where one is of use. */

import { loadLater, runWhenIdle } from "../lib/dom.js";
import { isAllowed, isInstalled } from "../notices/worker-use.js";

const withUpkeep = loadLater(
  () => import("../notices/push-upkeep.js"),
  (module) => module,
);

const hasReader = document.getElementById("mine-now") !== null;

if ("serviceWorker" in navigator && (isInstalled() || (isAllowed() && hasReader)))
  runWhenIdle(() => withUpkeep(({ keepWorker }) => keepWorker(hasReader)));
