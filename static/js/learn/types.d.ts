/** Types of practice: lessons and the server's verdicts. */

interface Lesson {
  slug: string;
  title: string;
  task: string;
  solved: string;
  missed: string;
  snapshot: Wire.Snapshot;
}

/** The answer to a turn that was tried: a verdict with the state after it, or a refusal. */
interface TryReply extends Partial<Wire.Refusal> {
  verdict: "solved" | "missed";
  snapshot: Wire.Snapshot;
  steps: Wire.ResolvedStep[];
  solution: string | null;
}
