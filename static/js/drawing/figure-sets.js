/**
 * Pieces of Amazons other than bows: crowns and discs. Loaded when somebody has chosen them. Pure.
 *
 * In the form of shapes.js. White's figure and Black's differ in outline too: points and arches, a
 * circle and a hexagon.
 */

const PLAIN = ["body"];

/** @type {ShapeLength} */
const LINE = [0, 0.034, 1.2];

/** @type {ShapeLength} */
const HALO = [0, 0.066, 3.2];

/** @type {ShapeLength} */
const BAND = [0.02, 0.03, 1.2];

/**
 * A circle as path data.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
const circle = (x, y, r) =>
  `M${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y} ${r} ${r} 0 1 1 ${x + r} ${y}Z`;

/** The points of White's crown, and the balls on them. */
const TIPS = [
  [-0.36, -0.13],
  [-0.19, -0.26],
  [0, -0.31],
  [0.19, -0.26],
  [0.36, -0.13],
];

/** @type {Figure["shadow"]} */
const GROUND = { ellipse: [0.01, 0.405, 0.29, 0.055], opacity: 0.26 };

/** @type {Figures} */
const CROWNS = {
  W: {
    shadow: GROUND,
    outline: ["body", "balls"],
    paths: {
      body: "M-.275 .36L-.36-.1-.245 .02-.19-.24-.085-.02 0-.28 .085-.02 .19-.24 .245 .02 .36-.1 .275 .36Q0 .44-.275 .36Z",
      shade: "M0-.28 .085-.02 .19-.24 .245 .02 .36-.1 .275 .36Q.14 .4 0 .4Z",
      balls: TIPS.map(([x, y]) => circle(x, y, 0.056)).join(""),
      band: "M-.285 .22Q0 .3 .285 .22",
    },
    layers: [
      { path: "body", fill: "lightFill" },
      { path: "shade", fill: "lightShade", from: 19 },
      { path: "body", stroke: "lightLine", width: LINE },
      { path: "band", stroke: "lightLine", width: [0, 0.03, 1.2], from: 26 },
      { path: "balls", fill: "lightFill", stroke: "lightLine", width: LINE, from: 19 },
    ],
  },
  B: {
    shadow: GROUND,
    outline: ["body", "orb"],
    paths: {
      body: "M-.265 .36L-.315 .12C-.43-.06-.36-.26-.18-.26-.1-.26-.04-.22 0-.14 .04-.22 .1-.26 .18-.26 .36-.26 .43-.06 .315 .12L.265 .36Q0 .44-.265 .36Z",
      shade: "M0-.14C.04-.22 .1-.26 .18-.26 .36-.26 .43-.06 .315 .12L.265 .36Q.13 .4 0 .4Z",
      orb: circle(0, -0.27, 0.1),
      arches: "M0-.1V.15M-.19-.16Q-.28-.06-.17 .13M.19-.16Q.28-.06 .17 .13",
      band: "M-.29 .23Q0 .31 .29 .23",
    },
    layers: [
      { path: "body", stroke: "darkHalo", width: HALO, from: 12 },
      { path: "orb", stroke: "darkHalo", width: HALO, from: 12 },
      { path: "body", fill: "darkFill" },
      { path: "shade", fill: "darkShade", from: 19 },
      { path: "arches", stroke: "darkTrim", width: [0, 0.028, 1], from: 30 },
      { path: "band", stroke: "darkTrim", width: BAND, cap: "butt", from: 12 },
      { path: "body", stroke: "darkLine", width: LINE },
      { path: "orb", fill: "darkFill", stroke: "darkLine", width: LINE, from: 12 },
    ],
  },
};

/** @type {Figures} */
const DISCS = {
  W: {
    shadow: { offset: 0.03, opacity: 0.28 },
    outline: PLAIN,
    paths: {
      body: circle(0, 0, 0.39),
      shade: "M.2758-.2758A.39 .39 0 0 1-.2758 .2758Z",
      ring: circle(0, 0, 0.22),
    },
    layers: [
      { path: "body", fill: "lightFill" },
      { path: "shade", fill: "lightShade", from: 19 },
      { path: "body", stroke: "lightLine", width: [0, 0.045, 1.4] },
      { path: "ring", stroke: "lightLine", width: [0, 0.034, 1], from: 12 },
    ],
  },
  B: {
    shadow: { offset: 0.03, opacity: 0.28 },
    outline: PLAIN,
    paths: {
      body: "M0-.41 .355-.205V.205L0 .41-.355 .205V-.205Z",
      shade: "M.355-.205V.205L0 .41-.355 .205Z",
      centre: circle(0, 0, 0.13),
    },
    layers: [
      { path: "body", stroke: "darkHalo", width: [0, 0.085, 3.2], from: 12 },
      { path: "body", fill: "darkFill" },
      { path: "shade", fill: "darkShade", from: 19 },
      { path: "body", stroke: "darkLine", width: [0, 0.045, 1.2] },
      { path: "centre", fill: "darkTrim", from: 12 },
    ],
  },
};

/** @type {Record<string, Figures>} */
export const FIGURE_SETS = { crowns: CROWNS, discs: DISCS };
