/** Puts values into the elements that ask for them; as text and attributes, never as markup. */

/** The value at a dotted path, "counts.games"; undefined where the path ends early. */
export function valueAt(values, path) {
  return path.split(".").reduce((value, name) => value?.[name], values);
}

const isNothing = (value) =>
  value === null || value === undefined || value === false || value === 0 || value === "";

const WRITERS = {
  text: (part, value) => {
    if (part.textContent !== String(value ?? "")) part.textContent = value ?? "";
  },
  show: (part, value) => {
    part.hidden = isNothing(value);
  },
  hide: (part, value) => {
    part.hidden = !isNothing(value);
  },
  link: (part, value) => {
    part.setAttribute(part.tagName === "FORM" ? "action" : "href", value ?? "");
  },
  value: (part, value) => {
    part.value = value ?? "";
  },
};

/**
 * Writes values into the parts of an element: `data-text="host"`, `data-show="may.leave"`,
 * `data-hide`, `data-link`, `data-value`. A path whose first name `values` lacks is left alone.
 */
export function fill(element, values) {
  for (const [kind, write] of Object.entries(WRITERS)) {
    for (const part of element.querySelectorAll(`[data-${kind}]`)) {
      const path = part.dataset[kind];
      if (path.split(".")[0] in values) write(part, valueAt(values, path));
    }
  }
}

/** Makes a list's rows those of `items`, in their order; a row that stays keeps its element. */
export function syncRows(list, items, { keyOf, make, show }) {
  const rows = new Map([...list.children].map((row) => [row.dataset.key, row]));
  items.forEach((item, index) => {
    const key = keyOf(item);
    const row = rows.get(key) ?? make();
    rows.delete(key);
    row.dataset.key = key;
    show(row, item);
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
  rows.forEach((row) => row.remove());
}
