"""Cards of the five games: a text and a position with its last turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.catalogue import rules_of
from games.core import Role, advance, assemble_joint
from play.game_texts import name_of


@dataclass(frozen=True, slots=True)
class Card:
    """A game on offer."""

    key: str
    lines: str | Promise  # description in two short sentences
    position: str  # as `Rules.read` reads it
    last: tuple[Mapping[Role, str], ...]  # the steps shown as just played, from that position on

    @property
    def name(self) -> str:
        """The game's name for people."""
        return name_of(self.key)


CARDS = (
    Card(
        "amazons-10x10",
        _("Move like a queen, then burn a square. If you can’t move, you lose."),
        "..x......./...x...B../.x......../B.....W.../....xBx.x./.....x..../.xx..W..../...x.B..Wx/"
        "....W...../....x..... white - 12",
        ({"white": "move 5 2 6 2"}, {"white": "fire 2 6"}),
    ),
    Card(
        "amazons-8x8",
        _("The same game on a smaller board. Over in ten minutes."),
        "......../B....W../..xx.x.B/.x...B../x....W../.x.Wxx.W/B.x...../........ black - 9",
        ({"black": "move 1 2 1 1"}, {"black": "fire 8 1"}),
    ),
    Card(
        "amazons",
        _("You can move without shooting. For slow, deep games."),
        "......W.xB/....x...../....BWB.../.......x../..xx....x./.B....x.../......x.../..x..x..../"
        "x.W......./....W..... white - 16",
        ({"white": "play 6 8 6 7 2 7"},),
    ),
    Card(
        "blotto",
        _("Ten troops, three fields, five rounds. Both decide in secret."),
        "5,1,4:3,4,3/3,4,3:6,1,3",
        ({"white": "troops 5 1 4", "black": "troops 3 4 3"},),
    ),
    Card(
        "pincer",
        _("Two steps a turn. Pinch a line between two of yours, or you and the wall."),
        "W....B./......./W.....B/.B...W./......./......W/.B..... white g2 9 4",
        ({"white": "move 6 4 6 5"},),
    ),
)


@cache
def card_pictures() -> dict[str, dict[str, Any]]:
    """Returns the drawing data of each card by key: the view and the steps of the last turn."""
    return {card.key: _picture(card) for card in CARDS}


def _picture(card: Card) -> dict[str, Any]:
    rules = rules_of(card.key)
    state, last = rules.read(card.position), []
    for number, texts in enumerate(card.last):
        acts = {role: rules.parse(text) for role, text in texts.items()}
        joint = assemble_joint(rules, state, acts)
        step: dict[str, Any] = {
            "n": number,
            "turn": rules.turns(state),
            "role": next(iter(acts)) if len(acts) == 1 else None,
            "text": {},
            "effects": rules.effects(state, joint, None),
        }
        last.append(step)
        state = advance(rules, state, joint)
    picture = {"key": card.key, "view": rules.view(state, None), "last": last}
    return {**msgspec.to_builtins(picture)}
