"""Pincer's search on a clock: beyond the nodes of its level, and what ends it."""

from __future__ import annotations

import pytest

from games.catalogue import PINCER
from games.players.core import Allowance, Thought, never
from games.players.pincer import deepening
from games.players.pincer.player import WARM_ENTRIES, Searcher
from games.players.pincer.settings import HANDICAPS
from games.players.time_management import ActionTime

NODES = 2_000


class Ticks:
    """Time that goes on by one second at each look."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> float:
        self.seconds += 1
        return float(self.seconds)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch) -> None:
    monkeypatch.setattr(deepening, "CHUNK_NODES", 500)


def chosen(time: ActionTime | None, nodes: int = NODES, **more) -> Thought:
    start = PINCER.start()
    view, choices = PINCER.view(start, "white"), PINCER.choices(start, "white")
    clock = Allowance(nodes, time=time, **more)
    return Searcher(HANDICAPS[8], WARM_ENTRIES).choose(view, "white", choices, clock, 1)


def pace(soft_s: float, hard_s: float, may_go_on=lambda: True) -> ActionTime:
    return ActionTime(Ticks(), soft_s, hard_s, may_go_on)


def test_the_search_goes_on_beyond_the_nodes_until_the_hard_time():
    found = chosen(pace(10.0, 20.0))
    assert NODES < found.nodes <= NODES + 20 * 500


def test_a_longer_time_searches_more():
    assert chosen(pace(40.0, 80.0)).nodes > chosen(pace(5.0, 10.0)).nodes


def test_while_somebody_else_waits_only_the_nodes_are_examined():
    assert chosen(pace(1e6, 1e6, may_go_on=never)).nodes == NODES


def test_a_thought_that_is_over_ends_at_the_next_look():
    assert chosen(pace(1e6, 1e6), is_over=lambda: True).nodes <= NODES


def test_no_deeper_search_begins_late():
    is_late = ActionTime(lambda: 7.0, 10.0, 10.0, lambda: True)
    tree = Searcher(HANDICAPS[8], WARM_ENTRIES).tree
    tree.counters[deepening.NODES] = NODES
    assert not deepening._may_begin(tree, Allowance(NODES, time=is_late), is_settled=True)
    in_time = ActionTime(lambda: 5.0, 10.0, 10.0, lambda: True)
    assert deepening._may_begin(tree, Allowance(NODES, time=in_time), is_settled=True)


def test_without_a_time_the_nodes_are_the_end():
    assert chosen(None).nodes == NODES
