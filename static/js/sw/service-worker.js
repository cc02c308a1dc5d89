/**
 * The service worker, served as /sw.js after a line that declares SETTINGS (pages/installable).
 *
 * It shows pushes, counts on the app's icon, and has a page for navigations without a network. That
 * page and its style sheet are all that it keeps; it touches no other request. A classic script in
 * one file, since not every browser has workers that import modules.
 */

/** This scope, by the type that the library gives no script. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE_PREFIX = "offline-";
const CACHE = `${CACHE_PREFIX}${SETTINGS.version}`;
const PAYLOAD_VERSION = 1;

/** @typedef {{ tag: string, title: string, body: string, url: string, waiting: number | null }} Push */

/**
 * Returns a path of this site; the front page for an address that is none.
 *
 * @param {unknown} url
 */
function pathOf(url) {
  if (typeof url !== "string" || !url.startsWith("/")) return "/";
  const parsed = URL.canParse(url, worker.location.origin) && new URL(url, worker.location.origin);
  if (!parsed || parsed.origin !== worker.location.origin) return "/";
  if (parsed.pathname.startsWith("//")) return "/"; // "/.//host" loses its dot, and names a host then
  return `${parsed.pathname}${parsed.search}${parsed.hash}`;
}

/**
 * Reads the payload of a push. An unreadable one becomes a general notification, since
 * browsers take the permission from a site whose pushes show nothing.
 *
 * @param {string} text
 * @returns {Push}
 */
function readPush(text) {
  const unknown = {
    tag: "news",
    title: "Quiver",
    body: SETTINGS.fallback,
    url: "/",
    waiting: null,
  };
  let payload;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return unknown;
    throw error;
  }
  if (payload?.v !== PAYLOAD_VERSION || typeof payload.title !== "string") return unknown;
  const { tag, title, body, url, waiting } = payload;
  return {
    tag: typeof tag === "string" && tag !== "" ? tag : unknown.tag,
    title,
    body: typeof body === "string" ? body : "",
    url: pathOf(url),
    waiting: Number.isInteger(waiting) && waiting >= 0 ? waiting : null,
  };
}

/**
 * Returns whether a replaced notification sounds again: the repeat of a post that may have arrived
 * must not, a warning about the same turn must.
 *
 * @param {{ title: string, body: string } | undefined} shown
 * @param {Push} push
 */
function isNews(shown, { title, body }) {
  return shown === undefined || shown.title !== title || shown.body !== body;
}

/** @param {number} count games that wait */
async function showBadge(count) {
  if (!("setAppBadge" in worker.navigator)) return;
  if (count > 0) await worker.navigator.setAppBadge(count);
  else await worker.navigator.clearAppBadge();
}

/** @returns {Promise<readonly WindowClient[]>} */
function openPages() {
  return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/**
 * @param {readonly WindowClient[]} pages
 * @param {string} path
 */
function pageAt(pages, path) {
  const { pathname } = new URL(path, worker.location.origin);
  return pages.find(({ url }) => new URL(url).pathname === pathname);
}

/** @param {Push} push */
async function showPush({ waiting, ...push }) {
  const { registration } = worker;
  const [shown] = await registration.getNotifications({ tag: push.tag });
  const page = pageAt(await openPages(), push.url);
  const isLookedAt = page?.visibilityState === "visible";
  const isLoud = !isLookedAt && isNews(shown, { waiting, ...push });
  await registration.showNotification(push.title, {
    body: push.body,
    tag: push.tag,
    icon: SETTINGS.icon,
    badge: SETTINGS.badge,
    data: { url: push.url },
    silent: !isLoud,
    ...{ renotify: isLoud && shown !== undefined },
  });
  // Some browsers demand that each push shows something; the page itself has told it already.
  if (isLookedAt)
    for (const each of await registration.getNotifications({ tag: push.tag })) each.close();
  if (waiting !== null) await showBadge(waiting);
}

/** @param {string} path */
async function openPage(path) {
  const page = pageAt(await openPages(), path);
  if (page) await page.focus();
  else await worker.clients.openWindow(path);
}

/**
 * Subscribes again after the browser has dropped a subscription, and tells the site.
 *
 * @param {PushSubscription | null} old
 */
async function renewSubscription(old) {
  const key = old?.options.applicationServerKey;
  if (!key) return; // the next page of the site renews it: notices/push-upkeep.js
  const subscription = await worker.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { token } = await (await fetch(SETTINGS.token)).json();
  await fetch(SETTINGS.devices, {
    method: "POST",
    headers: { "X-CSRFToken": token, Accept: "application/json" },
    body: new URLSearchParams({ subscription: JSON.stringify(subscription), name: "" }),
  });
}

async function keepOfflinePage() {
  const cache = await caches.open(CACHE);
  const files = [SETTINGS.offlinePage, SETTINGS.offlineSheet];
  await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOldPages() {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** @param {FetchEvent} event */
async function answerNavigation({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    const kept = await caches.match(SETTINGS.offlinePage, { cacheName: CACHE });
    if (!kept) throw error;
    return new Response(kept.body, { status: 503, headers: kept.headers });
  }
}

/** @param {Request} request the offline page's own, or none reaches this */
async function answerSheet(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

worker.addEventListener("install", (event) => {
  event.waitUntil(keepOfflinePage().then(() => worker.skipWaiting()));
});

// No page is taken over or reloaded: pages that are open need nothing of the worker.
worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([dropOldPages(), worker.registration.navigationPreload?.enable()]));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(answerNavigation(event));
  } else if (new URL(request.url).pathname === SETTINGS.offlineSheet)
    event.respondWith(answerSheet(request));
});

worker.addEventListener("push", (event) => {
  event.waitUntil(showPush(readPush(event.data?.text() ?? "")));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(pathOf(event.notification.data?.url)));
});

worker.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription } = /** @type {ExtendableEvent & SubscriptionChange} */ (event);
  /** @type {ExtendableEvent} */ (event).waitUntil(renewSubscription(oldSubscription ?? null));
});
