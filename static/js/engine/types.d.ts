/** Types of the engine: its requests, its answers, and the modules that search. */

/** The key of a rule set that the engine plays. */
type EngineKey = "amazons" | "amazons-10x10" | "amazons-8x8" | "pincer";

/** The part of a game's view that tells the position. */
interface PositionView {
  board: string;
  to_move: string;
  /** Amazons: the move that has yet to shoot. */
  moved?: string[] | null;
  /** Pincer: 2 for the second move of a turn. */
  step?: unknown;
  /** Pincer: the piece that has moved in this turn; null before, and if its move captured it. */
  stepped?: string | null;
  /** Pincer: single moves by both. */
  moves_made?: number;
}

/** A turn of the side to move with its expected continuation. */
interface EngineLine {
  /** For the side to move, -1 (lost) to 1 (won). */
  value: number;
  /** Turns of both sides, each of one or more canonical actions, the first of the side to move. */
  turns: string[][];
  /** Simulations through it in Amazons; in Pincer positions examined for all lines. */
  visits: number;
  /** Actions on the longest line that was searched. */
  depth: number;
  /** Whether the value is exact, whatever the opponent does. */
  isProved: boolean;
}

interface Analysis {
  /** The best first; empty if the game is over. */
  lines: EngineLine[];
  /** Positions examined so far. */
  nodes: number;
  isDone: boolean;
}

interface AnalyseOptions {
  /** Positions to examine: simulations in Amazons. */
  nodes: number;
  /** The same seed and nodes give the same lines to the bit; 1 by default. */
  seed?: number;
  /** The number of lines; 1 by default. */
  lines?: number;
  /** Takes the lines found so far, at first after a few milliseconds, then four times a second. */
  onLines?: (analysis: Analysis) => void;
}

type NumberArray = Int8Array | Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array;

/** An array in the memory of a module; its length may be that of a tree. */
interface ArrayLayout {
  name: string;
  dtype: string;
  length: number | "nodes" | "edges";
}

interface AmazonsRules {
  size: number;
  isOptional: boolean;
  params: number[];
  weights: number[];
}

interface AmazonsManifest {
  arrays: ArrayLayout[];
  rowBits: number;
  wordBits: number;
  rootEdges: number;
  nodeEdges: number;
  noise: number;
  depthCounter: number;
  noArea: number;
  rules: Record<string, AmazonsRules>;
}

/** A search of one position by one module. */
interface EngineSearch {
  readonly nodes: number;
  readonly isDone: boolean;
  /** Searches about so many nodes more. */
  grow(nodes: number): void;
  lines(count: number): EngineLine[];
}

/** A message from a page to the worker. */
type WorkerOrder =
  | {
      type: "analyse";
      id: number;
      key: EngineKey;
      position: string | PositionView;
      nodes: number;
      seed: number;
      lines: number;
    }
  | { type: "stop"; id: number };

/** A message from the worker to a page. */
type WorkerReport =
  | ({ type: "lines"; id: number } & Analysis)
  | { type: "failed"; id: number; name: string; message: string };

interface PincerManifest {
  arrays: ArrayLayout[];
  size: number;
  maxMoves: number;
  maxDepth: number;
  dead: number;
  noStep: number;
  proven: number;
  /** Indices of the fields in a frame. */
  fields: Record<"alpha" | "chosen" | "now", number>;
  nodeCounter: number;
  rules: Record<string, { size: number }>;
}

interface Manifest {
  pincer: PincerManifest & { digest: string };
  amazons: AmazonsManifest & { digest: string };
}
