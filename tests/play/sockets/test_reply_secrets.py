"""Nobody but their owner hears of conditional replies, not even that there are any."""

import gc
import json
import logging
import re

import pytest

from tests.play.sockets.test_secrets import differences, log_of, no_warning_once
from tests.support.eavesdropping import Watch, of_others
from tests.support.reply_eavesdropping import FIRST, ReplyEavesdropping

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
REPLY = ["move 7 7 6 7", "move 7 5 6 5"]
SHORT = [[FIRST, REPLY]]
LONG = [
    [FIRST, REPLY, ["move 2 5 3 5", "move 1 6 2 6"], ["move 6 7 5 7", "move 6 5 5 5"]],
    [["move 7 1 7 2", "move 7 3 7 4"], ["move 1 1 2 1", "move 1 3 2 3"]],
]
__all__ = ["no_warning_once"]  # a fixture


@pytest.fixture
def play(db, monkeypatch, caplog):
    """Plays the game with some lines and tells what was heard, logs of every level included."""
    watch = Watch(monkeypatch)
    for name in ("", "django", "quiver", "asyncio", "daphne"):
        caplog.set_level(logging.DEBUG, logger=name)

    def logs():
        return [(log_of(record), caplog.handler.format(record)) for record in caplog.records]

    async def play(lines):
        gc.collect()
        caplog.clear()
        return await ReplyEavesdropping(lines, watch, logs).play()

    return play


def spoken(heard) -> str:
    return "\n".join(text for texts in heard.values() for text in texts)


@pytest.mark.parametrize("lines", [SHORT, LONG], ids=["short", "long"])
async def test_the_others_hear_the_same_with_and_without_conditional_replies(play, lines):
    none, some = await play([]), await play(lines)
    assert differences(of_others(none.before, "black"), of_others(some.before, "black")) == {}
    assert differences(of_others(none.after, "black"), of_others(some.after, "black")) == {}


async def test_the_owner_gets_them_back_and_nobody_else_hears_a_word(play):
    some = await play(SHORT)
    own = spoken({k: v for k, v in some.before.items() if k[0] == "black replies"})
    assert json.dumps(FIRST[0]) in own
    for heard in (some.before, some.after):
        others = spoken(of_others(heard, "black"))
        assert FIRST[0] not in others and REPLY[0] not in others
        told = re.findall(r'"t":"replies".*', others)  # of white, who has none
        assert all(frame.endswith('"lines":[]}') for frame in told)
