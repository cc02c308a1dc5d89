/** Where blocks stand: four to a rank in a plot, ten places in a row in the tray. Pure. */

/** How blocks stand: so many to a rank, each with this share of the plot's width. */
export const WIDE = { rank: 4, share: 0.184, inside: 0.92 };
/** On small boards, where four to a rank would be specks. */
export const MINI = { rank: 2, share: 0.385, inside: 0.82 };
const LARGEST = 40;

export function blockWidth(plotWidth, { share } = WIDE) {
  return Math.min(LARGEST, share * plotWidth);
}

/**
 * The boxes {x, y, width} of `count` blocks, ranks going from `from` by `direction` (1 down, -1 up).
 * Where `room` is too low for the ranks, they overlap.
 */
export function ranks(plotWidth, count, from, direction = 1, room = Infinity, order = WIDE) {
  const { rank: files, inside } = order;
  const width = blockWidth(plotWidth, order);
  const height = (width * 2) / 3;
  const gap = Math.min(10, (inside * plotWidth - files * width) / (files - 1));
  const left = Math.min(16, (plotWidth - files * width - (files - 1) * gap) / 2);
  const wanted = height * 1.12 + Math.max(3, 0.16 * width);
  const behind = Math.ceil(count / files) - 1;
  const step = behind > 0 ? Math.min(wanted, (room - 1.2 * height) / behind) : wanted;
  return Array.from({ length: count }, (_, index) => {
    const rank = Math.floor(index / files);
    const y = direction === 1 ? from + rank * step : from - height * 1.15 - rank * step;
    return { x: left + (index % files) * (width + gap), y, width };
  });
}

/** The boxes of `total` places in a tray of this size. */
export function trayPlaces(trayWidth, trayHeight, total) {
  const room = trayWidth / total;
  const width = Math.min(38, 0.76 * room);
  return Array.from({ length: total }, (_, index) => ({
    x: index * room + 2,
    y: (trayHeight - (width * 2) / 3) / 2,
    width,
  }));
}

/** Whether a point is in a box, or within `reach` of it. */
export function isIn({ x, y, width }, point, reach = 4) {
  const height = (width * 2) / 3;
  return (
    point.x >= x - reach &&
    point.x <= x + width + reach &&
    point.y >= y - reach &&
    point.y <= y + height + reach
  );
}
