"""What computer players have thought, as it is kept; `services.thoughts` alone shows it."""

from collections.abc import Sequence

from bots.models import Thinking
from bots.thinker import Considered
from games.core import Role
from play.live import Live


def keep(live: Live, role: Role, level: int, go: Sequence[Considered]) -> None:
    """Writes down what was thought about a go; what was thought about it before makes room."""
    for each in go:
        thought = each.thought
        Thinking.objects.update_or_create(
            game_id=live.id,
            number=each.number,
            takebacks=live.takebacks,
            role=role,
            defaults={
                "level": level,
                "action": str(thought.action),
                "value": thought.value,
                "line": list(thought.line),
                "nodes": thought.nodes,
                "depth": thought.depth,
                "seed": thought.seed,
                "why": thought.why,
                "ms": each.ms,
            },
        )


def latest(live: Live, role: Role) -> float | None:
    """What a role expected of the game when it last thought about an action that still stands."""
    thoughts = Thinking.objects.filter(game=live.id, role=role, number__lt=live.turn)
    values = thoughts.order_by("-number", "-takebacks").values_list("value", flat=True)
    return values.first()
