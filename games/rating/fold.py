"""The fold: standings after each entry, from the first one on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from games.rating.advantage import Meeting, first_move_advantage, meeting
from games.rating.entries import SCORES, Correction, Entry, GameEntry, SideNumbers
from games.rating.placement import PlacementGame, place
from games.rating.pools import SISTER_RULES, Pool, Speed, start_of, tau_of
from games.rating.standing import UNIT, Numbers, Standing, rate_side

OTHER_SPEED: Final = {Speed.LIVE: Speed.DAYS, Speed.DAYS: Speed.LIVE}
SAME_RULES_DEVIATION: Final = 200 * UNIT  # of a rating taken over from the other speed
SISTER_DEVIATION: Final = 250 * UNIT  # of one taken over from the other board

Standings = Mapping[Pool, Standing]  # of one person


def first_standing(standings: Standings, pool: Pool, at: int) -> Standing:
    """Return the standing with which a person enters a pool at a time (epoch ms).

    An established rating in the same game at the other speed is taken over, else one on the other
    board of Amazons at the same speed; otherwise the pool's start, 1500 ± 350 (Blotto ± 120).
    """
    start = start_of(pool)
    sources = [(Pool(pool.rules, OTHER_SPEED[pool.speed]), SAME_RULES_DEVIATION)]
    if pool.rules in SISTER_RULES:
        sources.append((Pool(SISTER_RULES[pool.rules], pool.speed), SISTER_DEVIATION))
    for source, deviation in sources:
        known = standings.get(source)
        if known and known.is_established(at):
            return Standing(
                start._replace(
                    rating=known.numbers.rating, deviation=min(deviation, start.deviation)
                )
            )
    return Standing(start)


def rate(sides: SideNumbers, winner: str, pool: Pool, advantage: int) -> SideNumbers:
    """Return both sides' numbers after a game.

    `winner` is white, black or empty; `advantage` is white's by moving first, in thousandths.
    """
    score, tau = SCORES[winner], tau_of(pool)
    return SideNumbers(
        rate_side(sides.white, sides.black, score, tau, advantage),
        rate_side(sides.black, sides.white, 1.0 - score, tau, -advantage),
    )


def annulled_games(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the games that the last correction of each annuls."""
    last = {entry.game: entry.is_annulled for entry in entries if isinstance(entry, Correction)}
    return frozenset(game for game, is_annulled in last.items() if is_annulled)


class NoAnchors(ValueError):
    """A game's levels have no ratings yet; `str` is an English sentence."""


class Fold:
    """Standings of all people, changed by one entry after another."""

    def __init__(self) -> None:
        self.standings: dict[int, dict[Pool, Standing]] = defaultdict(dict)
        self.advantages: dict[str, int] = {}
        self._anchors: dict[str, tuple[int, ...]] = {}
        self._meetings: dict[str, list[Meeting]] = defaultdict(list)

    def set_anchors(self, rules: str, ratings: tuple[int, ...]) -> None:
        """Fix the ratings of the levels of a game, in thousandths."""
        self._anchors[rules] = ratings

    def place(
        self, person: int, pool: Pool, games: Iterable[PlacementGame], at: int
    ) -> Numbers | None:
        """Give a newcomer a first rating and return it; None if the person has played already.

        Raises NoAnchors, NotNext.
        """
        if pool.rules not in self._anchors:
            raise NoAnchors(f"There are no anchors for {pool.rules}.")
        known = self.standings[person].get(pool)
        if known and known.games:
            return None
        standing = place(tuple(games), self._anchors[pool.rules], at)
        self.standings[person][pool] = standing
        return standing.numbers

    def play(
        self, game: GameEntry, known: tuple[SideNumbers, SideNumbers] | None = None
    ) -> tuple[SideNumbers, SideNumbers]:
        """Rate a game, whatever its entry says about it; return the numbers before and after.

        `known` are those of another fold of the game. They are used in place of a computation if
        both sides come to the game with the same numbers, and no first-move advantage was fitted,
        which might be another one there.
        """
        white, black = (
            self._standing(person, game.pool, game.at) for person in (game.white, game.black)
        )
        before = SideNumbers(white.numbers_at(game.at), black.numbers_at(game.at))
        if known and known[0] == before and not self.advantages:
            after = known[1]
        else:
            after = rate(before, game.winner, game.pool, self.advantages.get(game.pool.rules, 0))
        self.standings[game.white][game.pool] = white.plus_game(after.white, game.at)
        self.standings[game.black][game.pool] = black.plus_game(after.black, game.at)
        score = SCORES[game.winner]
        self._meetings[game.pool.rules].append(meeting(before.white, before.black, score))
        return before, after

    def fit_advantage(self, rules: str) -> int:
        """Fit the first-move advantage to all games so far, use it from now on, and return it."""
        self.advantages[rules] = first_move_advantage(self._meetings[rules])
        return self.advantages[rules]

    def _standing(self, person: int, pool: Pool, at: int) -> Standing:
        known = self.standings[person]
        return known.get(pool) or first_standing(known, pool, at)
