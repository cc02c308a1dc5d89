/** Entry of the page of a game of Blotto. */

import "./base.js";
import { reportShown } from "../game/page-shown.js";
import { startGamePage } from "../game/start.js";
import { byId, loadLater } from "../lib/dom.js";
import { Troops } from "../troops/troops.js";

/**
 * The proofs that a round was not changed after it was sealed, computed when somebody asks.
 *
 * @param {SurfaceEvents} events
 */
function lazyProofs({ stepOf, receipts, gameOf }) {
  const get = () => import("../ledger/proof.js");
  const verifier = loadLater(get, ({ proofsOf }) => proofsOf(stepOf, receipts, gameOf));
  return {
    may: (/** @type {number} */ round) => Boolean(stepOf(round)?.seals),
    verify: (/** @type {number} */ round, /** @type {(sentences: string[]) => void} */ tell) =>
      verifier(({ verify }) => tell(verify(round))),
  };
}

/** @type {MakeSurface<Wire.SplitSnapshot>} */
const makeTroops = (_snapshot, { near }, events) => {
  const [troops, rounds] = ["troops", "rounds"].map((id) => byId(id));
  return new Troops(troops, rounds, { near }, { ...events, proofs: lazyProofs(events) });
};

reportShown(startGamePage(makeTroops));
