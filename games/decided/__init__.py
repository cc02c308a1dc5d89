"""Proofs of a forced win: the witness, its check, the search for one, and proven facts.

| question | answer | its witness |
|---|---|---|
| Has the role won that claims so at its turn? | `find`; the server and the audit `check` | logged |
| Who has won, and what is certain, for spectators? | `proven_facts_of` | shown |
| Had the role lost whose time ran out, in rated play? | `find` for the other role | not kept |

Three things stand apart. A count (`games.counting`) is a rule, not a proof: it ends a game also
while the sides meet, or in a draw. A puzzle (`games.puzzles`) states the exact value of every turn,
which only a search of all of them shows. The computer players bound turns in compiled code
(`games.players.amazons.decision`), where guards count as walls: it chooses their own turns, and no
result of a game rests on it.
"""

from games.decided.check import Flaw, Unproved, check, has_claims, is_mid_turn
from games.decided.facts import ProvenFacts, proven_facts_of
from games.decided.find import can_be_proved, find
from games.decided.witness import MAX_CLAIMS, BadWitness, Witness, as_json, parse

__all__ = [
    "MAX_CLAIMS",
    "BadWitness",
    "Flaw",
    "ProvenFacts",
    "Unproved",
    "Witness",
    "as_json",
    "can_be_proved",
    "check",
    "find",
    "has_claims",
    "is_mid_turn",
    "parse",
    "proven_facts_of",
]
