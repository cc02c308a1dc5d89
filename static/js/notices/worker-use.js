/** Whether a service worker is of use on this device: asked by every page, so it is a module of its own. */

/** Whether this page is in the window of the installed app. */
export function isInstalled() {
  return (
    matchMedia("(display-mode: standalone)").matches ||
    Boolean(/** @type {{ standalone?: boolean }} */ (navigator).standalone) // Safari's own
  );
}

/** Whether this browser has the permission to notify. */
export function isAllowed() {
  return "Notification" in globalThis && Notification.permission === "granted";
}
