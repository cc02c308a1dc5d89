"""Ended games against levels are entered once, and make rungs."""

import itertools
import json

import pytest
from django.test import Client

from accounts.models import User
from accounts.people.computer_users import computer
from games.core import OTHER
from play.domain import commands
from play.domain.clocks import now
from play.models import Game
from ratings.ladder.boss import boss_at, first_win
from ratings.ladder.ladder_applier import GAMES_A_ROUND, apply_ended_games, enter, pending_seats
from ratings.ladder.ladder_queries import (
    export_ladder,
    fastest_wins,
    held_rungs,
    longest_survivals,
    open_rungs,
    shortest_wins,
)
from ratings.ladder.models import LadderGame, Rung
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import text_of
from tests.support.rated_games import FISCHER, create_accounts

pytestmark = pytest.mark.django_db
ids = (f"ladder-{n}" for n in itertools.count())


@pytest.fixture
def ada(db) -> User:
    return create_accounts("ada")[0]


def against(
    user, level=5, *, role="white", wins=True, rules="pincer", turns=2, public=True, takeback=False
) -> TimedGame:
    """A game against a level, resigned after some turns by whoever is to lose it."""
    users = {role: user, OTHER[role]: computer(level)}
    game = TimedGame(users["white"], users["black"], rules, FISCHER, public, is_fair=False)
    for turn in range(turns):
        game.turn(("white", "black")[turn % 2], 100 * (turn + 1), seed=turn)
    if takeback:
        game.ask("takeback", "offer", role, 100 * turns + 10)
        game.ask("takeback", "accept", OTHER[role], 100 * turns + 20)
        game.turn("white", 100 * turns + 30)
        game.turn("black", 100 * turns + 40)
    game.do(commands.Resign(next(ids)), OTHER[role] if wins else role, 1_000 + 100 * turns)
    return game


def levels_of(user: User) -> list[tuple[str, int]]:
    return [(rung.rules, rung.level) for rung in held_rungs(user.pk)]


def test_two_wins_with_both_sides_make_a_rung(ada) -> None:
    first, second = against(ada), against(ada, role="black")
    assert len(apply_ended_games()) == 2
    (rung,) = held_rungs(ada.pk)
    assert (rung.rules, rung.level) == ("pincer", 5)
    assert rung.games == (first.slug, second.slug)
    assert apply_ended_games() == []
    assert Rung.objects.count() == 1


def test_a_loss_between_is_allowed_and_a_lost_game_takes_no_rung(ada) -> None:
    against(ada)
    against(ada, role="black", wins=False)
    apply_ended_games()
    assert levels_of(ada) == []
    assert open_rungs(ada.pk) == {}
    against(ada)
    apply_ended_games()
    assert levels_of(ada) == [("pincer", 5)]
    against(ada, wins=False)
    apply_ended_games()
    assert levels_of(ada) == [("pincer", 5)]


def test_each_game_and_level_is_its_own_rung(ada) -> None:
    against(ada)
    against(ada, role="black", level=4)
    against(ada, role="black", rules="amazons-8x8")
    apply_ended_games()
    assert levels_of(ada) == []
    assert open_rungs(ada.pk) == {
        ("pincer", 5): "black",
        ("pincer", 4): "white",
        ("amazons-8x8", 5): "white",
    }


def test_a_takeback_voids_a_game(ada) -> None:
    against(ada)
    against(ada, role="black", takeback=True)
    apply_ended_games()
    assert levels_of(ada) == []
    assert LadderGame.objects.filter(is_void=True).count() == 1
    against(ada, role="black")  # the voided game stands between them, and does not count
    apply_ended_games()
    assert levels_of(ada) == [("pincer", 5)]


def test_guests_people_and_blotto_are_left_out(ada) -> None:
    guest = User.objects.create(username="guest-1", is_guest=True)
    (bob,) = create_accounts("bob")
    against(guest)
    TimedGame(ada, bob, "pincer", FISCHER).do(commands.Resign(next(ids)), "white", 100)
    against(ada, rules="blotto", turns=0)
    assert pending_seats() == []
    guest.is_guest = False  # the guest signs up afterwards
    guest.save()
    assert pending_seats() == []


def test_an_aborted_game_is_left_out(ada) -> None:
    game = TimedGame(ada, computer(5), "pincer", FISCHER)
    game.do(commands.Abort(next(ids)), "white", 100)
    assert Game.objects.get(slug=game.slug).reason == "aborted"
    assert pending_seats() == []


def test_a_game_that_two_processes_found_is_entered_once(ada) -> None:
    against(ada)
    against(ada, role="black")
    seats = pending_seats()
    for seat in [*seats, *seats]:
        enter(seat)
    assert LadderGame.objects.count() == 2
    assert Rung.objects.count() == 1


def test_a_process_that_dies_before_the_rung_has_entered_nothing(ada, monkeypatch) -> None:
    against(ada)
    against(ada, role="black")

    def die(entered: LadderGame) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("ratings.ladder.ladder_applier._give_rung", die)
        with pytest.raises(KeyboardInterrupt):
            apply_ended_games()
    assert LadderGame.objects.count() == 0
    apply_ended_games()
    assert levels_of(ada) == [("pincer", 5)]


def test_a_long_backlog_is_worked_off(ada) -> None:
    for number in range(GAMES_A_ROUND + 3):
        against(ada, role=("white", "black")[number % 2], wins=False, turns=0)
    apply_ended_games()
    apply_ended_games()
    assert pending_seats() == []


def test_the_hall_has_the_best_game_of_each(ada) -> None:
    (bob,) = create_accounts("bob")
    against(ada, level=8, turns=4)
    quick = against(ada, level=8, turns=2)
    higher = against(bob, level=8, turns=6)
    against(bob, level=3, turns=2)
    long = against(ada, level=8, turns=8, wins=False)
    against(bob, level=8, turns=10, wins=False, public=False)  # unlisted
    apply_ended_games()
    wins = shortest_wins("pincer")
    assert [(row.user, row.game, row.turns) for row in wins] == [
        ("ada", quick.slug, 2),
        ("bob", higher.slug, 6),
    ]
    assert [row.game for row in longest_survivals("pincer")] == [long.slug]
    ada.is_active = False
    ada.save()
    assert [row.user for row in shortest_wins("pincer")] == ["bob"]


def test_the_hall_has_the_wins_in_the_least_own_time(ada) -> None:
    bob, cy = create_accounts("bob", "cy")
    slow = against(ada, level=8, turns=6)
    quick = against(bob, level=8, turns=4)
    old = against(cy, level=8, turns=2)
    against(bob, level=7, turns=2)
    apply_ended_games()
    spent = dict(LadderGame.objects.values_list("game__slug", "spent_ms"))
    for game in (slow, quick):
        steps = game.game.steps.filter(undone=None).values_list("spent", flat=True)
        assert spent[game.slug] == sum(json.loads(each).get("white", 0) for each in steps) > 0
    LadderGame.objects.filter(game=old.game).update(spent_ms=None)  # entered before it was kept
    wins = fastest_wins("pincer")
    assert [row.game for row in wins] == sorted((slow.slug, quick.slug), key=lambda s: spent[s])
    LadderGame.objects.filter(game=quick.game).update(spent_ms=245_999)
    LadderGame.objects.filter(game=slow.game).update(spent_ms=246_000)
    said = text_of(Client().get("/ladder/"))
    assert "Highest level beaten, in least time bob level 8, 4:05 ada level 8, 4:06" in said


def test_the_first_win_of_the_week_beats_the_boss(ada) -> None:
    boss = boss_at(now())
    against(ada, boss.level, rules=boss.rules, wins=False)
    against(ada, boss.level, rules=boss.rules, public=False)
    apply_ended_games()
    assert first_win(boss) is None
    game = against(ada, boss.level, rules=boss.rules)
    apply_ended_games()
    win = first_win(boss)
    assert (win.user, win.game) == ("ada", game.slug)
    assert first_win(boss_at(boss.until)) is None


def test_the_games_of_a_rung_are_public_and_other_unlisted_ones_are_not(ada) -> None:
    listed = against(ada, turns=4)
    hidden = against(ada, role="black", public=False, turns=2)
    alone = against(ada, level=8, public=False)
    apply_ended_games()
    (rung,) = held_rungs(ada.pk)
    assert set(rung.games) == {listed.slug, hidden.slug}
    assert [row.game for row in shortest_wins("pincer")] == [hidden.slug]
    assert alone.slug not in str(export_ladder(ada.pk))


def test_the_page_marks_own_rungs_and_the_profile_has_them(ada) -> None:
    against(ada)
    against(ada, role="black")
    against(ada, level=7, rules="amazons-8x8")
    apply_ended_games()
    client = Client()
    client.force_login(ada)
    said = text_of(client.get("/ladder/"))
    assert said.count("beaten on") == 1
    assert "One more win to climb. You move second." in said
    assert "Sign up to climb" in text_of(Client().get("/ladder/"))
    assert "beaten on" not in text_of(Client().get("/ladder/"))
    assert "Ladder Pincer level 5" in text_of(Client().get("/u/ada/"))


def test_the_front_page_names_who_beat_the_boss(ada) -> None:
    boss = boss_at(now())
    assert "Nobody has beaten it yet." in text_of(Client().get("/"))
    against(ada, boss.level, rules=boss.rules)
    apply_ended_games()
    said = text_of(Client().get("/"))
    assert "First to beat it: ada ( game )." in said, said[said.find("Boss") :][:200]
