/** Types of Blotto's surface: drafts of orders, boxes of blocks, states of its parts. */

/** Troops on each field, the rest in hand; a frozen value. */
interface SplitDraft {
  readonly total: number;
  readonly counts: readonly number[];
  /** The draft that it was made from. */
  readonly before: SplitDraft | null;
}

/** A block's place; its height is two thirds of its width. */
interface Box {
  x: number;
  y: number;
  width: number;
}

interface Size {
  width: number;
  height: number;
}

interface FieldVerdict {
  sign: string;
  words: string;
  bold: boolean;
  near: number;
  far: number;
  nearName: string;
  farName: string;
}

interface FieldState {
  mode: "compose" | "sealed" | "wait" | "reveal";
  role: Role;
  count: number;
  /** As many as could stand here. */
  most?: number;
  /** How long the field has been open, in ms, and how far the losing blocks have fallen back. */
  since?: number;
  fall?: number;
  /** The lifted block would be put down here. */
  target?: boolean;
  far?: { role: Role; count: number };
  verdict?: FieldVerdict;
  said?: boolean;
}

interface EnvelopeTexts {
  closed: boolean;
  what: string;
  then: string;
}

interface RoundProofs {
  may(round: number): boolean;
  verify(round: number, tell: (sentences: string[]) => void): void;
}

interface Revealing {
  /** The round that is shown, from 0. */
  index: number;
  start: number;
  time: number;
}

interface SheetState {
  snapshot: Wire.SplitSnapshot;
  /** An earlier round is looked back at. */
  past: boolean;
  /** The role whose orders stand below. */
  near: Role;
  revealing: Revealing | null;
  split: SplitDraft | null;
  /** Counts that this reader has sealed. */
  mine: number[] | null;
  sent: boolean;
  lifted: boolean;
  /** The field under the lifted block. */
  target: number | null;
}

interface TrayState {
  left: number;
  total: number;
  lifted: boolean;
  role: Role;
  mode: "open" | "sent" | "sealed";
}

interface RoundState {
  /** The round shown has fields that are still closed. */
  opening?: boolean;
  revealing: boolean;
  sealed: boolean;
  sent?: boolean;
  placed: boolean;
  /** Seconds until the next round is shown. */
  wait?: number;
}

interface TroopsEvents {
  onDraftChange(): void;
  onTurn(actions: string[]): void;
  /** All fields of a round have opened: its result may be told. */
  onRevealed?(): void;
  proofs?: RoundProofs | null;
}

interface LiftHandler {
  lift(point: Point, element: Element): boolean;
  over(point: Point): void;
  drop(point: Point | null): void;
  role(): Role;
}

interface SheetCommands {
  change(field: number, by: number): void;
  submit(): void;
  onward(): void;
}
