"""Commits of other processes: which of them make the public lists be read again, and when."""

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from play.domain.clocks import now
from play.models import Game
from play.process_models import Heartbeat
from play.runtime.topics import Topic
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import hub
from tests.support.page_visitors import game_of, someone
from tests.support.waiting import turn_loop_clock
from watch import public_lists

OPEN = Options("pincer", NO_CLOCK, "white", True)


pytestmark = pytest.mark.django_db


async def in_db(work, *args, **columns):
    return await sync_to_async(work)(*args, **columns)


async def test_a_new_lobby_a_move_and_an_end_make_the_lists_be_read(at_work):
    source = hub().source("lists")
    await source.load("")
    ada, bob = await in_db(someone, "ada"), await in_db(someone, "bob")
    await in_db(source.revs, [""])
    await in_db(lobby_service.create, ada, OPEN)
    assert (await in_db(source.revs, ["", "pincer"])).keys() == {"", "pincer"}
    game = await in_db(game_of, ada, bob)
    assert await in_db(source.revs, [""])
    await in_db(Game.objects.filter(pk=game.pk).update, rev=game.rev + 1)
    assert await in_db(source.revs, [""])
    await in_db(Game.objects.filter(pk=game.pk).update, ended=now())
    assert await in_db(source.revs, [""])


async def test_after_another_commit_they_are_read_a_while_later(at_work, monkeypatch):
    source = hub().source("lists")
    monkeypatch.setattr(public_lists, "UNRELATED_INTERVAL_S", 120.0)  # longer than this test
    hinted: list[Topic] = []
    monkeypatch.setattr(hub(), "hint", lambda topic, rev: hinted.append(topic))
    await source.load("")
    await in_db(source.revs, [""])
    await in_db(Heartbeat.objects.update_or_create, pk=1, defaults={"at": now()})
    assert await in_db(source.revs, ["", "blotto"]) == {}
    await in_db(User.objects.filter(pk=1).update, username="renamed")
    assert await in_db(source.revs, [""]) == {}
    await turn_loop_clock(60)
    assert hinted == []
    await turn_loop_clock(60)
    assert sorted(hinted) == [("lists", ""), ("lists", "blotto")]
