/**
 * Keeps the worker and the subscription of a device with notifications, and the worker of an
 * installed app; drops the subscription when somebody logs out.
 */

import { addDevice } from "./devices-api.js";
import { subscribe, unsubscribe } from "./push-device.js";
import { bytesOf } from "./push-state.js";
import { noteDevice, notedDevice } from "./push-storage.js";
import { currentSubscription, registerWorker } from "./worker.js";
import { isAllowed } from "./worker-use.js";

/** Subscribes anew if the browser has dropped or changed the subscription that the site knows. */
async function renew() {
  const noted = notedDevice();
  if (noted === null || !isAllowed() || !("PushManager" in globalThis)) return;
  if ((await currentSubscription())?.endpoint === noted.endpoint) return;
  const subscription = await subscribe(bytesOf(noted.key));
  const answer = await addDevice(subscription);
  if (answer && "id" in answer) noteDevice({ key: noted.key, endpoint: subscription.endpoint });
}

/** The form does not wait for it: the site drops the device when its session ends. */
function unsubscribeAtLogOut() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.getAttribute("action") === "/log-out/") unsubscribe();
  });
}

/**
 * Registers the worker, and keeps the subscription of a reader with a session.
 *
 * @param {boolean} hasReader
 */
export async function keepWorker(hasReader) {
  if (hasReader) unsubscribeAtLogOut();
  try {
    await registerWorker();
    if (hasReader) await renew();
  } catch (error) {
    // No network, no storage, or no push service: the next page tries again.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
}
