"""Registry of the rule sets by key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from games.amazons import Amazons
from games.blotto import Blotto
from games.core import Rules
from games.grid import grid
from games.pincer import Pincer
from games.text import clip

AMAZONS: Final = Amazons(
    "amazons",
    "Amazons, free arrow",
    grid(10, 10),
    split=False,
    white="a4 d1 g1 j4",
    black="a7 d10 g10 j7",
)
AMAZONS_10X10: Final = Amazons(
    "amazons-10x10",
    "Amazons",
    grid(10, 10),
    split=True,
    white="a4 d1 g1 j4",
    black="a7 d10 g10 j7",
)
AMAZONS_8X8: Final = Amazons(
    "amazons-8x8",
    "Amazons 8×8",
    grid(8, 8),
    split=True,
    white="a3 c1 f1 h3",
    black="a6 c8 f8 h6",
)
BLOTTO: Final = Blotto("blotto", "Colonel Blotto", fields=3, total=10, rounds=5)
PINCER: Final = Pincer(
    "pincer", "Pincer", grid(7, 7), white="a7 a5 g3 g1", black="g7 g5 a3 a1", limit=50
)

RULES: Final[Mapping[str, Rules[Any]]] = MappingProxyType(
    {
        "amazons": AMAZONS,
        "amazons-10x10": AMAZONS_10X10,
        "amazons-8x8": AMAZONS_8X8,
        "blotto": BLOTTO,
        "pincer": PINCER,
    }
)


class UnknownRules(KeyError):
    """No rule set has this key; `str` is an English sentence."""

    def __str__(self) -> str:
        return f"There is no rule set “{clip(self.args[0])}”; there are {', '.join(RULES)}."


def rules_of(key: str) -> Rules[Any]:
    """Return the rule set with this key. Raises UnknownRules."""
    try:
        return RULES[key]
    except KeyError:
        raise UnknownRules(key) from None
