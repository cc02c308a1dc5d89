"""The Blotto lab: which rounds its pages show, to whom, and from when on."""

import json
import re

import pytest
from django.test import Client

from analysis.lab import blotto_rounds
from play.domain import commands
from play.time_controls import NO_CLOCK
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, someone

pytestmark = pytest.mark.django_db
ROUNDS = [("6 4 0", "5 3 2"), ("0 4 6", "10 0 0")]
WHITES = [[[6, 4, 0], [5, 3, 2]], [[0, 4, 6], [10, 0, 0]]]


@pytest.fixture
def people(db):
    return someone("ada"), someone("bob")


def played(white, black, rounds=ROUNDS, public=True, ends=True) -> TimedGame:
    """A game of Blotto in which white resigns after some rounds."""
    game = TimedGame(white, black, "blotto", NO_CLOCK, public)
    for number, splits in enumerate(rounds):
        for role, split in zip(("white", "black"), splits, strict=True):
            act = commands.Act(f"{number}-{role}", number, (f"troops {split}",))
            game.do(act, role)
    if ends:
        game.resign("white")
    return game


def lab_of(page) -> dict:
    """The data for the page's script."""
    block = re.search(
        r'<script id="lab" type="application/json">(.*?)</script>', page.content.decode()
    )
    return json.loads(block[1])


def rounds_in(lab, side=0) -> list:
    """The rounds of a side, as troops."""
    splits = lab["table"]["splits"]
    games = lab["sides"][side]["games"]
    return [[splits[own], splits[other]] for _, rounds in games for own, other in rounds]


def test_each_player_sees_the_own_side_first(people) -> None:
    ada, bob = people
    slug = played(ada, bob).slug
    blacks = [[theirs, own] for own, theirs in WHITES]
    for user, name, expected in ((ada, "ada", WHITES), (bob, "bob", blacks)):
        lab = lab_of(browser_of(user).get(f"/g/{slug}/lab/"))
        assert [side["is_own"] for side in lab["sides"]] == [True, False]
        assert lab["sides"][0]["name"] == name
        assert rounds_in(lab) == expected


def test_a_visitor_sees_both_sides(people) -> None:
    lab = lab_of(Client().get(f"/g/{played(*people).slug}/lab/"))
    assert [(side["name"], side["is_own"]) for side in lab["sides"]] == [
        ("ada", False),
        ("bob", False),
    ]
    assert rounds_in(lab) == WHITES


def test_a_running_game_has_no_lab(people) -> None:
    game = played(*people, ends=False)
    game.do(commands.Act("sealed", 2, ("troops 3 3 4",)), "white")
    for browser in (Client(), *map(browser_of, people)):
        assert browser.get(f"/g/{game.slug}/lab/").status_code == 404


def test_games_of_other_rules_and_unknown_ones_have_no_lab(people) -> None:
    pincer = TimedGame(*people, "pincer", NO_CLOCK, True)
    pincer.resign("white")
    assert Client().get(f"/g/{pincer.slug}/lab/").status_code == 404
    assert Client().get("/g/nowhere/lab/").status_code == 404


def test_the_own_lab_has_all_ended_games_and_no_running_one(people) -> None:
    ada, bob = people
    played(ada, bob)
    played(bob, ada, ROUNDS[:1], public=False)
    played(ada, bob, ends=False)
    lab = lab_of(browser_of(ada).get("/blotto-lab/"))
    assert rounds_in(lab) == [*WHITES, [[5, 3, 2], [6, 4, 0]]]


def test_the_own_lab_of_a_visitor_is_empty() -> None:
    page = Client().get("/blotto-lab/")
    assert page.status_code == 200 and rounds_in(lab_of(page)) == []


def test_the_own_lab_reads_the_newest_games_in_as_many_queries(
    people, monkeypatch, django_assert_num_queries
) -> None:
    ada, bob = people
    monkeypatch.setattr(blotto_rounds, "MAX_GAMES", 2)
    for split in ("6 4 0", "5 5 0", "4 3 3"):
        played(ada, bob, [(split, "10 0 0")])
    with django_assert_num_queries(2):
        games = blotto_rounds.own_rounds(ada)
    splits = blotto_rounds.INDEX
    assert [each.rounds[0][0] for each in games] == [splits[5, 5, 0], splits[4, 3, 3]]


def test_what_is_sealed_when_the_game_ends_is_left_out(people) -> None:
    game = played(*people, ends=False)
    game.do(commands.Act("sealed", 2, ("troops 3 3 4",)), "black")
    game.resign("white")
    for browser in (Client(), *map(browser_of, people)):
        page = browser.get(f"/g/{game.slug}/lab/")
        assert len(rounds_in(lab_of(page))) == 2
