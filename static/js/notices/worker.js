/**
 * Registration of the service worker.
 *
 * It intercepts each navigation, so it is registered only where it is needed: on devices with
 * notifications, and in the installed app, which has no address bar to say that the network is gone.
 */

import { workerUrl } from "../lib/trusted-types.js";

const WORKER = "/sw.js";

/** Registers the worker, if it isn't yet, and resolves when it can take pushes. */
export async function registerWorker() {
  await navigator.serviceWorker.register(workerUrl(WORKER), { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
}

/** Resolves to the subscription of this browser; null without one. */
export async function currentSubscription() {
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis)) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ?? null;
}
