/** Notifications on this device: whether they are on, turned on by a click, turned off. */

import { t } from "../lib/text.js";
import { addDevice } from "./devices-api.js";
import { bytesOf, isApplePhone, isSameKey, pushState } from "./push-state.js";
import { forgetDevice, noteDevice } from "./push-storage.js";
import { currentSubscription, registerWorker } from "./worker.js";

/** Returns whether this browser has what push needs. */
function canPush() {
  return (
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis
  );
}

/**
 * Resolves to the state of this device; `isListed(endpoint)`: whether the account's list has it.
 *
 * @param {string} key the site's public key, base64url; empty where the site sends no pushes
 * @param {(endpoint: string) => Promise<boolean>} isListed
 */
export async function readState(key, isListed) {
  const subscription = await currentSubscription();
  return pushState({
    key,
    canPush: canPush(),
    isApplePhone: isApplePhone(navigator),
    permission: "Notification" in globalThis ? Notification.permission : "denied",
    isListed: subscription !== null && (await isListed(subscription.endpoint)),
  });
}

/**
 * Resolves to the SHA-256 of an endpoint, as the list of devices has it.
 *
 * @param {string} endpoint
 */
export async function digestOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Resolves to a subscription with the site's key; one with another key is replaced.
 *
 * @param {Uint8Array<ArrayBuffer>} key
 */
export async function subscribe(key) {
  const { pushManager } = await registerWorker();
  const before = await pushManager.getSubscription();
  if (before && isSameKey(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Turns notifications on: asks for the permission, subscribes, and tells the site. Called by a click
 * and never otherwise, because browsers block sites that ask without one.
 *
 * @param {string} key the site's public key, base64url
 * @returns {Promise<{ state: "on", id: string } | { state: "off" | "blocked", error: string }>}
 */
export async function turnOn(key) {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") {
    const isBlocked = permission === "denied";
    return { state: isBlocked ? "blocked" : "off", error: isBlocked ? blockedText() : "" };
  }
  let subscription;
  try {
    subscription = await subscribe(bytesOf(key));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // its push service cannot be reached
    return { state: "off", error: t("Your browser couldn’t turn notifications on. Try again.") };
  }
  const answer = await addDevice(subscription);
  if (answer === null || "error" in answer) {
    await subscription.unsubscribe();
    return { state: "off", error: answer?.error ?? t("No connection. Try again.") };
  }
  noteDevice({ key, endpoint: subscription.endpoint });
  return { state: "on", id: String(answer.id) };
}

/** Drops the subscription of this browser; the caller removes the device from the list. */
export async function unsubscribe() {
  forgetDevice();
  await (await currentSubscription())?.unsubscribe();
}

/** The sentence for a browser in which the site is blocked. */
export function blockedText() {
  return t("Notifications are blocked for Quiver. Allow them in your browser’s site settings.");
}

/** The sentence for a phone whose browser has push in apps of the Home Screen only. */
export function homeScreenText() {
  return t("Add Quiver to your Home Screen first: Share → Add to Home Screen.");
}
