/** Types of the shared modules: connections, requests, sounds, storage. */

interface ConnectionOptions {
  /** The page's rev; null if the heartbeat is not to compare it. */
  revOf(): number | string | null;
  /** Gets every message of the topic, and pongs with the time of their round trip in ms. */
  onMessage(message: SiteMessage<keyof Wire.Topics>, trip?: number): void;
  onOpen(): void;
  onState(state: ConnectionState): void;
  /** The server is not to name the reader among those who watch. */
  isUnseen?(): boolean;
  /** Whether a dead connection has to be noticed within seconds; asked after each message. */
  isProbing?(): boolean;
}

interface PendingRequest {
  readonly id: string;
  readonly message: Readonly<Wire.Request>;
  /** The spelling of the turn that it plays. */
  readonly text?: string;
}

/** One tone or one burst of noise; times in seconds, pitches in hertz. */
interface SoundPart {
  kind: string;
  shape?: OscillatorType;
  pass?: BiquadFilterType;
  q?: number;
  from: number;
  to: number;
  at: number;
  attack: number;
  length: number;
  gain: number;
}
/** The output for sounds. */
interface SoundOutput {
  context: AudioContext;
  gain: GainNode;
  noise: AudioBuffer;
}
/** A sound, so many ms from now; `pitch` is a share of its own pitch. */
interface SoundCue {
  name: string;
  at: number;
  pitch?: number;
}
interface PlayerOptions {
  /** How loud sounds are wanted, 0 (off) to 1. */
  levelOf(): number;
  makeContext(): AudioContext | null;
  /** Listens for events of some kinds; gives the function that stops it. */
  listen(kinds: string[], listener: () => void): () => void;
}

/** The stored data of a tab about a game: receipts, and commitments by step and role. */
interface Stored {
  receipts: KeptReceipt[];
  seals: Record<string, Partial<Wire.ByRole<string>>>;
}

/* Selectors name HTML elements on these pages; SVG elements are cast where one is asked for. */
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  closest<E extends Element = HTMLElement>(selector: string): E | null;
}
