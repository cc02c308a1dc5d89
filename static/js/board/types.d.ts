/** Types of the board: points and layouts, drafts, premoves, the input of the scene. */

type Square = Wire.Square;
type Role = Wire.Role;
/** "W", "B" or "x" (burnt), by square; empty squares are left out. */
type Mark = "W" | "B" | "x";
type Marks = Map<Square, Mark>;

interface Point {
  x: number;
  y: number;
}

interface BoardSize {
  columns: number;
  rows: number;
}

/** Where the field lies in a canvas; lengths in CSS pixels. */
interface Layout extends BoardSize {
  width: number;
  height: number;
  ratio: number;
  side: number;
  left: number;
  top: number;
  flipped: boolean;
  surround?: string;
  bare?: boolean;
  inside?: boolean;
  sans?: string;
}

type Palette = Readonly<Record<string, string>>;

/** The squares chosen so far of a prompt; a frozen value. */
interface Draft {
  readonly prompt: Wire.BoardPrompt;
  readonly path: readonly Square[];
}

/** An arrow that a person draws for himself, or a circle where both squares are the same. */
interface Annotation {
  readonly start: Square;
  readonly end: Square;
}

/** A step of a draft from square to square, with the squares that it empties. */
interface DraftMove {
  start: Square;
  end: Square;
  taken: Square[];
}

/** A turn composed while the opponent is to move; a frozen value. */
interface Premove {
  readonly game: string;
  readonly role: Role;
  readonly step: number;
  readonly turns: number;
  readonly takebacks: number;
  readonly path: readonly Square[];
  readonly words: readonly string[];
  readonly text: string;
}

/** The newest state with the prompt unpacked; `premove` is undefined until its options are known. */
interface BoardState extends Wire.BoardSnapshot {
  premove?: Wire.BoardPrompt | null;
}

interface PremoveStorage {
  load(game: string): Premove | null;
  save(premove: Premove): void;
  drop(game: string): void;
}

/** Text in pieces, each with whether it is set bold. */
type BoldText = [text: string, bold: boolean][];

/* Motion. */

/** Effects that only the page makes: a piece is raised, laid down again, or shaken; all of a side bow. */
type Gesture = { [K in "raise" | "lower" | "refuse" | "trap"]: { kind: K; at: Square } }[
  | "raise"
  | "lower"
  | "refuse"
  | "trap"];
type Capture = Extract<Wire.Effect, { kind: "remove" }>;
type Motion = Wire.Effect | Gesture | PieceMove;
type MotionKind = Motion["kind"];
type MotionOf<K extends MotionKind> = Extract<Motion, { kind: K }>;
/** A slide that only the page shows: of the draft, or back. */
interface PieceMove {
  kind: "slide";
  start: Square;
  end: Square;
}

/** `from`, `until` and `length` in ms. */
interface TimelinePart<E = Motion> {
  effect: E;
  from: number;
  until: number;
  length: number;
  /** Of an arrow: how long it flies. */
  flight?: number;
}
/** The duration of an effect, in ms; `tail`: how long it goes on while the next one begins. */
interface PartTiming {
  length: number;
  flight?: number;
  tail?: number;
}
interface Timeline {
  parts: TimelinePart[];
  length: number;
}
/** The measures of effects from 0 to 1, and the shift of a shaken piece in CSS pixels. */
interface Measures {
  move?: number;
  flight?: number;
  landed?: boolean;
  grow?: number;
  seams?: number;
  edge?: number;
  cool?: number;
  close?: number;
  bite?: number;
  fade?: number;
  lift?: number;
  shift?: number;
  bow?: number;
  flash?: number;
}
/** One effect at a moment. */
interface Phase<E = Motion> extends Measures {
  effect: E;
  begun: boolean;
  ended: boolean;
}

/* The picture. */

interface Victim {
  square: Square;
  mark: Mark | undefined;
}
interface CaptureRun {
  axis: string;
  squares: Square[];
  jaws: string[];
  close?: number;
}
interface DraftOccupancy {
  marks: Marks;
  victims: Victim[];
  runs: CaptureRun[];
  /** The squares on which moved pieces stand. */
  ends: Square[];
}
/** The pieces on the squares at a moment; effects in motion are listed apart from the marks. */
interface Occupancy extends DraftOccupancy {
  moving: { mark: Mark; start: Square; end: Square; move: number }[];
  removing: Phase<Capture>[];
  flights: Map<Square, number>;
  burning: Map<Square, Phase>;
  lifts: Map<Square, number>;
  shifts: Map<Square, number>;
  /** Effects that have not begun. */
  unseen: Set<object>;
}

interface Drag {
  square: Square;
  point: Point;
}

/** The input of the scene. */
interface Look {
  key: string;
  view: Wire.BoardView;
  last: Wire.ResolvedStep[];
  /** Burnt squares, oldest first. */
  burns: Square[];
  draft: Draft | null;
  sent: Draft | null;
  /** Hints are wanted. */
  active: boolean;
  /** The draft is a premove. */
  planning: boolean;
  /** The premove is complete. */
  planned: boolean;
  /** The square whose second tap sends. */
  again: Square | null;
  hover: Square | null;
  drag: Drag | null;
  /** The phase of the dots while no answer has come. */
  dots: number | null;
  /** Crossed for a moment after a refusal. */
  refused: Square[];
  over: boolean;
  /** The role that has lost because its amazons cannot move. */
  trapped?: Role | null;
  /** The regions by which the game was counted. */
  owned?: Wire.ShownRegion[];
  veiled: boolean;
  focus: Square | null;
  flipped: boolean;
  moment: Phase[];
}

/* For the panel. */

interface Chip {
  kind: string;
  turn?: string;
  text: string;
}
interface Status {
  sentence: string;
  labels: string[];
  /** The step that is on, counted from 0. */
  index: number;
  hint: BoldText;
  chip?: Chip | null;
  keep: boolean;
  mine: boolean;
  /** The hint says why a click was refused. */
  explains?: boolean;
}
/** The draft's entry for the move list; `joins`: it goes on with the last turn of the record. */
interface OpenEntry {
  role: Role | null;
  text: string;
  joins: boolean;
}
interface Report {
  status: Status;
  open: OpenEntry | null;
  /** The label of the button that takes back, null for none. */
  back: string | null;
  /** A complete turn waits to be sent. */
  ready: boolean;
  planned: boolean;
  planning: boolean;
  text: string;
}
/** The outcome of typed text: a sentence about an error or a missing step, or null. */
interface TypedResult {
  ok: boolean;
  say: string | null;
}

/** A click that has chosen nothing. */
interface RefusedTap {
  square: Square;
  /** The draft before the click; a held piece may have been put down since. */
  draft: Draft;
  board: import("./board.js").Board;
  /** The draft after the click, as in refused-tap.js. */
  signature: string | null;
}

interface BoardEvents {
  onDraftChange(): void;
  onTurn(actions: string[]): void;
  onPremove?(premove: { text: string } | null): void;
  onSaid?(sentence: string): void;
  /** A click has chosen nothing; the piece there has been shaken. */
  onRefusedTap?(tap: RefusedTap): void;
  /** A key on a square has done nothing: why, in a sentence. */
  onRefusedKey?(why: string): void;
  /** Asks for the premove options of a rev; tells whether it could be sent. */
  requestPremoves?(rev: number): boolean;
}

interface ShowOptions {
  /** Burnt squares, oldest first. */
  burns: Square[];
  /** Steps to play as motion; null shows the state at once. */
  steps: Wire.ResolvedStep[] | null;
  /** The step is still the one shown before. */
  same: boolean;
  /** The draft has already shown the slides. */
  own: boolean;
}

/** A press that came before the premove options were known. */
interface DelayedPress {
  start: Point;
  end: Point | null;
  dragged: boolean;
  isCancelled: boolean;
}
/** Pointer events on a board; points are relative to the element's corner. */
interface PointerHandler {
  hover(point: Point | null, kind?: string): void;
  /** Tells whether a piece was grasped. */
  press(point: Point): boolean;
  drag(point: Point): void;
  release(point: Point, dragged: boolean): void;
  cancel(): void;
}

/** Device pixels. */
interface PixelSize {
  width: number;
  height: number;
}
interface StageOptions extends BoardSize {
  figureOf(): Figures;
  sceneAt(moment: Phase[]): SceneItem[];
  /** A key of the margins: frame, wall or none. */
  surroundOf(): string;
  momentAt(timeline: Timeline, time: number): Phase[];
  onLayout(layout: Layout): void;
}
interface LayoutOptions extends BoardSize {
  width: number;
  height: number;
  /** Device pixels for each CSS pixel. */
  ratio?: number;
  margin?: number;
  flipped?: boolean;
  fills?: boolean;
}

/** The input of the status of a path game. */
interface StatusState {
  draft: Draft | null;
  sent: Draft | null;
  captures: BoldText | null;
  ready: boolean;
  /** The setting "send". */
  way: string;
  premove: { text: string } | null;
  /** The draft of a premove. */
  planning: Draft | null;
  /** The premove options are still unknown. */
  mayPremove: boolean;
}

/** The empty squares of an Amazons board by who reaches them first; see territory.js. */
interface Territory {
  white: Square[];
  black: Square[];
  contested: Square[];
  unreached: Square[];
}

/** A region of an Amazons board with at least one empty square, as the server counts it. */
interface BoardRegion {
  /** Its owner; null: amazons of both sides stand in it, or none. */
  role: Role | null;
  /** Its empty squares, with blanks between. */
  squares: string;
  /** Moves of its owner in it for certain; its squares where arrows are optional. */
  sure: number;
}

/** A region with its amazons, and the square on which its number stands. */
interface DrawnRegion {
  role: Role | null;
  sure: number;
  inside: ReadonlySet<Square>;
  middle: Square;
}

/** The certain part of a position; see games/decided/facts.py. */
interface PositionStanding {
  regions: BoardRegion[];
  sure: Wire.ByRole<number>;
  most: Wire.ByRole<number>;
  decided: Decided | null;
}

/** Who has won, and the proof. */
interface Decided {
  winner: Role;
  own: string[];
  open: string[];
  line: string[];
  least: number;
  most: number;
}
