/** The table of a round as the server embeds it, computed apart from the server. */

const TOTAL = 10;

/** An equilibrium, in 24ths for each order of a type (LP of one round: 1/2, 1/4 and 1/4 by type). */
const WEIGHTS = { "6-4-0": 2, "7-2-1": 1, "5-3-2": 1 };

const compare = (own, other) => 1 + Math.sign(own - other);

const typeOf = (split) => [...split].sort((a, b) => b - a).join("-");

/** @returns {LabTableJson} */
export function tableJson() {
  const splits = [];
  for (let first = 0; first <= TOTAL; first += 1)
    for (let second = 0; second <= TOTAL - first; second += 1)
      splits.push([first, second, TOTAL - first - second]);
  const points = splits.flatMap((own) =>
    splits.map((other) =>
      own.reduce((sum, troops, field) => sum + compare(troops, other[field]), 0),
    ),
  );
  return {
    splits,
    points: points.join(""),
    round_points: 6,
    mix: splits.map((split) => WEIGHTS[typeOf(split)] ?? 0),
    mix_total: 24,
  };
}
