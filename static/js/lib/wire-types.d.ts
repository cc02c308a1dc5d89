/**
 * Messages on the sockets; made by `manage.py protocol --write` from the types in the code.
 *
 * Times are in milliseconds since the epoch by the server's clock, durations in milliseconds.
 */
declare namespace Wire {
  type Role = "white" | "black";

  /** Aborts the game before both roles have completed a turn. */
  interface Abort {
    t: "abort";
    id: string;
    topic?: string;
  }

  /** The actions of a turn (or of its rest), made for one step; applied all or none. */
  interface Act {
    t: "act";
    id: string;
    step: number;
    actions: string[];
    takebacks?: number | null;
    topic?: string;
  }

  /** Tells the page to reload, because the database lacks a rev that the page has seen. */
  interface Anew {
    t: "anew";
    topic?: string;
  }

  /** Answers the question whether the user plays now; `tab` names the page. */
  interface Answer {
    t: "answer";
    pairing: number;
    yes: boolean;
    tab: string;
    topic?: string;
  }

  /** Blocks somebody for the sender, everywhere on the site. */
  interface Block {
    t: "block";
    name: string;
    id?: string | null;
    topic?: string;
  }

  /** The server goes away; the page reconnects after `retry` ms. */
  interface Bye {
    t: "bye";
    reason: "restart";
    retry: number;
    topic?: string;
  }

  /** Confirms an accepted message. */
  interface ChatReceipt {
    t: "receipt";
    id: string | null;
    line: number | null;
    again: boolean;
    topic?: string;
  }

  /** The chat that one viewer sees in a circle. */
  interface ChatState {
    t: "chat";
    rev: string;
    circle: "lobby" | "players" | "watchers";
    heard: string;
    lines: ShownLine[];
    may: ShownRight;
    muted: string[];
    reports: ShownReport[];
    topic?: string;
  }

  /** Claims a draw after 50 turns without an arrow, or an end because the other role is absent. */
  interface Claim {
    t: "claim";
    id: string;
    as?: "draw" | "quiet" | "victory";
    topic?: string;
  }

  /** Claims at the beginning of the sender's turn that it wins against any play. */
  interface ClaimDecided {
    t: "claim_decided";
    id: string;
    step: number;
    topic?: string;
  }

  /** A field of Blotto was scored. */
  interface Count {
    field: number;
    troops: Record<string, number>;
    points: Record<string, number>;
    kind: "count";
  }

  /** Ends a game whose sides are parted: more own squares win. See the snapshot's `count`. */
  interface CountNow {
    t: "count";
    id: string;
    topic?: string;
  }

  /** Offers a draw, withdraws the offer, or answers one. */
  interface Draw {
    t: "draw";
    id: string;
    do: "accept" | "decline" | "offer" | "withdraw";
    rev?: number | null;
    topic?: string;
  }

  /** The topic is not followed, or no longer; the socket stays open. */
  interface Ended {
    t: "ended";
    reason: string;
    say: string;
    topic?: string;
  }

  /** The end of a game: goals per role, and the winner (None: a draw). */
  interface Ending {
    winner: Role | null;
    goals: Record<string, number>;
    reason: string;
  }

  /** Asks why a turn of the sender cannot go on to the last of these squares. */
  interface Explain {
    t: "explain";
    id: string;
    step: number;
    squares: string[];
    topic?: string;
  }

  /** Answers `explain`: why the last square cannot be chosen; `code` is null if it can. */
  interface Explained {
    t: "explained";
    id: string;
    code: string | null;
    squares: string[];
    say: string;
    topic?: string;
  }

  /** The game of the large board. */
  interface FeaturedGame {
    slug: string;
    key: string;
    name: string;
    clock: string;
    white: string;
    black: string;
    view: Record<string, unknown>;
    last: ShownStep[];
    url: string;
    watchers: number | null;
    bots: Record<Role, boolean>;
    turns: number;
    white_is: string;
    black_is: string;
    kind: "computer" | "days" | "live" | "replay";
    label: string;
    result: string;
    progress: string;
  }

  /** Asks the server to look at the clocks. */
  interface Flag {
    t: "flag";
    topic?: string;
  }

  /** The spectators and the presence of the players. */
  interface GamePeople {
    t: "people";
    watchers: number;
    watching: string[];
    here: Role[];
    away: Record<Role, number>;
    claim: ShownClaim | null;
    ratings: Record<string, string>;
    topic?: string;
  }

  /** The premove options of an audience at a rev. */
  interface GamePlan {
    t: "plan";
    rev: number;
    plan: PathPrompt | SplitPrompt | null;
    topic?: string;
  }

  /** All that one audience may see of a game at a rev. */
  interface GameSnapshot {
    t: "game";
    game: string;
    rev: number;
    hash: string;
    key: string;
    name: string;
    step: number;
    status: "live" | "over";
    seats: Record<Role, ShownPerson>;
    control: Role[];
    sealed: Role[];
    commitments: Record<Role, string>;
    last: ShownStep[];
    clock: ShownClock;
    turns: number;
    takebacks: number;
    actor: Role | null;
    offers: ShownOffers;
    outcome: Ending | null;
    absent: Role[];
    public: boolean;
    watch: boolean;
    count: ShownCount | null;
    claims: Record<Role, number> | null;
    started: number;
    ended: number | null;
    view: Record<string, unknown>;
    now: number;
    you: Role | null;
    may: ("abort" | "claim" | "claim_decided" | "count" | "draw" | "resign" | "takeback")[];
    prompt: PathPrompt | SplitPrompt | null;
    your_seal: string[] | null;
    lobby: string | null;
    topic?: string;
  }

  /** A running game. */
  interface ListedGame {
    slug: string;
    key: string;
    name: string;
    clock: string;
    white: string;
    black: string;
    view: Record<string, unknown>;
    last: ShownStep[];
    url: string;
    watchers: number | null;
    bots: Record<Role, boolean>;
    turns: number;
    white_is: string;
    black_is: string;
  }

  /** An open lobby. */
  interface ListedLobby {
    code: string;
    key: string;
    clock: string;
    host: string;
    rating: string;
    points: number | null;
    pool: string;
    created: number;
    seen: string;
    figure: string;
    open: Role[];
    url: string;
    sit: string;
    age: number;
    name: string;
  }

  /** The open lobbies and running games. */
  interface ListsState {
    t: "lists";
    rev: number;
    now: number;
    lobbies: ListedLobby[];
    games: ListedGame[];
    boards: Record<string, ListedGame>;
    counts: Record<string, number>;
    featured: FeaturedGame | null;
    here: string;
    topic?: string;
  }

  /** The users who have the page of a lobby open. */
  interface LobbyPeople {
    t: "people";
    here: string[];
    strangers: number;
    topic?: string;
  }

  /** The whole state of a lobby, with texts and buttons for one viewer. */
  interface LobbyState {
    t: "lobby";
    rev: number;
    code: string;
    key: string;
    status: string;
    say: string;
    waiting_time: string;
    heading: string;
    invitation: ShownInvitation | null;
    full: ShownFull | null;
    notice: Record<string, unknown> | null;
    options: Record<string, ShownOption>;
    seen: string;
    seats: ShownSeat[];
    start: ShownButton | null;
    may: Record<string, boolean>;
    swap: ShownButton | null;
    invite: string;
    invites: string | null;
    people: ShownMember[];
    game: string | null;
    last: Record<string, string> | null;
    again: Record<string, unknown> | null;
    shows_seats: boolean;
    shows_options: boolean;
    has_counting: boolean;
    shows_people: boolean;
    is_open: boolean;
    is_done: boolean;
    topic?: string;
  }

  /** A game or lobby of the user, as texts. */
  interface MineRow {
    id: string;
    step: number;
    url: string;
    title: string;
    line: string;
    left: string;
    game: string;
    figure: string;
    button: string;
    waits: boolean;
    is_game: boolean;
    is_challenge: boolean;
  }

  /** All running games and open lobbies of a user. */
  interface MineState {
    t: "mine";
    rows: MineRow[];
    waiting: number;
    topic?: string;
  }

  /** Hides somebody's lines from the sender, or shows them again. */
  interface Mute {
    t: "mute";
    name: string;
    on: boolean;
    id?: string | null;
    topic?: string;
  }

  /** The number in the bell of the page's user. */
  interface NoticesState {
    t: "notices";
    rev: string;
    unread: number;
    topic?: string;
  }

  /** A standing offer. */
  interface Offer {
    by: Role;
    rev: number;
    at: number;
  }

  /** Squares to choose one after another, as a tree of the legal ones. */
  interface PathPrompt {
    steps: Step[];
    actions: (string | number)[][];
    tree: Tree;
    kind: "path";
  }

  /** A period in which the clock of a role is stopped, because its user is on holiday. */
  interface Pause {
    start: number;
    until: number;
  }

  /** The heartbeat, with the revs that the page has. */
  interface Ping {
    t: "ping";
    visible?: boolean;
    revs?: Record<string, number | string>;
    topic?: string;
  }

  /** An arrow was shot and stays. */
  interface Place {
    role: string;
    start: string;
    at: string;
    kind: "place";
  }

  /** Asks for the premove options at this rev; a newer state is sent instead. */
  interface Plan {
    t: "plan";
    rev: number;
    topic?: string;
  }

  /** Answers the heartbeat; with a topic, a page that subscribes and has the newest state. */
  interface Pong {
    t: "pong";
    now: number;
    revs: Record<string, number | string>;
    topic?: string;
  }

  /** The page shows the search: one that ended because no page followed it goes on. */
  interface Present {
    t: "present";
    busy?: boolean;
    topic?: string;
  }

  /** Proves that a sealed action was not chosen later; the salt is secret until the reveal. */
  interface Proof {
    salt: string;
    commitment: string;
  }

  /** Whether a game has been rated. */
  interface RatingState {
    t: "rating";
    rev: number;
    topic?: string;
  }

  /** The ledger entry of an accepted command; sent to the page as it is. */
  interface Receipt {
    t: "receipt";
    game: string;
    id: string;
    rev: number;
    at: number;
    lag: number;
    clock: Record<Role, number | null>;
    hash: string;
    commitment: string | null;
    again: boolean;
    refused_claims?: number;
  }

  /** Refuses the message with that id, or one without an id. */
  interface Refusal {
    t: "refused";
    id: string | null;
    reason: string;
    code: string | null;
    squares: string[];
    say: string;
    index: number;
    topic?: string;
  }

  /** A captured run left the board. A piece captured in its row and its column is in two. */
  interface Remove {
    role: string;
    squares: string[];
    jaws: [string, string];
    axis: "column" | "row";
    kind: "remove";
  }

  /** The conditional replies of the reader, for the step for which they were saved. */
  interface RepliesState {
    t: "replies";
    step: number;
    takebacks: number;
    lines: ShownTurn[][];
    topic?: string;
  }

  /** Reports a line to the moderators. */
  interface Report {
    t: "report";
    id: string;
    line: number;
    why: string;
    topic?: string;
  }

  /** Resigns the game. */
  interface Resign {
    t: "resign";
    id: string;
    topic?: string;
  }

  /** Replaces the sender's conditional replies as a whole; no lines: deletes them. */
  interface SaveReplies {
    t: "save_replies";
    id: string;
    step: number;
    takebacks: number;
    lines: string[][][];
    topic?: string;
  }

  /** Answers `save_replies`. */
  interface Saved {
    t: "saved";
    id: string;
    lines: number;
    topic?: string;
  }

  /** Says a text or the phrase with a key, exactly one of them. */
  interface Say {
    t: "say";
    id: string;
    text?: string;
    phrase?: string;
    topic?: string;
  }

  /** The search of the page's user. */
  interface SearchState {
    t: "search";
    rev: string;
    state: "asked" | "ended" | "looking" | "none" | "paired";
    now: number;
    since: number;
    choices: string[];
    terms: string;
    only_rated: boolean;
    pairing: number;
    asks: boolean;
    offer: string;
    tab: string;
    answered: boolean;
    game: string | null;
    say: string;
    left: boolean;
    topic?: string;
  }

  /** Number of people who search. */
  interface SearchesState {
    t: "searches";
    rev: string;
    total: number;
    games: Record<string, number>;
    topic?: string;
  }

  /** Says that a page of the seat has painted its board, in a game that waits for that. */
  interface Shown {
    t: "shown";
    id: string;
    topic?: string;
  }

  /** The start of a game that waits for the pages of its players. */
  interface ShownBegin {
    by: number;
    shown: Role[];
  }

  /** A button. */
  interface ShownButton {
    label: string | null;
    style?: "" | "blocked" | "plain" | "primary";
    say?: string;
  }

  /** A form value and its text for people. */
  interface ShownChoice {
    value: string;
    say: string;
  }

  /** The role that may end the game because the other is absent. */
  interface ShownClaim {
    by: Role;
    from: number;
  }

  /** The time control, and the state of the clocks at `since`. */
  interface ShownClock {
    kind: "bank" | "days" | "fischer" | "limit" | "none";
    label: string;
    initial: number;
    increment: number;
    left: Record<Role, number | null>;
    since: number;
    running: Role[];
    first_turn: Record<Role, number>;
    begin: ShownBegin | null;
    holidays: Record<Role, Pause>;
  }

  /** The count of own squares in a game that may end by it. */
  interface ShownCount {
    white: number;
    black: number;
    parted: boolean;
    quiet: number;
    limit: number;
    regions: ShownRegion[];
  }

  /** A game that two others play. */
  interface ShownFull {
    watch: string | null;
  }

  /** The free seat that a viewer is invited to take. */
  interface ShownInvitation {
    seat: number;
    host: string;
    rating: string;
  }

  /** The computer levels that the host may put on a seat. */
  interface ShownLevels {
    label: string;
    level: string;
    levels: ShownChoice[];
  }

  /** A line as one viewer sees it. */
  interface ShownLine {
    id: number;
    by: string | null;
    you: boolean;
    role: string;
    circle: "lobby" | "players" | "watchers";
    text: string | null;
    phrase: string | null;
    at: number;
  }

  /** A host or seated person of a lobby. */
  interface ShownMember {
    name: string;
    line: string;
  }

  /** The standing offers. */
  interface ShownOffers {
    draw: Offer | null;
    takeback: ShownTakeback | null;
  }

  /** An option of a lobby and the values on offer. */
  interface ShownOption {
    label: string;
    value: string;
    say: string;
    offers: ShownChoice[];
  }

  /** The holder of a seat. */
  interface ShownPerson {
    name: string;
    guest: boolean;
    bot: boolean;
    level: number | null;
    url: string | null;
  }

  /** Empty squares that are connected without an arrow between, and the role that owns them. */
  interface ShownRegion {
    role: Role | null;
    squares: string;
  }

  /** The state of a report made by the viewer. */
  interface ShownReport {
    line: number;
    state: string;
  }

  /** The permission of a viewer to write, with the reason and end of any restriction. */
  interface ShownRight {
    write: string;
    why: string;
    until: number | null;
  }

  /** A seat of a lobby. */
  interface ShownSeat {
    number: number;
    figure: string;
    line: string;
    sit: ShownButton | null;
    free: boolean;
    computer: ShownLevels | null;
    name: string;
    rating: string;
    shown: string;
    ready: string | null;
    is_ready: boolean;
  }

  /** A resolved step. */
  interface ShownStep {
    n: number;
    turn: number;
    role: Role | null;
    text: Record<Role, string>;
    effects: (Slide | Place | Remove | Count)[];
    spent: Record<Role, number>;
    seals?: Record<Role, Proof>;
    ahead?: boolean;
  }

  /** A requested takeback, with the number of the step that it would lead to. */
  interface ShownTakeback {
    by: Role;
    rev: number;
    at: number;
    to: number | null;
  }

  /** A turn of a line: its canonical actions, and how each is written for people. */
  interface ShownTurn {
    role: Role;
    actions: string[];
    text: string[];
  }

  /** A piece moved from one square to another. */
  interface Slide {
    role: string;
    start: string;
    end: string;
    kind: "slide";
  }

  /** A total to be split over fields, in whole numbers from 0. */
  interface SplitPrompt {
    total: number;
    fields: number;
    word: string;
    kind: "split";
  }

  /** One square still to be chosen. */
  interface Step {
    word: string;
    keep: number | null;
  }

  /** Stops the search. */
  interface Stop {
    t: "stop";
    topic?: string;
  }

  /** A study at a rev; all other fields are empty for a page that may not see it any more. */
  interface StudyState {
    t: "study";
    rev: string;
    state: "closed" | "deleted" | "open";
    version: number;
    title: string;
    visibility: string;
    hidden: boolean;
    topic?: string;
  }

  /** Follows a topic of which the page has `rev` (-1: none). */
  interface Subscribe {
    t: "subscribe";
    rev?: number | string;
    unseen?: boolean | null;
    topic?: string;
  }

  /** Asks to take back the sender's latest turn, withdraws that, or answers it. */
  interface Takeback {
    t: "takeback";
    id: string;
    do: "accept" | "decline" | "offer" | "withdraw";
    rev?: number | null;
    topic?: string;
  }

  /** Answers `try_turns`: the position after the turns, and what can be chosen there. */
  interface Tried {
    t: "tried";
    id: string;
    turns: ShownTurn[];
    role: Role | null;
    view: Record<string, unknown>;
    prompt: PathPrompt | SplitPrompt | null;
    topic?: string;
  }

  /** Asks for the position after some turns from the current one; answered with `tried`. */
  interface TryTurns {
    t: "try_turns";
    id: string;
    step: number;
    takebacks: number;
    turns: string[][];
    topic?: string;
  }

  /** Follows a topic no longer; answered with `ended`. */
  interface Unsubscribe {
    t: "unsubscribe";
    topic?: string;
  }

  type Tree = string | { [key: string]: Tree };

  /** The messages on each kind of topic; the empty one: of every socket. */
  interface Topics {
    "": {
      page: Subscribe | Unsubscribe | Ping;
      site: Pong | Ended | Refusal | Bye;
    };
    "chat:game|lobby/IDENT": {
      page: Say | Mute | Block | Report;
      site: ChatState | ChatReceipt;
    };
    "game:SLUG": {
      page:
        | Plan
        | Explain
        | Act
        | Resign
        | Draw
        | Takeback
        | Abort
        | Claim
        | CountNow
        | ClaimDecided
        | Shown
        | Flag;
      site: GameSnapshot | GamePlan | Explained | GamePeople | Receipt | Anew;
    };
    "lists[:RULES]": {
      page: never;
      site: ListsState;
    };
    "lobby:CODE": {
      page: never;
      site: LobbyState | LobbyPeople;
    };
    "mine": {
      page: never;
      site: MineState;
    };
    "notices": {
      page: never;
      site: NoticesState;
    };
    "rating:SLUG": {
      page: never;
      site: RatingState;
    };
    "replies:SLUG": {
      page: SaveReplies | TryTurns;
      site: RepliesState | Saved | Tried;
    };
    "search": {
      page: Present | Answer | Stop;
      site: SearchState;
    };
    "searches": {
      page: never;
      site: SearchesState;
    };
    "study:SLUG": {
      page: never;
      site: StudyState;
    };
  }
}
