/** The Blotto lab's types. A split is named by its index in the table. */

/** As `games.players.blotto.lab_table.LabTable` writes it. */
interface LabTableJson {
  splits: number[][];
  points: string;
  round_points: number;
  mix: number[];
  mix_total: number;
}

interface LabTable {
  /** Troops by field. */
  splits: readonly number[][];
  /** Points of the row's split for each pair, own × other. */
  points: Uint8Array;
  /** Of both players together in a round; half of it is even. */
  roundPoints: number;
  /** The equilibrium: the chance of each split, times `mixTotal`. */
  mix: readonly number[];
  mixTotal: number;
}

/** The indices of the own split and of the opponent's. */
type LabRound = [own: number, other: number];

/** The rounds of one game, in their order; `url` is empty where the page is about one game. */
type LabGame = [url: string, rounds: LabRound[]];

interface LabSide {
  name: string;
  is_own: boolean;
  games: LabGame[];
}

interface LabData {
  table: LabTableJson;
  sides: LabSide[];
}

/** A reduced fraction; `den` is positive. */
interface Fraction {
  num: number;
  den: number;
}

interface Estimate {
  mean: number;
  /** Half the width of the 95 % interval. */
  margin: number;
}
