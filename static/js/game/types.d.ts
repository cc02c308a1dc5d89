/** Types of the game page: surfaces, turns, offers, events. */

/** A player's rating: as the strip shows it, "1712?", and a sentence with its margin. */
interface SeatRating {
  short: string;
  title: string;
}

/** The ratings of those players who have one. */
type SeatRatings = Partial<Record<Role, SeatRating>>;

/** The part of the page on which a game is played: a Board or Troops. */
interface Surface {
  readonly flips: boolean;
  /** A motion runs that the end of a game waits for. */
  readonly moving: boolean;
  readonly premove: unknown;
  readonly dropped: string | null;
  /** The turn that is composed on a board. */
  readonly draft?: Draft | null;
  /** The orders of Blotto that may be changed now. */
  readonly activeSplit?: SplitDraft | null;
  /** A result is being shown bit by bit, and not told yet. */
  readonly isOpening?: boolean;
  /** The snapshot without the result that is still being shown. */
  tellable?(snapshot: Wire.Snapshot): Wire.Snapshot;
  readonly premoves?: {
    request(): void;
    handleReconnect(): void;
    receiveOptions(options: Wire.PremoveOptions): void;
  };
  show(snapshot: Wire.Snapshot, options: ShowOptions): void;
  read(snapshot: Wire.Snapshot): Report;
  still(
    view: Wire.View,
    last: Wire.ResolvedStep[],
    burns: Square[],
    options?: { steps?: Wire.ResolvedStep[] | null },
  ): void;
  live(options?: { steps?: Wire.ResolvedStep[] | null }): void;
  type(text: string): TypedResult | Promise<TypedResult>;
  loadTyping?(): void;
  undo(): void;
  clear(): void;
  keep(): void;
  submit(): boolean;
  send(): void;
  settle(): void;
  refuse(squares: Square[]): void;
  veil(veiled: boolean): void;
  orient(near: Role): void;
}

/** A turn of the record: its number, its role, its steps. */
interface Turn {
  turn: number;
  role: Role;
  steps: Wire.ResolvedStep[];
}

/** Where one looks in a game: see replay.js. */
interface ReplayView {
  readonly at: number | null;
  readonly count: number;
  readonly seen: number;
}

interface SurfaceEvents extends BoardEvents {
  /** All of a result has been shown: it may be told. */
  onRevealed(): void;
  stepOf(n: number): Wire.ResolvedStep | undefined;
  receipts: import("../ledger/receipts.js").GameReceipts;
  gameOf(): Wire.Snapshot;
}

type MakeSurface<S extends Wire.Snapshot> = (
  snapshot: S,
  sides: { near: Role; low: Role },
  events: SurfaceEvents,
) => Surface;

/** An offer, claim or question: see offers.js. */
interface OpenOffer {
  key: string;
  what: string;
  then: string;
  mine: boolean;
  answers: { command: PressCommand; word: string }[];
}

/** A question that confirms a command. */
interface Confirmation {
  what: string;
  then?: string;
  yes: string;
  command: PressCommand;
}

/** The buttons of the page, by the name of their command. */
type PressCommand =
  | "keepPlaying"
  | "resign"
  | "abort"
  | "offer"
  | "withdraw"
  | "accept"
  | "decline"
  | "askBack"
  | "keepTurn"
  | "giveBack"
  | "refuseBack"
  | "claim"
  | "claimWin"
  | "claimDraw"
  | "count"
  | "askClaim"
  | "claimDecided"
  | "flip"
  | "undo"
  | "keep"
  | "submit"
  | "share"
  | "setup"
  | "flag";

interface Commands extends Record<PressCommand, () => unknown> {
  ask(what: Wire.SideAction | null): unknown;
  look(view: ReplayView): unknown;
  lookAt(turn: number): unknown;
}

/** A notice in two sentences: the event and its consequence. */
type NoticeText = string[];

interface ConnectionState {
  open: boolean;
  /** Times of `performance.now()`. */
  since: number;
  retryAt: number | null;
  /** The connection is open, and may be dead: a ping has had no answer. */
  silent: boolean;
  /** Why the server has closed it. */
  why: string | null;
}

interface StatusStep {
  label: string;
  state: "done" | "now" | "later";
}

interface MoveCell {
  text: string;
  /** How long the turn took. */
  time?: string;
  /** It was a conditional move. */
  ahead?: boolean;
  turn?: number | null;
  last?: boolean;
  open?: boolean;
}
interface MoveRow {
  number?: number | string;
  role?: Role;
  cells: MoveCell[];
}

interface GoThought extends Wire.Thought {
  seeds: string[];
}

/** The parts of a ledger's game that its sentences need. */
interface NamedGame {
  key: string;
  seats: Wire.ByRole<{ name: string }>;
}

interface OrdersProof {
  /** The opened orders make the published fingerprint. */
  fits: boolean;
  /** Against the fingerprint that this page saw before. */
  seen: "same" | "other" | "unseen" | "last";
}

interface LedgerFault {
  index: number;
  rev: number | null;
  kind: string;
}

interface KeptReceipt {
  id: string;
  rev: number;
  hash: string;
  [field: string]: unknown;
}

interface ReceiptFindings {
  fits: Map<number, KeptReceipt>;
  lost: KeptReceipt[];
  other: KeptReceipt[];
}

type StepName = "first" | "back" | "forward" | "last";

interface BlockState extends Omit<Status, "labels" | "index"> {
  steps: StatusStep[];
  waits?: boolean;
  back: string | null;
  ready: boolean;
  /** Turns are sent by a button. */
  sends: boolean;
}

interface DraftOptions {
  report: Report;
  turns: Turn[];
  look: ReplayView;
  textOfTurn(turn: number): string;
  flips: boolean;
  sends: boolean;
}

interface OfferSheet {
  element: HTMLElement;
  what: HTMLElement;
  then: HTMLElement;
  buttons: HTMLElement;
  done: boolean;
  /** The answers as shown, as JSON. */
  answers: string;
}

interface KeyCommands {
  look(step: string): void;
  /** Whether turns can be typed. */
  types(): boolean;
  type(): void;
  escape(): void;
  send(): void;
  zen(): void;
  next(): void;
}

interface InputOptions {
  play(text: string): TypedResult | Promise<TypedResult>;
  /** Each gives the reason why it cannot be done, or null. */
  commands: Record<string, () => string | null>;
  onSaid(sentence: string): void;
  onFocus(): void;
}

/** The request that a reply answers, with the outcome. */
type Answer = ReturnType<import("../lib/pending-requests.js").PendingRequests["answer"]>;

/** A small position of the rules; `look`: what else is drawn on a board. */
interface RulesPicture {
  view: Wire.View;
  last?: Wire.ResolvedStep[];
  look?: Partial<Look>;
}

interface RulesSheetText {
  goal: string;
  picture: RulesPicture;
  /** The heading of the two steps. */
  turn: string;
  steps: { picture: RulesPicture; say: string }[];
  ends: string[];
}

/** A question about a click that waits for its answer; `marks` as the draft had left them. */
interface OpenQuestion {
  id: string;
  board: import("../board/board.js").Board;
  marks: Marks;
  signature: string | null;
  step: number;
}

/** Who is ahead: each side's share of `total`, and the texts of the bar; see standing.js. */
interface Standing {
  white: number;
  black: number;
  total: number;
  /** The words in the middle of the bar. */
  middle: string;
  say: string;
  /** Amazons. */
  squares?: Territory;
  /** Pincer: the pieces on the board. */
  pieces?: Wire.ByRole<number>;
}
