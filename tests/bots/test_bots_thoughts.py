"""Thoughts of computer players: shown after the game, to nobody before."""

import json
import logging

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.test import Client

from bots.models import Thinking
from bots.thought_log import StillRunning, thoughts
from play.domain import clocks, commands, visibility
from play.models import Entry, Game
from tests.support.bot_workers import AtWork, against, first, play, say, told, until
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(engine, at_work) -> None:
    engine("quick")


async def test_thoughts_are_told_step_by_step_in_human_notation_when_the_game_is_over(people):
    ada = people[0]
    game = await first(ada, "amazons-10x10", level=6)
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    with pytest.raises(StillRunning):
        await told(thoughts, game.slug)
    await say(game, ada, commands.Resign("r"))
    move, fire = await told(thoughts, game.slug)
    seen = (await game_service().renew(game.slug)).last
    assert [(each["n"], each["text"]) for each in (move, fire)] == [
        (step.n, step.text["white"]) for step in seen
    ]
    assert (move["role"], move["level"], move["value"]) == ("white", 6, 0.0)
    assert (move["nodes"], move["depth"], move["why"]) == (60, 3, "")
    assert move["line"] == [move["text"]] and fire["line"][0].startswith("/")
    assert json.loads(json.dumps(move)) == move
    assert 0 <= move["seed"] < 2**53


async def test_an_arrow_in_a_line_stands_behind_its_move(people):
    game = await first(people[0], "amazons-10x10")
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    await say(game, people[0], commands.Resign("r"))

    def lengthen() -> None:
        line = ["move 4 1 4 7", "fire 7 7", "move 1 7 2 7", "and so on"]
        Thinking.objects.filter(number=0).update(line=line)

    await told(lengthen)
    assert (await told(thoughts, game.slug))[0]["line"] == ["d1-d7/g7", "a7-b7", "and so on"]


@pytest.mark.django_db(transaction=True)
async def test_thoughts_about_steps_that_were_taken_back_are_not_shown(people):
    ada = people[0]
    game = await against(ada, "pincer")
    async with AtWork():
        await play(game, ada, "move 1 5 2 5", "move 1 7 2 7")
        await until(game, lambda live: live.step == 4)
        await say(game, ada, commands.Takeback("t", "offer"))
        await until(game, lambda live: live.takebacks == 1)
        await play(game, ada, "move 7 1 6 1", "move 7 3 6 3")
        await until(game, lambda live: live.step == 4)
    await say(game, ada, commands.Resign("r"))
    joints = {step.n: step.text for step in (await game_service().renew(game.slug)).last}
    assert {
        each["n"]: {each["role"]: each["text"]} for each in await told(thoughts, game.slug)
    } == (joints)
    assert await told(Thinking.objects.count) == 4


async def test_a_thought_about_an_action_that_was_not_played_is_not_told(people):
    game = await first(people[0], "pincer")
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    await told(lambda: Thinking.objects.filter(number=1).update(action="move 1 1 1 2"))
    await say(game, people[0], commands.Resign("r"))
    assert [each["n"] for each in await told(thoughts, game.slug)] == [0]


async def test_a_game_that_does_not_exist_has_no_thoughts():
    with pytest.raises(Game.DoesNotExist):
        await told(thoughts, "nowhere")


@pytest.mark.slow
async def test_nothing_of_a_secret_thought_reaches_anybody_before_the_end(people, caplog):
    """In Blotto a thought reveals the sealed action and the plan for the next round."""
    ada, _, cy = people
    caplog.set_level(logging.DEBUG)
    logging.getLogger("aiosqlite").setLevel(logging.DEBUG)
    game = await first(ada, "blotto", level=7)
    async with AtWork() as worker, Page(game.slug, ada) as seat, Page(game.slug, cy) as watcher:
        await until(game, lambda live: "white" in live.sealed)
        await seat.until(1)
        await watcher.until(1)
        await wait_until(lambda: worker._thinking is None, "the worker has ended its turn")
        for page in (seat, watcher):
            await page.say(t="ping", rev=1)
            await page.next("pong")
        thinking = await told(Thinking.objects.get)
        pages = [await shown(user, path) for user in (ada, cy, None) for path in paths(game)]
        frames = [*seat.heard, *watcher.heard]
    heard = [caplog.text, json.dumps(frames), *pages]
    live = await game_service().renew(game.slug)
    heard += [str(visibility.snapshot(live, who, clocks.now())) for who in ("black", "spectator")]
    heard += await told(lambda: [entry.body for entry in Entry.objects.all()])
    troops = thinking.action.removeprefix("troops ")
    listed = f"[{troops.replace(' ', ', ')}]"
    for text in heard:
        for secret in (thinking.action, listed, listed.replace(" ", ""), str(thinking.seed)):
            assert secret not in text
    assert len(pages) == 3 * len(paths(game)) and len(frames) >= 2
    assert Thinking not in admin.site._registry
    assert troops not in str(thinking)


def paths(game: Game) -> list[str]:
    """The addresses at which something of a game is shown. The front page lists what `/watch/`
    does, beside a figure with troops of its own."""
    own = game.get_absolute_url()
    return [
        "/watch/",
        own,
        f"{own}steps",
        f"{own}record.json",
        f"{own}ledger.json",
        f"{own}picture.png",
        "/u/Falcon/",
    ]


@sync_to_async
def shown(user, path: str) -> str:
    """A page with its headers."""
    browser = Client()
    if user:
        browser.force_login(user)
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return f"{answer.headers} {answer.content.decode(errors='replace')}"
