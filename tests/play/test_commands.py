"""Commands: pages and computer players send the same types."""

from typing import get_args

import msgspec
import pytest

from play.domain import commands
from play.domain.commands import (
    Act,
    Claim,
    Draw,
    Envelope,
    GameCommand,
    PlayedAhead,
    Resign,
    ServerCommand,
    Takeback,
)
from play.domain.decide import DECIDERS
from play.sockets import messages

SENT = {
    '{"topic":"game:x","t":"act","id":"a","step":3,"actions":["move 1 5 2 5"],"takebacks":1}': Act(
        "a", 3, ("move 1 5 2 5",), 1, topic="game:x"
    ),
    '{"topic":"game:x","t":"resign","id":"a"}': Resign("a", topic="game:x"),
    '{"topic":"game:x","t":"draw","id":"a","do":"accept","rev":4}': Draw(
        "a", "accept", 4, topic="game:x"
    ),
    '{"topic":"game:x","t":"takeback","id":"a","do":"offer"}': Takeback(
        "a", "offer", topic="game:x"
    ),
    '{"topic":"game:x","t":"claim","id":"a","as":"victory"}': Claim("a", "victory", topic="game:x"),
}


@pytest.mark.parametrize("text", SENT)
def test_a_message_is_parsed_into_the_command_itself(text):
    assert messages.parse_game_message(text) == SENT[text]
    assert msgspec.json.decode(msgspec.json.encode(SENT[text]), type=GameCommand) == SENT[text]


def test_every_command_and_every_question_of_the_server_has_a_judge():
    played = {*get_args(GameCommand), *get_args(ServerCommand), PlayedAhead}
    assert played == DECIDERS.keys()
    assert PlayedAhead not in get_args(messages.GameMessage)
    assert set(get_args(GameCommand)) < set(get_args(messages.GameMessage))


def test_an_envelope_is_printed_without_what_is_secret():
    envelope = Envelope("slug", 7, 1_000, Act("a", 0, ("troops 4 3 3",)))
    assert repr(envelope) == "Envelope('slug', 7, 1000, Act('a', step=0))"
    assert envelope.salt not in repr(envelope)
    assert len(envelope.salt) == 32 != len({envelope.salt, Envelope("s", 7, 0, Resign("b")).salt})


def test_the_ledger_calls_each_command_by_its_own_name():
    said = [
        Act("a", 0, ("x",)),
        Resign("a", topic="game:x"),
        commands.Abort("a"),
        Claim("a"),
        Claim("a", "draw"),
    ]
    said += [Draw("a", "offer"), Takeback("a", "accept")]
    names = ["act", "resign", "abort", "claim", "claim-draw", "draw-offer", "takeback-accept"]
    assert [command.kind for command in said] == names
