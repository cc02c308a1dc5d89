/** The page of a game of Blotto. */

import { begin } from "./game.js";
import { later } from "./page/later.js";
import { Troops } from "./troops/troops.js";

/** The proofs that a round was not changed after it was sealed, computed when somebody asks. */
function proofs({ turnOf, memory, gameOf }) {
  const get = () => import("./ledger/proof.js");
  const verifier = later(get, ({ proofsOf }) => proofsOf(turnOf, memory, gameOf));
  return {
    may: (round) => Boolean(turnOf(round)?.seals),
    verify: (round, tell) => verifier(({ verify }) => tell(verify(round))),
  };
}

begin((snapshot, { near }, events) => {
  const [troops, rounds] = ["troops", "rounds"].map((id) => document.getElementById(id));
  return new Troops(troops, rounds, { near }, { ...events, proofs: proofs(events) });
});
