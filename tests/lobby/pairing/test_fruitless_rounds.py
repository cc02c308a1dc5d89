"""Rounds of pairing that found nobody are not repeated each second for the same searches."""

import pytest

from accounts.models import Block
from lobby.pairing import pairing_round
from lobby.pairing.models import Search
from lobby.pairing.pairing_round import RETRY_MS, Fruitless, pair
from play.domain.clocks import now
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def tries(monkeypatch):
    """The number of searchers in each round of pairing."""
    counts: list[int] = []
    pair_searchers = pairing_round.pair_searchers

    def count(searchers, forbidden, fit):
        counts.append(len(searchers))
        return pair_searchers(searchers, forbidden)

    monkeypatch.setattr(pairing_round, "pair_searchers", count)
    return counts


def test_the_same_searches_are_tried_again_after_a_while(ada, bob, searches, tries):
    block = Block.objects.create(blocker=ada, blocked=bob, at=now())
    searches(ada)
    searches(bob)
    fruitless, at = Fruitless(), now()
    assert pair(at, fruitless) == pair(at + 1_000, fruitless) == []
    assert tries == [2]
    block.delete()
    assert pair(at + RETRY_MS - 1, fruitless) == []
    assert pair(at + RETRY_MS, fruitless)
    assert tries == [2, 2]


def test_a_search_that_begins_is_tried_at_once(ada, bob, searches, tries):
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    searches(ada)
    searches(bob)
    fruitless, at = Fruitless(), now()
    assert pair(at, fruitless) == []
    searches(someone("cy"))
    assert len(pair(at + 1_000, fruitless)) == 1
    assert tries == [2, 3]


def test_whoever_is_left_over_is_tried_in_the_next_round_too(ada, bob, searches, tries):
    searches(ada)
    searches(bob)
    searches(someone("cy"), ("blotto", "limit:30"))
    searches(someone("dee"), ("amazons", "fischer:600:5"))
    fruitless, at = Fruitless(), now()
    assert len(pair(at, fruitless)) == 1
    assert pair(at + 1_000, fruitless) == []
    assert tries == [4, 2]
    assert Search.objects.looking().count() == 2
