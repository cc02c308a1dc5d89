"""Comparison of people's turns with our own engine, asked for by staff, computed by a worker.

For moderators alone: the figures are in the admin and nowhere else. `bots` computes them while no
computer player has a turn.
"""

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from games.catalogue import RULES
from play.models import Game
from ratings.fair_play.models import EngineAgreement

LEASE_MS = 120_000  # extended with each turn
MAX_TRIES = 2  # a worker that dies or fails counts
MAX_WAITING = 50
NO_VERDICT = "This is no verdict: good players agree with the engine too, and short games often do."


def is_comparable(game: Game) -> bool:
    """Return whether a game can be compared: over, rated, and not simultaneous."""
    rules = RULES.get(game.rules)
    return game.is_rated and game.ended is not None and bool(rules and not rules.is_simultaneous)


def ask(game: Game, by: User | None, at: int) -> EngineAgreement:
    """Ask for a game's comparison at `at` (epoch ms); an earlier one is made again."""
    free = {"tries": 0, "worker": "", "until": 0, "made": None, "result": {}, "failure": ""}
    row, _is_new = EngineAgreement.objects.update_or_create(
        game=game, defaults={"asked": at, "by": by, **free}
    )
    return row


def is_full() -> bool:
    """Return whether too many games wait already; those that have failed wait no more."""
    waiting = EngineAgreement.objects.filter(made=None, tries__lt=MAX_TRIES)
    return waiting.count() >= MAX_WAITING


def claim(worker: str, at: int) -> EngineAgreement | None:
    """Return the game that has waited longest, leased to a worker; None if none waits."""
    free = EngineAgreement.objects.filter(made=None, until__lt=at, tries__lt=MAX_TRIES)
    row = free.select_related("game").order_by("asked", "pk").first()
    if row is None:
        return None
    mine = free.filter(pk=row.pk)
    taken = mine.update(worker=worker, until=at + LEASE_MS, tries=F("tries") + 1)
    return row if taken else None


def extend(row: EngineAgreement, worker: str, at: int) -> bool:
    """Extend the lease of a worker; return whether it still has it."""
    own = EngineAgreement.objects.filter(pk=row.pk, worker=worker, made=None)
    return bool(own.update(until=at + LEASE_MS))


def save(row: EngineAgreement, worker: str, result: dict[str, object], at: int) -> None:
    """Store the figures, unless another worker has the lease."""
    own = EngineAgreement.objects.filter(pk=row.pk, worker=worker, made=None)
    own.update(result=result, made=at, worker="", until=0, failure="")


def give_back(row: EngineAgreement, worker: str, failure: str = "") -> None:
    """Give a lease back, with the reason if the comparison failed."""
    own = EngineAgreement.objects.filter(pk=row.pk, worker=worker, made=None)
    own.update(worker="", until=0, failure=failure)


def figures_text(row: EngineAgreement, role: str) -> str:
    """Return the figures of a role as a sentence, or the state of the comparison."""
    if row.made is None:
        if row.tries >= MAX_TRIES:
            return _("Failed. %(why)s") % {"why": row.failure}
        return _("Waits for a worker of computer players.")
    own = row.result.get(role, {})
    turns, same, loss = own.get("turns", 0), own.get("same", 0), own.get("mean_loss")
    words = {
        "same": same,
        "turns": turns,
        "share": round(100 * same / turns) if turns else 0,
        "loss": "–" if loss is None else f"{loss:.3f}",
        "level": row.result.get("level"),
        "nodes": row.result.get("nodes"),
    }
    return (
        _(
            "%(same)s of %(turns)s turns as the engine’s (%(share)s %%), mean loss of value "
            "%(loss)s (level %(level)s, %(nodes)s nodes)"
        )
        % words
    )
