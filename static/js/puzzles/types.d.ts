/** Types of puzzles: the page's initial data, and the server's answers. */

/** The answer, known once the puzzle has ended. */
interface PuzzleEnd {
  result: string;
  solution: string[];
  proof: string;
  rating: string | null;
  analysis: string;
  source: { url: string; say: string } | null;
  share: string;
}

interface PuzzleProgress {
  tries: number;
  most: number;
  tried: string[];
  solved: boolean;
  end: PuzzleEnd | null;
}

/** Points that a tried split of Blotto would have earned against each of the opponent's. */
interface PuzzleEarned {
  say: string;
  /** `best`: the points of the solution, once the puzzle has ended. */
  rows: { split: string; tried: number; best: number | null }[];
}

interface PlayedTurn {
  snapshot: Wire.Snapshot;
  steps: Wire.ResolvedStep[];
  earned: PuzzleEarned | null;
}

interface PuzzleData extends PuzzleProgress {
  key: string;
  role: Role;
  url: string;
  snapshot: Wire.Snapshot;
  last: PlayedTurn | null;
}

interface PuzzleVerdict extends PlayedTurn, PuzzleProgress {
  verdict: "solved" | "missed";
}

interface PuzzleRefusal extends Partial<Wire.Refusal> {
  verdict?: "illegal";
}

interface PuzzleOutdated extends PuzzleProgress {
  outdated: string;
}

type PuzzleAnswer = PuzzleVerdict | PuzzleRefusal | PuzzleOutdated;
