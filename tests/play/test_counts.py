"""Ends of Amazons with the free arrow by a count: permissions, conditions, results."""

import asyncio
import itertools
import json

import pytest

from accounts.refusals import Refused
from games.core import OTHER, ROLES
from play.domain import clocks, commands, endings, visibility
from play.domain.clocks import SECOND_MS, Clock
from play.domain.game_refusals import Reason
from play.models import Entry, Game, Seat
from play.runtime import game_commands
from tests.play.live_commands import faults, last_body, live, refused, say
from tests.support.loop_runtime import game_service
from tests.support.walled_games import (
    BLACK_AHEAD,
    WHITE_AHEAD,
    quiet_turns,
    quiet_turns_from_start,
)

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())


async def play(game, people, actions, start=0):
    for number, action in enumerate(actions, start):
        await say(game, people[number % 2], commands.Act(next(ids), number, (action,)))


async def count(game, user, id=None, at=None):
    return await say(game, user, commands.CountNow(id or next(ids)), at)


@pytest.fixture
async def parted(table, people):
    """A game without a clock whose sides are parted: white has 46 squares to 36 and is to move."""

    async def begin(actions=WHITE_AHEAD, **options):
        game = await table("amazons", **options)
        await play(game, people, actions)
        return game

    return begin


@pytest.mark.parametrize("user", [0, 1])
@pytest.mark.parametrize(
    ("actions", "winner", "squares"), [(WHITE_AHEAD, "white", 46), (BLACK_AHEAD, "black", 36)]
)
async def test_either_player_may_count_whoever_is_to_move(
    parted, people, user, actions, winner, squares
):
    game = await parted(actions)
    assert endings.may_count(await live(game))
    await count(game, people[user])
    ending = (await live(game)).ending
    assert (ending.winner, ending.reason) == (winner, "counted")
    assert ending.goals == {winner: 100, OTHER[winner]: 0}
    body = await last_body(game)
    assert (body["kind"], body["role"]) == ("count", ROLES[user])
    assert (body["count"]["white"], body["count"]["black"]) == (squares, 82 - squares)
    assert [region["role"] for region in body["count"]["regions"]] == ["white", "black"]
    assert await faults(game) == []
    seats = await game_service().run_in_db_thread(
        lambda: dict(Seat.objects.filter(game=game.pk).values_list("role", "result"))
    )
    assert seats == {winner: "won", OTHER[winner]: "lost"}


async def test_equally_many_squares_are_a_draw(parted, people):
    game = await parted()
    for number in range(10, 30):  # white burns ten squares of its own, black keeps its arrows
        role, now = ROLES[number % 2], await live(game)
        wants_shot = role == "white"
        choices = now.rules.choices(now.state, role)
        turn = next(each for each in choices if (each.arrow != each.origin) == wants_shot)
        await play(game, people, [str(turn)], number)
    counted = endings.count_of(await live(game))
    assert (counted.white, counted.black) == (36, 36)
    await count(game, people[1])
    ending = (await live(game)).ending
    assert (ending.winner, ending.goals) == (None, {"white": 50, "black": 50})
    assert await faults(game) == []


async def test_nobody_counts_before_the_sides_are_parted(table, people):
    game = await table("amazons")
    await play(game, people, WHITE_AHEAD[:-1])
    before = await live(game)
    for user in people[:2]:
        assert await refused(count(game, user)) == Reason.NOT_PARTED
    assert await live(game) == before
    await play(game, people, WHITE_AHEAD[-1:], 9)
    assert "count" in visibility.snapshot(await live(game), "black", clocks.now())["may"]


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "pincer", "blotto"])
async def test_no_other_game_is_counted(table, people, key):
    game = await table(key)
    assert await refused(count(game, people[0])) == Reason.NOT_COUNTED
    shown = visibility.snapshot(await live(game), "white", clocks.now())
    assert shown["count"] is None and "count" not in shown["may"]


async def test_a_game_with_the_option_draw_instead_is_not_counted(parted, people):
    game = await parted(counted=False)
    assert await refused(count(game, people[0])) == Reason.NOT_COUNTED
    turns = quiet_turns()
    await play(game, people, itertools.islice(turns, 50), 10)
    assert (await live(game)).ending is None
    assert endings.may_claim(await live(game))
    await say(game, people[0], commands.Claim(next(ids)))
    assert (await live(game)).ending.reason == "no_arrows"
    assert await faults(game) == []


async def test_a_spectator_counts_nothing_and_an_ended_game_is_over(parted, people):
    game = await parted()
    assert await refused(count(game, people[2])) == Reason.NOT_SEATED
    await say(game, people[1], commands.Resign(next(ids)))
    assert await refused(count(game, people[0])) == Reason.OVER
    assert (await live(game)).ending.reason == "resigned"


async def test_two_tabs_count_once_and_the_second_is_told(parted, people):
    game = await parted()
    rev = (await live(game)).rev
    answers = await asyncio.gather(
        count(game, people[0], "one"), count(game, people[0], "two"), return_exceptions=True
    )
    done = [answer for answer in answers if not isinstance(answer, Refused)]
    (late,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert (len(done), late.reason) == (1, Reason.OVER)
    again = await count(game, people[0], done[0].id)
    assert (again.rev, again.again, (await live(game)).rev) == (rev + 1, True, rev + 1)
    assert await faults(game) == []


async def test_both_players_at_once_end_the_game_once(parted, people):
    game = await parted()
    answers = await asyncio.gather(
        *(count(game, user) for user in people[:2]), return_exceptions=True
    )
    assert [type(answer) for answer in answers].count(Refused) == 1
    assert (await live(game)).ending.winner == "white"
    assert await faults(game) == []


async def test_a_count_ends_a_game_in_which_a_takeback_is_asked_for(parted, people):
    game = await parted()
    await say(game, people[1], commands.Takeback(next(ids), "offer"))
    await count(game, people[0])
    after = await live(game)
    assert (after.ending.reason, after.offers) == ("counted", {})
    late = say(game, people[0], commands.Takeback(next(ids), "accept"))
    assert await refused(late) == Reason.OVER
    assert await faults(game) == []


async def test_a_takeback_joins_the_sides_again(parted, people):
    game = await parted()
    await say(game, people[1], commands.Takeback(next(ids), "offer"))
    await say(game, people[0], commands.Takeback(next(ids), "accept"))
    assert await refused(count(game, people[0])) == Reason.NOT_PARTED
    assert (await live(game)).ending is None


async def test_nobody_counts_after_the_time_is_up(table, people):
    game = await table("amazons", Clock("fischer", 300 * SECOND_MS, 0))
    await play(game, people, WHITE_AHEAD)
    late = (await live(game)).times.since + 301 * SECOND_MS
    for user in people[:2]:
        assert await refused(count(game, user, at=late)) == Reason.TOO_LATE
    await game_commands.check_clocks(game_service(), game.slug, late)
    assert (await live(game)).ending.reason == "time"


async def test_ten_turns_without_an_arrow_are_counted_after_the_parting(parted, people):
    game = await parted(BLACK_AHEAD)
    for number in range(10):
        role = ROLES[number % 2]
        now = await live(game)
        assert now.ending is None
        keep = next(a for a in now.rules.choices(now.state, role) if a.arrow == a.origin)
        await play(game, people, [str(keep)], 10 + number)
    ending = (await live(game)).ending
    assert (ending.winner, ending.reason) == ("black", "counted_quiet")
    assert (await last_body(game))["kind"] == "act"
    assert (await last_body(game))["count"]["black"] == 46
    assert await faults(game) == []


async def test_an_arrow_begins_the_ten_turns_anew(table, people):
    game = await table("amazons")
    turns = quiet_turns_from_start()
    await play(game, people, itertools.islice(turns, 9))
    assert (await live(game)).quiet == 9
    await play(game, people, ["play 4 10 4 9 5 9"], 9)
    after = await live(game)
    assert (after.quiet, after.ending) == (0, None)


async def test_ten_turns_without_an_arrow_from_the_start_are_a_draw(table, people):
    game = await table("amazons")
    await play(game, people, itertools.islice(quiet_turns_from_start(), 10))
    ending = (await live(game)).ending
    assert (ending.winner, ending.reason) == (None, "counted_quiet")
    shown = visibility.snapshot(await live(game), "spectator", clocks.now())["count"]
    assert (shown["white"], shown["black"], shown["parted"]) == (0, 0, False)
    assert [region["role"] for region in shown["regions"]] == [None]
    assert await faults(game) == []


async def test_a_snapshot_shows_the_regions_once_they_are_the_proof(parted, people):
    game = await parted(WHITE_AHEAD[:-1])
    assert visibility.snapshot(await live(game), "white", clocks.now())["count"] == {
        "white": 0, "black": 0, "parted": False, "quiet": 0, "limit": 10, "regions": [],
    }  # fmt: skip
    await play(game, people, WHITE_AHEAD[-1:], 9)
    shown = visibility.snapshot(await live(game), "spectator", clocks.now())["count"]
    assert (shown["white"], shown["black"], shown["parted"]) == (46, 36, True)
    assert [len(region["squares"].split()) for region in shown["regions"]] == [46, 36]


# Recomputation of the log


@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (lambda body: body["count"].update(white=47), "the count is"),
        (lambda body: body["count"]["regions"].pop(), "the count is"),
        (lambda body: body.pop("count"), "the count is"),
        (lambda body: body["result"].update(winner="black"), "the result is"),
    ],
)
async def test_a_forged_count_in_the_log_is_found(parted, people, forge, fault):
    game = await parted()
    await count(game, people[0])

    def change() -> None:
        entry = Entry.objects.filter(game=game.pk).order_by("-rev").first()
        body = json.loads(entry.body)
        forge(body)
        entry.body = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        entry.save()

    await game_service().run_in_db_thread(change)
    assert any(fault in each for each in await faults(game))


async def test_a_count_before_the_parting_in_the_log_is_found(table, people, monkeypatch):
    from types import SimpleNamespace

    game = await table("amazons")
    await play(game, people, WHITE_AHEAD[:-1])
    real = endings.count_territory
    monkeypatch.setattr(  # a server that lets anybody count
        endings,
        "count_territory",
        lambda rules, state: SimpleNamespace(
            **{
                name: getattr(real(rules, state), name)
                for name in ("regions", "white", "black", "winner")
            },
            is_parted=True,
        ),
    )
    await count(game, people[0])
    assert any("before the sides are parted" in each for each in await faults(game))


async def test_the_column_has_to_agree_with_the_log(parted, people):
    game = await parted()
    rows = Game.objects.filter(pk=game.pk)
    await game_service().run_in_db_thread(lambda: rows.update(is_counted=False))
    assert await faults(game) == ["is_counted is False, expected True"]
