/** The service worker's script in a context of its own, with the parts of a browser that it uses. */

import { readFileSync } from "node:fs";
import vm from "node:vm";

const SOURCE = readFileSync(
  new URL("../../../static/js/sw/service-worker.js", import.meta.url),
  "utf8",
);
const ORIGIN = "https://quiver.example";
const SETTINGS = {
  version: "v1",
  offlinePage: "/offline/",
  offlineSheet: "/static/css/pages/offline.css",
  icon: "/icon.png",
  badge: "/badge.png",
  devices: "/notifications/push/",
  token: "/form-token/",
  fallback: "There is news in your games.",
};

/** A notification that a registration shows; one with its tag takes its place. */
class Shown {
  constructor(list, title, options) {
    Object.assign(this, { list, title, ...options });
  }

  close() {
    this.list.splice(this.list.indexOf(this), 1);
  }
}

/** A service worker whose notifications, pages and badge can be looked at. */
export class WorkerWorld {
  constructor() {
    this.listeners = {};
    this.shown = [];
    this.loud = [];
    this.pages = [];
    this.opened = [];
    this.badges = [];
    this.requests = [];
    this.kept = new Map();
    this.network = async () => new Response("live");
    const registration = {
      getNotifications: async ({ tag }) => this.shown.filter((each) => each.tag === tag),
      showNotification: async (title, options) => {
        this.shown = this.shown.filter((each) => each.tag !== options.tag);
        this.shown.push(new Shown(this.shown, title, options));
        if (!options.silent) this.loud.push(title);
      },
      pushManager: {
        subscribe: async (options) => ({ endpoint: "https://push.example/2", options }),
      },
    };
    const self = {
      location: { origin: ORIGIN },
      registration,
      navigator: {
        setAppBadge: async (count) => this.badges.push(count),
        clearAppBadge: async () => this.badges.push(0),
      },
      clients: {
        matchAll: async () => this.pages,
        openWindow: async (path) => this.opened.push(path),
      },
      addEventListener: (name, listen) => {
        this.listeners[name] = listen;
      },
      skipWaiting: async () => {},
    };
    const caches = {
      match: async (request) => this.kept.get(request.url ?? request)?.clone(),
      open: async () => ({ addAll: async () => {} }),
      keys: async () => [],
    };
    const fetch = async (request, options) => {
      this.requests.push([request.url ?? request, options]);
      return this.network(request);
    };
    vm.runInNewContext(SOURCE, {
      ...{ SETTINGS, self, caches, fetch, URL, URLSearchParams, Request, Response, TypeError },
      DOMException,
    });
  }

  /** Lets an event happen, and waits for all that the worker does about it. */
  async happen(name, event) {
    const waits = [];
    this.listeners[name]({ ...event, waitUntil: (task) => waits.push(task) });
    await Promise.all(waits);
  }

  push(payload) {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    return this.happen("push", { data: { text: () => text } });
  }

  /** The answer to a request; undefined where the worker leaves it to the browser. */
  async answer(request, preloadResponse = Promise.resolve(undefined)) {
    let given;
    this.listeners.fetch({
      request: { method: "GET", ...request },
      preloadResponse,
      respondWith: (answer) => {
        given = answer;
      },
    });
    return given;
  }
}
