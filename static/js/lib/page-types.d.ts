/**
 * Types that wire-types.d.ts leaves open (views and prompts of the rules, texts of lobbies),
 * and the JSON that pages embed or fetch. Times as there.
 */
declare namespace Wire {
  type ByRole<T> = Record<Role, T>;
  /** A square's name: file letter and rank number, "d1". */
  type Square = string;
  /** `T` with some of its fields in other types. */
  type Override<T, F> = Omit<T, keyof F> & F;

  /* Games. */

  type Seat = Pick<ShownPerson, "name"> & Partial<ShownPerson>;
  type Clock = Pick<ShownClock, "kind" | "label" | "initial" | "left" | "since" | "running"> &
    Partial<ShownClock>;

  interface BoardView {
    board: string;
    width: number;
    height: number;
    turns: number;
    /** Pincer: 1 or 2; Amazons: "move" or "fire". */
    step?: number | string;
    of?: number;
    stepped?: Square | null;
    moved?: Square[] | null;
    to_move?: Role;
    moves_made?: number;
    moves_limit?: number;
  }

  interface SplitView {
    turns: number;
    fields: number;
    total: number;
    rounds: number;
    round: number;
    splits: ByRole<number[]>[];
    scores: ByRole<number[]>;
    totals: ByRole<number>;
    board?: undefined;
    moves_made?: undefined;
    moves_limit?: undefined;
  }

  type View = BoardView | SplitView;

  type Effect =
    | Override<Slide, { role: Role }>
    | Override<Place, { role: Role }>
    | Override<Remove, { role: Role }>
    | Override<Count, { troops: ByRole<number>; points: ByRole<number> }>;

  type SealProof = Proof & { action?: string };

  /** A resolved step; those that are fetched have the view after them. */
  type ResolvedStep = Override<
    ShownStep,
    {
      /** Of games in which both act at once, no module of the pages reads it. */
      role: Role;
      text: Partial<ByRole<string>>;
      effects: Effect[];
      /** Absent in the demonstrations of lessons. */
      spent?: Partial<ByRole<number>>;
      seals?: Partial<ByRole<SealProof>>;
    }
  > & { view?: View };

  type PromptWord = "from" | "to" | "arrow" | "from2" | "to2";
  /** `keep`: the index of the square whose choice means that the arrow is kept. */
  type PromptStep = { word: PromptWord; keep?: number | null };
  type BoardPrompt = Override<
    PathPrompt,
    { steps: PromptStep[]; actions: [string, ...number[]][]; tree: Tree }
  >;
  type Prompt = BoardPrompt | SplitPrompt;

  type SideAction = GameSnapshot["may"][number];

  /** A game at a rev, as one audience may see it; an embedded one has no `t`. */
  type SnapshotOf<V, P> = Override<
    GameSnapshot,
    {
      t?: "game";
      view: V;
      prompt: P | null;
      last: ResolvedStep[];
      seats: ByRole<Seat>;
      commitments: Partial<ByRole<string>>;
    }
  >;
  type BoardSnapshot = SnapshotOf<BoardView, BoardPrompt>;
  type SplitSnapshot = SnapshotOf<SplitView, SplitPrompt>;
  type Snapshot = BoardSnapshot | SplitSnapshot;

  type People = Override<GamePeople, { away: Partial<ByRole<number>> }>;
  type PremoveOptions = Override<GamePlan, { plan: BoardPrompt | null }>;
  type GameMessage =
    | Exclude<Sockets["/ws/game/SLUG/"]["site"], GameSnapshot | GamePlan | GamePeople>
    | (BoardSnapshot & { t: "game" })
    | (SplitSnapshot & { t: "game" })
    | PremoveOptions
    | People;

  /** A message from the page; those that want an answer get an id. */
  interface Request {
    t: string;
    id?: string;
    [field: string]: unknown;
  }
  /** A receipt or refusal, by the id of the request that it answers. */
  type Reply = Receipt | ChatReceipt | Refusal;

  /* Ledgers. */

  interface LedgerRow {
    text: string;
    hash: string;
  }
  interface Ledger {
    game: string;
    key: string;
    rev: number;
    head: string;
    entries: LedgerRow[];
  }
  interface LedgerEntry {
    game: string;
    rev: number;
    kind: string;
    role: Role;
    id?: string | null;
    at?: number;
    lag?: number;
    clock?: ByRole<number> | null;
    body: LedgerBody;
  }
  interface LedgerBody {
    actions?: string[];
    step?: number;
    commitment?: string;
    reveal?: ByRole<{ action: string; salt: string }>;
    result?: { winner: Role | "" | null; reason: string; goals?: ByRole<number> };
    /** Own squares and the regions that prove them, of an end by a count. */
    count?: { white: number; black: number; regions: ShownRegion[] };
    /** Proof of a claim that the game is decided. */
    witness?: { own: string; open: string; line: string[]; least: number; most: number };
    /** Of a refused claim. */
    number?: number;
    ms?: number;
    absent?: Role[];
    gone?: boolean;
    /** Of the opening: turns with which the game begins. */
    given?: number;
    /** A conditional move, played by the server. */
    ahead?: boolean;
    role?: Role;
    starts?: number[];
    until?: number;
  }

  /* Computer players. */

  interface Thought {
    n: number;
    role: Role;
    value: number;
    line: string[];
    nodes: number;
    depth: number;
    seed: number | string;
    why?: string;
  }
  interface ComputerState {
    workers: number;
    warm: boolean;
    off: Record<string, number[]>;
  }

  /* Lobbies, lists. */

  interface Rematch {
    game: string;
    may: boolean;
    changed?: boolean;
    /** The opponent made no first move, and this page may search for another one. */
    search?: boolean;
    mine?: boolean;
    theirs?: boolean;
    /** Those who sit have the other side than in the last game. */
    swaps?: boolean;
    /** The same two play again, and this viewer, who did not play, may watch. */
    follow?: boolean;
    other: string;
    next: string | null;
    say?: string;
  }
  type Lobby = Override<
    LobbyState,
    { notice: { lines: string[]; for?: number } | null; again: Rematch | null }
  >;
  /** The answer to a form that was sent by script. */
  interface FormReply {
    next?: string;
    frame?: Lobby;
    you?: string;
    /** `name`: to fill in for one that was refused. */
    refused?: { reason: string; say: string; name?: string };
  }

  /** A game as lists and profiles show it. */
  type GameSummary = Pick<ListedGame, "slug" | "key"> & { view: View; last?: ResolvedStep[] };
  /** The game on the large board of the front page. */
  type Featured = Override<FeaturedGame, { view: View; last: ResolvedStep[] }>;
  type Lists = Override<
    ListsState,
    { games: GameSummary[]; boards: Record<string, GameSummary>; featured: Featured | null }
  >;
}

/** A message to a part of the page that follows a topic: of the topic, or of every socket. */
type SiteMessage<Kind extends keyof Wire.Topics> =
  | Wire.Topics[Kind]["site"]
  | Wire.Topics[""]["site"];
