"""Decided squares of a position: for spectators during a game, for players after its end."""

import itertools

import pytest

from games.decided import proven_facts_of
from play.domain import clocks, commands, visibility
from tests.play.live_commands import say
from tests.support.loop_runtime import game_service
from tests.support.walled_games import WHITE_AHEAD

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())


@pytest.fixture
async def walled(table, people):
    """A game in which white has 46 squares to 36 and is to move."""

    async def begin(**options):
        game = await table("amazons", **options)
        for number, action in enumerate(WHITE_AHEAD):
            await say(game, people[number % 2], commands.Act(next(ids), number, (action,)))
        return game

    return begin


async def ask(async_client, game, user=None, step=10):
    if user is not None:
        await async_client.aforce_login(user)
    return await async_client.get(f"/g/{game.slug}/standing?step={step}")


async def test_a_spectator_sees_who_has_won_and_why(walled, people, async_client):
    game = await walled()
    for user in (None, people[2]):
        answer = await ask(async_client, game, user)
        found = answer.json()
        assert (found["decided"]["winner"], found["step"]) == ("white", 10)
        assert (found["decided"]["least"], found["decided"]["most"]) == (46, 36)
        assert found["sure"] == {"white": 46, "black": 36}
        assert [region["role"] for region in found["regions"]] == ["white", "black"]
    before = (await ask(async_client, game, step=9)).json()
    assert before["decided"] is None
    assert (await ask(async_client, game, step=0)).json()["sure"] == {"white": 0, "black": 0}


async def test_nobody_sees_it_in_a_rated_game_before_its_end(walled, people, async_client):
    """A player could ask as a stranger, in a private window."""
    game = await walled(rated=True)
    for user in (None, *people[:3]):
        assert (await ask(async_client, game, user)).status_code == 403
    await say(game, people[0], commands.Resign(next(ids)))
    await async_client.alogout()
    assert (await ask(async_client, game)).json()["decided"]["winner"] == "white"


async def test_a_player_sees_it_after_the_end(walled, people, async_client):
    game = await walled()
    for user in people[:2]:
        answer = await ask(async_client, game, user)
        assert answer.status_code == 403
        assert b"decided" not in answer.content
    await say(game, people[0], commands.Resign(next(ids)))
    for user in people[:2]:
        assert (await ask(async_client, game, user)).json()["decided"]["winner"] == "white"


async def test_a_game_without_spectators_shows_it_to_nobody_before_its_end(
    walled, people, async_client
):
    game = await walled(watch=False)
    assert (await ask(async_client, game, people[2])).status_code == 404
    assert (await ask(async_client, game, people[0])).status_code == 403
    await say(game, people[1], commands.Resign(next(ids)))
    assert (await ask(async_client, game, people[2])).status_code == 200


@pytest.mark.parametrize(
    ("step", "status"), [("", 400), ("-1", 400), ("x", 400), ("1234567", 400), ("11", 404)]
)
async def test_only_steps_of_the_game_can_be_asked_about(walled, async_client, step, status):
    assert (await ask(async_client, await walled(), step=step)).status_code == status


async def test_no_message_to_a_player_has_it_while_the_game_runs(walled):
    game = await game_service().find((await walled()).slug)
    assert proven_facts_of(game.rules, game.state, is_counted=True).winner == "white"
    for role in ("white", "black"):
        shown = visibility.snapshot(game, role, clocks.now())
        assert not {"decided", "sure", "most", "witness"} & shown.keys()
