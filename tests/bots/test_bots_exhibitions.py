"""Exhibition games between computer players: one runs whenever nobody plays."""

import pytest
from django.db import transaction

from accounts.models import User
from accounts.people.computer_users import computer
from bots import exhibitions, scheduler
from bots.models import Exhibition, Lease, Thinking
from chat.models import Report
from games.catalogue import RULES
from games.players import levels
from play.domain.clocks import now
from play.models import FRESH_MS, MOVED_WITHIN_MS, Entry, Game, Seat, Step
from play.runtime import game_commands
from play.storage.verification import faults_of, rows_of
from tests.lobby.test_lobby import at_once
from tests.support.bot_workers import AtWork, play, seated_now, told, until
from tests.support.faulty_engines import Odd
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import game_of, someone
from tests.support.waiting import wait_until
from tests.support.walled_games import WHITE_AHEAD

pytestmark = pytest.mark.django_db


def over(game: Game, ago: int = 0) -> Game:
    """Ends a game some ms ago."""
    at = now() - ago
    Game.objects.filter(pk=game.pk).update(
        ended=at, changed=at, winner="white", reason="no_moves", goals='{"white":100,"black":0}'
    )
    return game


def bots(first: int = 3, second: int = 4) -> dict:
    return {"white": computer(first), "black": computer(second)}


def test_an_exhibition_of_two_different_computer_players_runs_while_nobody_plays() -> None:
    game = exhibitions.keep_exhibitions_running(now())
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    assert len({seat.user.level for seat in seats}) == 2
    assert all(3 <= seat.user.level <= 7 for seat in seats)
    assert (game.is_public, game.watch, game.has_bot, game.lobby) == (True, True, True, "")
    assert game.clock.kind == "none"
    assert exhibitions.keep_exhibitions_running(now()) is None


def test_the_games_take_steps_with_a_pause_between_them() -> None:
    keys = []
    for _ in range(6):
        game = over(exhibitions.keep_exhibitions_running(now()))
        keys.append(game.rules)
        assert exhibitions.keep_exhibitions_running(now() + 4_900) is None
        over(game, ago=5_100)
    assert keys == [*RULES, next(iter(RULES))]


def test_while_people_play_where_others_may_watch_there_is_none() -> None:
    ada = someone("ada")
    game_of(ada, computer(3), public=False)
    game_of(ada, computer(3), watch=False)
    Game.objects.update(step=1)
    assert exhibitions.is_wanted(now())
    game = game_of(ada, computer(3))
    assert exhibitions.is_wanted(now())  # no move yet
    Game.objects.update(step=1)
    assert not exhibitions.is_wanted(now())
    Game.objects.filter(pk=game.pk).update(changed=now() - MOVED_WITHIN_MS - 1)
    assert exhibitions.is_wanted(now())


def test_people_who_have_left_keep_no_exhibition_from_beginning() -> None:
    game = game_of(someone("ada"), someone("bob"))
    Game.objects.update(step=1, changed=now() - MOVED_WITHIN_MS - 1)
    Seat.objects.filter(game=game, role="white").update(seen=now())
    assert not exhibitions.is_wanted(now())
    Seat.objects.update(seen=now() - FRESH_MS - 1)
    assert exhibitions.is_wanted(now())
    assert exhibitions.keep_exhibitions_running(now()) is not None


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_opens_it() -> None:
    at_once(*[lambda: exhibitions.keep_exhibitions_running(now())] * 4)
    assert Exhibition.objects.count() == 1


def test_only_the_newest_are_kept_whole(monkeypatch) -> None:
    monkeypatch.setattr(exhibitions, "MAX_KEPT_GAMES", 3)
    games = []
    for _ in range(5):
        games.append(seated_now(bots(), "pincer"))
        Exhibition.objects.create(game=over(games[-1], ago=60_000))
    Step.objects.create(game=games[0], number=0, joint="{}", at=0, spent="{}")
    Thinking.objects.create(
        game=games[0], number=0, takebacks=0, role="white", level=3, action="", value=0, line=[],
        nodes=0, depth=0, seed=0, ms=0,
    )  # fmt: skip
    Lease.objects.create(game=games[0], role="white", worker="dead", until=0)
    exhibitions.keep_exhibitions_running(now())
    assert set(Game.objects.over()) == set(games[2:])
    for model in (Step, Thinking, Lease, Entry, Seat, Exhibition):
        assert not model.objects.filter(game__in=[game.pk for game in games[:2]]).exists()


def test_exhibitions_that_are_referred_to_are_never_deleted() -> None:
    plain, live = over(seated_now(bots(), "pincer")), seated_now(bots(), "pincer")
    with_person = over(seated_now({"white": someone("ada"), "black": computer(3)}, "pincer"))
    in_lobby, reported = (over(seated_now(bots(), "pincer")) for _ in range(2))
    Game.objects.filter(pk=in_lobby.pk).update(lobby="L")
    Report.objects.create(
        kind="game", ident=reported.slug, shown_line_id=1, why="other", context={}, at=0
    )
    every = [game.slug for game in (plain, live, with_person, in_lobby, reported)]
    assert game_commands.delete_games(every) == 1
    assert set(Game.objects.all()) == {live, with_person, in_lobby, reported}


def test_a_machine_on_which_too_few_levels_are_available_shows_none(monkeypatch) -> None:
    monkeypatch.setattr(exhibitions, "LEVELS", range(3, 4))
    assert exhibitions.keep_exhibitions_running(now()) is None
    assert not Game.objects.exists()


def test_one_that_nobody_can_play_on_keeps_no_other_from_beginning(monkeypatch) -> None:
    """Its levels have gone off: numba was there when it began."""
    with transaction.atomic():
        stuck = game_commands.open_game("pincer", exhibitions.NO_CLOCK, bots(3, 7), public=True)
        Exhibition.objects.create(game=stuck)
    assert exhibitions.keep_exhibitions_running(now()) is None
    monkeypatch.setattr(levels, "has_numba", lambda: False)
    assert exhibitions.keep_exhibitions_running(now()).rules == "amazons"
    assert exhibitions.keep_exhibitions_running(now()) is None


@pytest.mark.django_db
async def test_a_page_of_an_erased_game_finds_nothing_there(people, at_work) -> None:

    game = await told(lambda: over(seated_now(bots(), "pincer")))
    assert await game_service().find(game.slug)
    await told(game_commands.delete_games, [game.slug])
    assert await game_service().renew(game.slug) is None
    assert await game_service().find(game.slug) is None


async def until_steps(count: int) -> None:
    async def are_played() -> bool:
        return await told(Step.objects.count) >= count

    await wait_until(are_played, f"{count} steps are played")


@pytest.mark.django_db(transaction=True)
async def test_an_exhibition_is_opened_and_played_at_the_pace_of_people_who_watch(
    engine, monkeypatch, at_work
) -> None:
    engine("quick")
    monkeypatch.setattr(exhibitions, "CHECK_INTERVAL_S", 0.1)
    monkeypatch.setattr(scheduler, "TURN_PACE_MS", 600)
    async with AtWork(is_exhibiting=True):
        await until_steps(2)
    times = await told(lambda: list(Step.objects.order_by("number").values_list("at", flat=True)))
    game = await told(Exhibition.objects.select_related("game").get)
    assert times[0] - game.game.created >= 600 and times[1] - times[0] >= 600
    assert {nodes for _, _, nodes, _ in Odd.given} <= {number * 10 // 4 for number in range(3, 8)}


@pytest.mark.django_db(transaction=True)
async def test_of_two_workers_one_plays_the_exhibition_and_the_other_takes_over(
    engine, monkeypatch, at_work
) -> None:
    engine("quick")
    monkeypatch.setattr(exhibitions, "CHECK_INTERVAL_S", 0.1)
    monkeypatch.setattr(scheduler, "TURN_PACE_MS", 100)
    async with AtWork(is_exhibiting=True) as eldest:
        async with AtWork(is_exhibiting=True) as other:
            await wait_until(
                lambda: not (eldest._cold or other._cold), "both workers are ready to open one"
            )
            await until_steps(1)
        await until_steps(await told(Step.objects.count) + 1)
    assert await told(Exhibition.objects.count) == 1
    assert await told(User.objects.filter(is_bot=False).count) == 0


@pytest.mark.django_db
async def test_the_winner_of_an_exhibition_ends_it_by_a_proof(engine, at_work) -> None:
    engine("quick")

    def begin() -> Game:
        game = seated_now(bots(), "amazons-10x10")
        Exhibition.objects.create(game=game)
        return game

    game = await told(begin)
    seats = await told(bots)
    for number, action in enumerate(WHITE_AHEAD):
        way = action.split()[1:]
        turn = f"move {' '.join(way[:4])}", f"fire {' '.join(way[4:])}"
        await play(game, seats["black" if number % 2 else "white"], *turn)
    async with AtWork(is_exhibiting=True):
        live = await until(game, lambda live: live.ending, seconds=40)
    assert (live.ending.winner, live.ending.reason) == ("white", "decided")
    assert live.step == 2 * len(WHITE_AHEAD)
    assert faults_of(await told(rows_of, game.slug)) == []
