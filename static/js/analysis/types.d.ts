/** Types of the analysis board. Chances are White's, 0 to 1, unless they are said to be somebody's. */

interface GameEnd {
  winner: Role | null;
  reason: string;
}

/** A position as the server plays it. */
interface AnalysisPosition {
  view: Wire.BoardView;
  /** The rules' text. */
  position: string;
  ending: GameEnd | null;
}

/** A person's mark of a turn, as in chess notation; empty for none. */
type NodeMark = "" | "!" | "!!" | "!?" | "?!" | "?" | "??";

/** A whole turn with the position after it; `parent` is the index of the turn before, -1 the start. */
interface AnalysisNode extends AnalysisPosition {
  parent: number;
  actions: string[];
  role: Role;
  steps: Wire.ResolvedStep[];
  /** Plain text. */
  comment: string;
  mark: NodeMark;
}

interface AnalysisData {
  key: EngineKey;
  names: Wire.ByRole<string>;
  start: AnalysisPosition;
  snapshot: Wire.BoardSnapshot;
  nodes: AnalysisNode[];
  /** Of the game; null on an empty board. */
  result: { winner: Role | null } | null;
  you: Role | null;
  /** Whether the game may end by a count of squares. */
  counted: boolean;
  /** The published review of the game; null without one. */
  review: PublishedReview | null;
  mayPublish: boolean;
  /** The study whose tree it is, if it is one. */
  study?: StudyData;
}

/** A tree for the server to play; `at` is the turn whose position is asked about. */
interface TreeRequest {
  nodes: RequestedTurn[];
  at?: number;
  /** Whether the certain part of that position is requested too. */
  standing?: boolean;
  /** Whether the game may end by a count of squares. */
  counted?: boolean;
}

/** A verdict as it is published: value for the side to move, best turn, whether it is proved. */
type JudgedPosition = [number, string[], boolean];

interface PublishedReview {
  /** Who published it; null for a deleted user. */
  by: string | null;
  /** Nodes of the engine for each position. */
  nodes: number;
  /** Whether the present engine made it. */
  isPresent: boolean;
  /** The number of positions that the server has recomputed. */
  checked: number;
  /** Of the start and after each turn, while the game is not over by its rules. */
  values: JudgedPosition[];
}

/** The server's answer for a tree. */
type TreeReply =
  | { nodes: AnalysisNode[]; snapshot?: Wire.BoardSnapshot; standing?: PositionStanding }
  | { refused: { index: number; say: string; squares: Square[] } }
  | { error: string };

/** A person's notes on a turn. */
interface TurnNotes {
  comment: string;
  mark: NodeMark;
}

/** A turn that the server is asked to play. */
interface RequestedTurn {
  parent: number;
  actions: string[];
}

/** A turn beside the game's own, as the address has it. */
interface Variation extends RequestedTurn, TurnNotes {}

/** Notes on a turn of the game, as the address has them. */
interface GameNotes extends TurnNotes {
  index: number;
}

/** An edit of a tree that can be undone. */
type TreeChange = "add" | "remove" | "promote" | "comment" | "mark";

/** A move or an arrow on the board. */
interface TurnLine {
  start: Square;
  end: Square;
  isShot: boolean;
}

/** A tree and the turn whose position is shown. */
interface TreeMoment {
  nodes: AnalysisNode[];
  at: number;
}

interface TreeEdit {
  change: TreeChange;
  before: TreeMoment;
  after: TreeMoment;
}

/** The engine's result for one position. */
interface Verdict {
  /** For the side to move, as the engine has it; 0 where nothing was searched. */
  value: number;
  chance: number;
  isProved: boolean;
  /** The best turn and its expected continuation; null where the game is over. */
  line: string[][] | null;
}

type TurnMark = "best" | "fine" | "inaccuracy" | "mistake" | "blunder";

/** The loss of one turn, in the winning chance of the player who made it. */
interface TurnLoss {
  /** Counted from 1. */
  turn: number;
  role: Role;
  before: number;
  after: number;
  loss: number;
  mark: TurnMark;
  /** The engine's preferred turn; null where it was played. */
  better: string[][] | null;
  isProved: boolean;
}

/** How often something was played, and how these games ended. */
interface OpeningResults {
  games: number;
  white: number;
  draws: number;
  black: number;
}

interface OpeningRow extends OpeningResults {
  turn: string;
  actions: string[];
}

interface OpeningGame {
  url: string;
  white: string;
  black: string;
  winner: Role | null;
}

/** The turns that public games have played from a position. */
interface OpeningTable extends OpeningResults {
  turns: OpeningRow[];
  /** Turns that are not listed. */
  left_out: number;
  newest: OpeningGame[];
}
