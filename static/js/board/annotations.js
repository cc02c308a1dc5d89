/** Arrows and circles that a person draws on a board for himself: values, never sent. Pure. */

/**
 * Returns the annotation between two squares: an arrow, or a circle where both are the same.
 *
 * @param {Square} start
 * @param {Square} end
 * @returns {Annotation}
 */
export function annotationOf(start, end) {
  return Object.freeze({ start, end });
}

/** @param {Annotation} annotation */
export function isCircle({ start, end }) {
  return start === end;
}

/**
 * Returns the annotations with another one; without it if it was there.
 *
 * @param {readonly Annotation[]} annotations
 * @param {Annotation} annotation
 */
export function toggled(annotations, { start, end }) {
  const others = annotations.filter((other) => other.start !== start || other.end !== end);
  return others.length < annotations.length ? others : [...others, annotationOf(start, end)];
}
