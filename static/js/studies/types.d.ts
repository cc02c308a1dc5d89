/** Types of studies. */

/** A turn as it is stored. */
interface StudyNode {
  parent: number;
  actions: string[];
  comment?: string;
  mark?: NodeMark;
}

/** The study of a page. */
interface StudyData {
  slug: string;
  rev: number;
  title: string;
  visibility: string;
  is_own: boolean;
  /** By a moderator: nobody but the owner sees it, and nothing in it can be changed. */
  is_hidden: boolean;
}

/** The saved parts, each as a text: two are the same if their texts are; `nodes` is JSON. */
interface StudyContents {
  title: string;
  visibility: string;
  nodes: string;
}

/** The parts of a study that a save replaces. */
type SaveBody = { rev: number } & Partial<StudyContents>;

/** A study as its JSON file has it. */
interface StudyFile {
  rev: number;
  title: string;
  visibility: string;
  nodes: StudyNode[];
}

/** The study as somebody else has left it. */
interface StudyConflict extends StudyFile {
  by: string;
  /** ms since the epoch. */
  at: number;
}

/** A study in a frame of another site. */
interface EmbeddedData {
  key: string;
  rev: number;
  /** Where the positions of a line are. */
  url: string;
  names: Wire.ByRole<string>;
  start: AnalysisPosition;
  snapshot: Wire.BoardSnapshot;
  nodes: StudyNode[];
}

/** The played turns of a line, each with its place in the study; or why there are none. */
type LineReply = { nodes: [number, AnalysisNode][] } | { changed: true } | { failed: string };

interface StudyFailure {
  failed: string;
  isFinal: boolean;
}

type StudyReply =
  | { done: { rev: number; url?: string } }
  | { conflict: StudyConflict }
  | StudyFailure;

interface SaveState {
  name: "saved" | "changed" | "saving" | "failed" | "conflict" | "hidden" | "closed";
  /** Why nothing was saved. */
  say: string;
}
