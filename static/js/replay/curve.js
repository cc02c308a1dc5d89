/** The chances over a game as a line: above the middle is good for the side that it tells of. */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [100, 40, 2];

/** Where a point lies in the picture. Pure. */
export function placed([go, value], count) {
  const x = count > 1 ? ((go - 1) / (count - 1)) * WIDTH : WIDTH / 2;
  const y = HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
}

function made(tag, className, attributes) {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Draws points [go, value] of a game of `count` goes; a stroke stands at the go `at`, 0 for none. */
export function drawCurve(svg, points, count, at) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  const middle = { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 };
  const parts = [made("line", "curve-level", middle)];
  if (at > 0) {
    const [x] = placed([at, 0], count);
    parts.push(made("line", "curve-now", { x1: x, x2: x, y1: 0, y2: HEIGHT }));
  }
  const line = points.map((point) => placed(point, count).join(",")).join(" ");
  parts.push(made("polyline", "curve-line", { points: line }));
  svg.replaceChildren(...parts);
}
