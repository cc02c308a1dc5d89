/** Types of the drawings: shapes, and arguments of painters. */

/** A length in squares: base + max(share, pixels / side in CSS pixels). */
type ShapeLength = [base: number, share: number, pixels: number];

/** One fill or line of a shape; see shapes.js. */
interface Layer {
  path: string;
  fill?: string;
  stroke?: string;
  width?: ShapeLength;
  cap?: CanvasLineCap;
  dash?: number[];
  opacity?: number;
  down?: ShapeLength;
  from?: number;
  below?: number;
}
/** SVG path data by name. */
type Paths = Readonly<Record<string, string>>;

interface Figure {
  shadow: { opacity: number; ellipse?: [number, number, number, number]; offset?: number };
  outline: string[];
  paths: Paths;
  layers: Layer[];
}
/** The figures of a family of games, of White and of Black. */
type Figures = Readonly<Record<string, Figure>>;
/** The ends of a line: x1, y1, x2, y2. */
type Seam = [number, number, number, number];

interface BurntShapes {
  tiles: { seams: Seam[]; [path: string]: unknown }[];
  forms: [number, number, number, number][];
  layers: Layer[];
  flat: Layer[];
  glow: Layer;
  rims: Record<string, Layer>;
}
interface Shapes {
  figures: Record<string, Figures>;
  burnt: BurntShapes;
  arrowHead: string;
  tooth: string;
}

type Tone = "trail" | "mark" | "fire";

/** An item of the scene: its layer, the kind of its painter, and what that painter needs. */
interface SceneItem {
  layer: string;
  kind: string;
  square?: Square;
  start?: Square;
  end?: string;
  at?: Square;
  mark?: Mark;
  tone?: Tone;
  style?: string;
  bold?: boolean;
  hollow?: boolean;
  dot?: boolean;
  /** Shares from 0 to 1 of motions. */
  alpha?: number;
  scale?: number;
  lift?: number;
  move?: number;
  length?: number;
  close?: number;
  grow?: number;
  seams?: number;
  edge?: number;
  cooling?: number;
  /** Squares downwards on the screen. */
  sink?: number;
  /** CSS pixels to the right. */
  shift?: number;
  /** The place of a piece that is dragged. */
  point?: Point;
  heat?: "ember" | "rust" | "flat";
  axis?: string;
  jaw?: string;
  /** How far a piece leans, from 0 to 1. */
  tilt?: number;
  /** A side of the square: to the right, upwards. */
  dx?: number;
  dy?: number;
  /** The hollow one of the three dots. */
  phase?: number;
  /** The side that owns the square. */
  role?: Role;
}

/** An item with the fields that its kind always has; `scene.js` makes them. */
type PaintItem = SceneItem &
  Required<
    Pick<
      SceneItem,
      | "square"
      | "start"
      | "end"
      | "at"
      | "mark"
      | "tone"
      | "length"
      | "close"
      | "grow"
      | "seams"
      | "edge"
      | "cooling"
      | "heat"
    >
  >;

interface PaintContext {
  layout: Layout;
  colours: Palette;
  figure: Figures;
  isBurnt(square: Square): boolean;
}
type Painter = (ctx: CanvasRenderingContext2D, item: PaintItem, context: PaintContext) => void;

/** Paints within a square: its centre is the origin, its side the unit; `side` is in CSS pixels. */
type SquarePainter = (ctx: CanvasRenderingContext2D, side: number) => void;
