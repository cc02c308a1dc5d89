"""Export of a user's ratings with the user's data."""

from typing import Any

from django.db.models import Q

from ratings.models import Generation, Person, RatedGame, RatingEntry, Standing
from ratings.placing.models import Placement
from ratings.rules.entry_log import GAME, annulled_games

STANDING = ("rules", "speed", "rating", "deviation", "volatility", "at", "games", "peak")


def export_ratings(user: int) -> dict[str, Any] | None:
    """Return a user's number, standings and rated games as plain JSON; None without a number."""
    person = Person.objects.filter(user=user).values_list("number", flat=True).first()
    current = Generation.objects.filter(is_current=True).first()
    if person is None or current is None:
        return None
    standings = Standing.objects.current().filter(person=person).order_by("pk")
    return {
        "number": person,
        "generation": current.pk,
        "standings": list(standings.values(*STANDING)),
        "games": _games(person, current),
    }


def _games(person: int, current: Generation) -> list[dict[str, Any]]:
    entries = RatingEntry.objects.filter(
        Q(white=person) | Q(black=person), kind=GAME, seq__lte=current.last_seq
    ).order_by("seq")
    rated = RatedGame.objects.filter(generation=current, entry__in=entries.values("pk"))
    numbers = {row.entry_id: row for row in rated}
    annulled, exported = annulled_games(current.last_seq), []
    for entry in entries.select_related("game"):
        side = "white" if entry.white_id == person else "black"
        row = numbers.get(entry.seq)
        exported.append(
            {
                "seq": entry.seq,
                "game": entry.game.slug,
                "not_rated": "annulled" if entry.game_id in annulled else entry.not_rated,
                "before": list(getattr(row.before, side)) if row else None,
                "after": list(getattr(row.after, side)) if row else None,
            }
        )
    return exported


def export_placements(user: int) -> list[dict[str, Any]]:
    """Return a user's placements with their games as plain JSON."""
    found = Placement.objects.filter(user=user).order_by("pk").prefetch_related("games__game")
    return [
        {
            "pool": str(placement.pool),
            "state": placement.state,
            "started": placement.started,
            "seq": placement.entry_id,
            "games": [
                {
                    "game": game.game.slug,
                    "level": game.level,
                    "side": game.role,
                    "result": game.result or None,
                }
                for game in placement.games.all()
            ],
        }
        for placement in found
    ]
