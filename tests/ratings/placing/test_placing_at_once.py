"""Several processes and tabs at once: one placement game, one entry, one standing."""

import asyncio

import pytest

from lobby.computer_seats import play_placement_game
from play.domain.clocks import now
from play.models import Game
from ratings.models import FurtherEntry, Standing
from ratings.placing.closing import close_placements, judge_ended_games
from ratings.placing.models import Placement, PlacementGame
from ratings.placing.search_state import ask_to_finish
from ratings.rules.fold_check import check_current
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import PINCER, begin, end
from tests.support.rated_games import create_accounts
from tests.support.run.database_threads import run_in_thread

pytestmark = pytest.mark.django_db


def prepared():
    """An account for whom the ratings of the levels are in the log."""
    append_anchors(now())
    return create_accounts("ada")[0]


@pytest.mark.django_db(transaction=True)
async def test_two_tabs_at_once_start_one_game() -> None:
    ada = await run_in_thread(prepared)

    def start() -> str:
        return play_placement_game(ada, PINCER).slug

    slugs = await asyncio.gather(*(run_in_thread(start) for _ in range(4)))
    assert len(set(slugs)) == 1
    counts = await run_in_thread(lambda: (Game.objects.count(), PlacementGame.objects.count()))
    assert counts == (1, 1)


@pytest.mark.django_db(transaction=True)
async def test_several_workers_at_once_append_one_entry() -> None:
    def played():
        ada = prepared()
        game = begin(ada)
        end(game, ada)
        return ada

    ada = await run_in_thread(played)

    def work() -> int:
        judge_ended_games()
        ask_to_finish(ada, PINCER)
        return close_placements()

    closed = await asyncio.gather(*(run_in_thread(work) for _ in range(4)))
    assert sum(closed) == 1

    def stored():
        placements = FurtherEntry.objects.filter(kind="placement").count()
        states = list(Placement.objects.values_list("state", flat=True))
        return placements, Standing.objects.count(), states, check_current().standings

    assert await run_in_thread(stored) == (1, 1, ["done"], 1)
    anchored = await asyncio.gather(*(run_in_thread(lambda: append_anchors(now())) for _ in "ab"))
    assert anchored == [[], []]


@pytest.mark.django_db(transaction=True)
async def test_several_workers_at_once_append_anchors_once() -> None:
    found = await asyncio.gather(*(run_in_thread(lambda: append_anchors(now())) for _ in range(3)))
    assert sorted(rules for each in found for rules in each) == [
        "amazons", "amazons-10x10", "amazons-8x8", "pincer",
    ]  # fmt: skip
    assert await run_in_thread(lambda: FurtherEntry.objects.count()) == 4
