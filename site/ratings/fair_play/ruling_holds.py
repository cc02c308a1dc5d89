"""Find the rulings that annul a game: it stays annulled until all of them are reversed."""

from collections.abc import Collection, Iterable
from typing import NamedTuple, Self

from django.db.models import Q

from ratings.fair_play.models import Ruling
from ratings.models import RatingEntry
from ratings.rules.entry_log import annulled_among


class Decision(NamedTuple):
    """The relevant part of a ruling; one that is not stored yet has number 0."""

    pk: int
    is_annulment: bool
    games: list[str]  # slugs
    person: int | None
    reverses: int | None

    def lifts(self, annulment: int, person: int | None) -> bool:
        """Return whether this restoration ends an annulment, which was about a person or None.

        The reversal of a ruling ends that ruling alone. A restoration of a person's games ends
        rulings about that person and about single games, but none about an opponent. One that
        names a game ends all that annul it.
        """
        if self.reverses is not None:
            return annulment == self.reverses
        return self.person is None or person in (None, self.person)


class Holds:
    """The annulments in force of each game, after some rulings in their order."""

    def __init__(self) -> None:
        self._by_game: dict[str, dict[int, int | None]] = {}  # slug: ruling's number: its person

    @classmethod
    def after(cls, decisions: Iterable[Decision]) -> Self:
        """Return the annulments in force after decisions, oldest first."""
        holds = cls()
        for decision in decisions:
            holds.add(decision)
        return holds

    def add(self, decision: Decision) -> None:
        """Let a decision take effect."""
        for slug in decision.games:
            held = self._by_game.setdefault(slug, {})
            if decision.is_annulment:
                held[decision.pk] = decision.person
            else:
                ended = [pk for pk, person in held.items() if decision.lifts(pk, person)]
                for pk in ended:
                    del held[pk]

    def is_held(self, slug: str) -> bool:
        """Return whether a ruling in force annuls a game."""
        return bool(self._by_game.get(slug))

    def is_held_for(self, slug: str, person: int | None) -> bool:
        """Return whether a ruling in force about a person (None: about the game) annuls it."""
        return person in self._by_game.get(slug, {}).values()

    def is_changed_by(self, decision: Decision) -> bool:
        """Return whether a restoration would end an annulment of one of its games."""
        return any(
            decision.lifts(pk, person)
            for slug in decision.games
            for pk, person in self._by_game.get(slug, {}).items()
        )


def read_holds(last: int | None = None) -> Holds:
    """Return the annulments in force after all rulings up to a number, waiting ones included."""
    rulings = Ruling.objects.order_by("pk")
    if last is not None:
        rulings = rulings.filter(pk__lte=last)
    columns = ("pk", "is_annulment", "games", "person", "reverses")
    return Holds.after(Decision(*row) for row in rulings.values_list(*columns))


def annulled_slugs(slugs: Collection[str]) -> set[str]:
    """Return the games that their last correction annuls, whatever its source."""
    entries = RatingEntry.objects.filter(Q(kind=RatingEntry.Kind.GAME), game__slug__in=slugs)
    games = dict(entries.values_list("game", "game__slug"))
    return {games[game] for game in annulled_among(list(games))}


def is_of_use(decision: Decision) -> bool:
    """Return whether a ruling that is to be stored would change which rulings annul its games.

    An annulment does, unless another one about the same person is in force for each of them; a
    restoration does if it ends one, or if a game was annulled by no ruling at all.
    """
    holds = read_holds()
    if decision.is_annulment:
        return any(not holds.is_held_for(slug, decision.person) for slug in decision.games)
    if holds.is_changed_by(decision):
        return True
    annulled = annulled_slugs(decision.games)
    return decision.reverses is None and any(not holds.is_held(slug) for slug in annulled)
