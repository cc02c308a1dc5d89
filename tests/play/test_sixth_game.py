"""A game that the site does not know is played to its end: through its service, by the recipe."""

import itertools

import pytest

from accounts.refusals import Refused
from play.domain import clocks, commands, visibility
from play.domain.game_refusals import Reason
from play.runtime import game_commands
from play.storage.verification import faults_of, rows_of
from tests.games.five_in_a_row import KEY, plug_in
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db


@pytest.fixture
async def sixth_game(monkeypatch, table):
    """A game of the sixth rule set between ada and bob."""
    plug_in(monkeypatch)
    return await table(KEY)


async def put(game, user, step: int, square: str):
    """Put a stone as a page does: one action, judged, committed and answered."""
    command = commands.Act(f"id-{step}-{square}", step, (f"put {square}",))
    return await game_commands.perform(game_service(), game.slug, user.pk, command, clocks.now())


async def test_a_sixth_game_is_played_to_its_end(sixth_game, people) -> None:
    ada, bob, _ = people
    stones = ["1 1", "1 2", "2 1", "2 2", "3 1", "3 2", "4 1", "4 2", "5 1"]
    for step, (user, square) in enumerate(zip(itertools.cycle((ada, bob)), stones, strict=False)):
        receipt = await put(sixth_game, user, step, square)
        assert receipt.rev == step + 1
    live = await game_service().find(sixth_game.slug)
    assert live.ending.winner == "white"
    assert live.ending.reason == "five_in_a_row"
    shown = visibility.snapshot(live, "spectator", clocks.now())
    assert shown["view"]["board"].endswith("BBBB./WWWWW")
    assert [seen.text for seen in live.last] == [{"white": "e1"}]


async def test_the_rows_of_a_sixth_game_agree_with_its_ledger(sixth_game, people) -> None:
    ada, bob, _ = people
    await put(sixth_game, ada, 0, "3 3")
    await put(sixth_game, bob, 1, "3 4")
    assert faults_of(await game_service().run_in_db_thread(rows_of, sixth_game.slug)) == []


async def test_an_illegal_action_in_a_sixth_game_is_refused(sixth_game, people) -> None:
    ada, bob, _ = people
    await put(sixth_game, ada, 0, "3 3")
    with pytest.raises(Refused) as caught:
        await put(sixth_game, bob, 1, "3 3")
    assert (caught.value.reason, caught.value.details["code"]) == (Reason.ILLEGAL, "occupied")
