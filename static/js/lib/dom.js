/**
 * Helpers for the page's elements: values into templates, keyed rows, parts that are loaded later.
 *
 * Values are written as text and attributes, never as markup.
 */

import { required } from "./required.js";

/**
 * Returns the element with this id; TypeError if the page has none. Where one may be missing, ask
 * `document.getElementById` and handle null.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = required(document.getElementById(id), `the element #${id}`);
  return /** @type {T} */ (/** @type {unknown} */ (element));
}

/**
 * Returns the first element below `root` that a selector matches; TypeError if there is none. Where one
 * may be missing, ask `querySelector` and handle null.
 *
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {T}
 */
export function find(root, selector) {
  return /** @type {T} */ (required(root.querySelector(selector), `an element ${selector}`));
}

/**
 * Returns the value of a `json_script` block of the page, in the type that its reader gives it.
 *
 * @template T
 * @param {string} id
 * @returns {T}
 */
export function readJson(id) {
  return JSON.parse(byId(id).textContent ?? "");
}

/**
 * Returns a new copy of the element in a template.
 *
 * @param {Element} template
 * @returns {HTMLElement}
 */
export function cloneTemplate(template) {
  const { content } = /** @type {HTMLTemplateElement} */ (template);
  return /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
}

/**
 * The value at a dotted path, "counts.games"; undefined where the path ends early.
 *
 * @param {object} values
 * @param {string} path
 * @returns {unknown}
 */
export function valueAt(values, path) {
  /** @type {(value: unknown, name: string) => unknown} */
  const follow = (value, name) => /** @type {Record<string, unknown> | null} */ (value)?.[name];
  return path.split(".").reduce(follow, values);
}

/** @param {unknown} value */
const isEmpty = (value) =>
  value === null || value === undefined || value === false || value === 0 || value === "";

/** @param {unknown} value */
const textOf = (value) => String(value ?? "");

/** @type {Record<string, (part: HTMLElement, value: unknown) => void>} */
const WRITERS = {
  text: (part, value) => {
    if (part.textContent !== textOf(value)) part.textContent = textOf(value);
  },
  show: (part, value) => {
    part.hidden = isEmpty(value);
  },
  hide: (part, value) => {
    part.hidden = !isEmpty(value);
  },
  link: (part, value) => {
    part.setAttribute(part.tagName === "BUTTON" ? "formaction" : "href", textOf(value));
  },
  value: (part, value) => {
    /** @type {HTMLInputElement} */ (part).value = textOf(value);
  },
};

/**
 * Writes values into the parts of an element: `data-text="host"`, `data-show="may.leave"`,
 * `data-hide`, `data-link`, `data-value`. A path whose first name `values` lacks is left alone.
 *
 * @param {HTMLElement} element
 * @param {object} values
 */
export function fill(element, values) {
  for (const [kind, write] of Object.entries(WRITERS)) {
    for (const part of element.querySelectorAll(`[data-${kind}]`)) {
      const path = part.dataset[kind] ?? "";
      if (path.split(".")[0] in values) write(part, valueAt(values, path));
    }
  }
}

/**
 * Makes a list's rows those of `items`, in their order; a row that stays keeps its element. Rows that
 * the server has rendered stay if they have `data-key`.
 *
 * @template T
 * @template {HTMLElement} R
 * @param {Element} list
 * @param {readonly T[]} items
 * @param {{ keyOf: (item: T) => string, make: () => R, show: (row: R, item: T) => void }} options
 */
export function syncRows(list, items, { keyOf, make, show }) {
  /** @type {Map<string, R>} */
  const rows = new Map();
  for (const row of /** @type {R[]} */ ([...list.children])) {
    if (row.dataset.key === undefined) row.remove();
    else rows.set(row.dataset.key, row);
  }
  items.forEach((item, index) => {
    const key = keyOf(item);
    const row = rows.get(key) ?? make();
    rows.delete(key);
    row.dataset.key = key;
    show(row, item);
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
  // The elements left over stand after the items, rows without a key too.
  while (list.children.length > items.length) list.lastElementChild?.remove();
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {Record<string, unknown>} [attributes]
 * @param {string} [text]
 */
export function makeElement(tag, className, attributes = {}, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== "") made.textContent = text;
  return made;
}

/**
 * Resolves after a time in ms.
 *
 * @param {number} time
 * @returns {Promise<void>}
 */
export const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Delay until a part that could not be had is asked for again. */
const RETRY_DELAY_MS = 4000;

/**
 * Imports a module, as often as it takes.
 *
 * @template M
 * @param {() => Promise<M>} get
 * @returns {Promise<M>}
 */
export async function importWithRetry(get) {
  try {
    return await get();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the page says so elsewhere
    await pause(RETRY_DELAY_MS);
    return importWithRetry(get);
  }
}

/**
 * `get()` imports the part's module, `make(module)` makes the part of it. Gives a function that takes
 * a task, and does it with the part once that is there, one task after the other.
 *
 * @template M, P
 * @param {() => Promise<M>} get
 * @param {(module: M) => P} make
 * @returns {(task: (part: P) => void) => void}
 */
export function loadLater(get, make) {
  /** @type {Promise<P> | null} */
  let part = null;
  return (task) => {
    part ??= importWithRetry(get).then(make);
    part.then(task);
  };
}

/**
 * Resolves once the page is loaded and idle.
 *
 * @returns {Promise<void>}
 */
export const idle = () => new Promise((done) => runWhenIdle(done));

/**
 * Does something once the page is loaded and idle.
 *
 * @param {() => void} task
 */
export function runWhenIdle(task) {
  const wait = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 200));
  if (document.readyState === "complete") wait(task);
  else addEventListener("load", () => wait(task), { once: true });
}

/** Resolves when the page is visible. */
export function whenVisible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve(undefined);
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}
