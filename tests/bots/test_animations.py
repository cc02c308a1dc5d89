"""Animations of ended games: permissions, the queue, and the workers that make them."""

import asyncio
import hashlib
from io import BytesIO

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from PIL import Image

from accounts.limits import rate_limits
from bots import animation_maker, animations
from bots.animation_maker import AnimationMaker
from bots.models import Animation
from play.domain import commands
from play.domain.clocks import now
from play.models import Game
from play.picture.animator import AnimationError
from play.storage import load
from tests.support.bot_workers import AtWork, against, play, say
from tests.support.faulty_engines import Held
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
MOVES = [("move 7 3 7 4", "move 1 5 1 4"), ("move 1 3 1 2", "move 7 5 7 6")]
told = sync_to_async


def path_of(game: Game) -> str:
    return f"/g/{game.slug}/animation.webp"


def ask(game: Game, user=None, **extra):
    client = Client(**extra)
    if user:
        client.force_login(user)
    return client.get(path_of(game))


async def played(table, people, turns: int = 2, **options) -> Game:
    """A game between Ada and Bob that has ended after some turns."""
    game = await table("pincer", **options)
    for number, turn in enumerate(MOVES[:turns]):
        await play(game, people[number % 2], *turn)
    await say(game, people[0], commands.Resign("r"))
    return game


async def make_one(is_free=lambda: True) -> bool:
    return await AnimationMaker(game_service(), "a worker", is_free).make_next()


async def test_an_ended_game_is_queued_made_once_and_shown_to_everybody(table, people) -> None:
    game = await played(table, people)
    first = await told(ask)(game)
    assert (first.status_code, first.json()) == (202, {"state": "waiting"})
    assert "no-store" in first["Cache-Control"]
    assert (await told(ask)(game, people[2])).status_code == 202
    assert await told(Animation.objects.count)() == 1
    assert await make_one()
    made = await told(ask)(game)
    assert (made.status_code, made["Content-Type"]) == (200, "image/webp")
    assert "max-age=604800" in made["Cache-Control"]
    assert Image.open(BytesIO(made.content)).n_frames == 3  # the start and two turns
    assert (await told(ask)(game, people[2])).content == made.content
    assert not await make_one()  # nothing waits any more


async def test_a_running_game_and_one_that_is_too_short_have_none(table, people) -> None:
    running = await table("pincer")
    await play(running, people[0], *MOVES[0])
    await play(running, people[1], *MOVES[1])
    short = await played(table, people, turns=1)
    for game in (running, short):
        assert (await told(ask)(game, people[0])).status_code == 404
    assert await told(Animation.objects.count)() == 0


async def test_a_game_without_spectators_is_animated_only_when_it_is_over(table, people) -> None:
    game = await table("pincer", watch=False)
    await play(game, people[0], *MOVES[0])
    await play(game, people[1], *MOVES[1])
    for user in (None, *people):
        assert (await told(ask)(game, user)).status_code == 404
    await say(game, people[0], commands.Resign("r"))
    assert (await told(ask)(game)).status_code == 202
    assert (await told(Client().get)("/g/nowhere/animation.webp")).status_code == 404


async def test_another_head_hash_is_made_anew(table, people) -> None:
    game = await played(table, people)
    await told(ask)(game)
    await make_one()
    before = await told(Animation.objects.get)()
    other = hashlib.sha256(b"another entry").hexdigest()
    await told(Game.objects.update)(head=other)
    assert (await told(ask)(game)).status_code == 202
    assert await make_one()
    after = await told(Animation.objects.get)()
    assert (before.pk, before.head) != (after.pk, after.head) == (before.pk, other)
    assert (await told(ask)(game)).status_code == 200


async def test_a_full_queue_takes_nothing_more(table, people, monkeypatch) -> None:
    monkeypatch.setattr(animations, "MAX_WAITING", 1)
    first, second = await played(table, people), await played(table, people)
    assert (await told(ask)(first)).status_code == 202
    refused = await told(ask)(second)
    assert (refused.status_code, refused["Retry-After"]) == (503, "60")
    assert (await told(ask)(first)).status_code == 202
    await make_one()
    assert (await told(ask)(second)).status_code == 202


async def test_new_animations_are_limited_by_network_and_old_ones_are_not(
    table, people, monkeypatch
) -> None:
    games = [await played(table, people) for _ in range(4)]
    answers = []
    monkeypatch.setattr(rate_limits, "ANIMATIONS", rate_limits.Limit("animations", 2, 3))
    for game in games:
        answers.append((await told(ask)(game, REMOTE_ADDR="203.0.113.9")).status_code)
    assert answers == [202, 202, 202, 429]
    assert (await told(ask)(games[0], REMOTE_ADDR="203.0.113.9")).status_code == 202
    assert (await told(ask)(games[3], people[0])).status_code == 202


async def test_new_animations_are_limited_by_user(table, people, monkeypatch) -> None:
    games = [await played(table, people) for _ in range(3)]
    monkeypatch.setattr(rate_limits, "ANIMATIONS", rate_limits.Limit("animations", 2, 3))
    assert [(await told(ask)(game, people[0])).status_code for game in games] == [202, 202, 429]


async def test_what_cannot_be_made_is_tried_twice_and_then_refused_for_an_hour(
    table, people, monkeypatch, caplog
) -> None:
    async def fail(*args):
        raise AnimationError("no renderer")

    monkeypatch.setattr(animation_maker, "make_webp", fail)
    game = await played(table, people)
    assert (await told(ask)(game)).status_code == 202
    assert await make_one()
    assert (await told(ask)(game)).status_code == 202
    assert await make_one()
    assert not await make_one()
    assert (await told(ask)(game)).status_code == 503
    assert caplog.text.count("no renderer") == 2
    asked = (await told(Animation.objects.get)()).asked
    await told(animations.forget_old)(asked + animations.WAIT_LIMIT_MS)
    assert (await told(ask)(game)).status_code == 503
    await told(animations.forget_old)(asked + animations.WAIT_LIMIT_MS + 1)
    assert (await told(ask)(game)).status_code == 202


async def test_two_workers_never_make_the_same_and_one_that_died_is_replaced(table, people) -> None:
    game = await played(table, people)
    await told(ask)(game)
    at = now()
    row = await told(animations.claim)("one", at)
    assert row is not None
    assert await told(animations.claim)("two", at + animations.LEASE_MS) is None
    again = await told(animations.claim)("two", at + animations.LEASE_MS + 1)
    assert again is not None and again.pk == row.pk
    await told(animations.save)(row, "one", b"late", at)
    assert (await told(ask)(game)).status_code == 202
    await told(animations.save)(again, "two", b"RIFF", at)
    assert (await told(ask)(game)).content == b"RIFF"


async def test_what_is_kept_is_bounded_in_time_and_in_bytes(table, people, monkeypatch) -> None:
    games = [await played(table, people) for _ in range(3)]
    for number, game in enumerate(games):
        await told(ask)(game)
        row = await told(animations.claim)("one", now())
        assert row is not None
        await told(animations.save)(row, "one", b"x" * 100, 1_000 + number)
    monkeypatch.setattr(animations, "MAX_KEPT_BYTES", 250)
    await told(animations.forget_old)(2_000)
    kept = await told(lambda: set(Animation.objects.values_list("game_id", flat=True)))()
    assert kept == {games[1].pk, games[2].pk}
    await told(animations.forget_old)(1_002 + animations.KEPT_MS)
    kept = await told(lambda: set(Animation.objects.values_list("game_id", flat=True)))()
    assert kept == {games[2].pk}


async def test_a_worker_that_ends_leaves_the_job_to_another(table, people) -> None:
    game = await played(table, people)
    await told(ask)(game)
    asked = asyncio.Event()

    def is_free() -> bool:
        asked.set()
        return False

    making = asyncio.create_task(make_one(is_free))
    await asyncio.wait_for(asked.wait(), 30)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    row = await told(Animation.objects.get)()
    assert (row.worker, row.until, row.tries, row.made) == ("", 0, 0, None)
    assert await make_one()


async def test_no_animation_is_made_while_a_computers_turn_waits(
    table, people, engine, monkeypatch
) -> None:
    engine("held")
    monkeypatch.setattr(animation_maker, "CHECK_INTERVAL_S", 0.01)
    rounds, forget_old = [], AnimationMaker.forget_old

    async def note_round(maker: AnimationMaker) -> None:
        rounds.append(maker)
        await forget_old(maker)

    monkeypatch.setattr(AnimationMaker, "forget_old", note_round)
    done = await played(table, people)
    game = await against(people[0], "pincer")
    async with AtWork() as worker:
        await wait_until(worker._is_free, "the worker is free")
        await play(game, people[0], *MOVES[0])
        await wait_until(lambda: worker._thinking is not None, "the worker thinks")
        await told(ask)(done)
        rounds.clear()
        await wait_until(lambda: len(rounds) > 2, "the maker has looked twice since it was asked")
        row = await told(Animation.objects.get)()
        assert (row.worker, row.made) == ("", None)
        Held.released.set()
        await _until_made(done)
    live = await told(load.fetch)(game.slug)
    assert live is not None and live.step == 4


async def test_a_worker_makes_what_waits_when_it_has_nothing_else_to_do(
    table, people, engine
) -> None:
    engine("quick")
    game = await played(table, people)
    await told(ask)(game)
    async with AtWork():
        await _until_made(game)
    assert Image.open(BytesIO((await told(ask)(game)).content)).format == "WEBP"


async def _until_made(game: Game) -> None:
    async def is_made() -> bool:
        return (await told(ask)(game)).status_code == 200

    await wait_until(is_made, "the animation is made", timeout_s=60)
