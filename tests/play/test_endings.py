"""Ends outside the rules: aborted, idle, abandoned."""

import itertools

import pytest

from games.core import OTHER, ROLES
from play.domain import clocks, commands, endings, visibility
from play.domain.clocks import DAY_MS, SECOND_MS, Clock
from play.domain.game_refusals import Reason
from play.models import Game, Seat
from play.runtime import game_commands, periodic
from play.storage import last_seen as seen
from tests.play.live_commands import refused
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
FISCHER = Clock("fischer", 300_000, 0)  # patience: 50 s
TURN = {"pincer": ("move 1 5 2 5", "move 1 7 1 6"), "amazons-10x10": ("move 4 1 4 7", "fire 7 7")}
REPLY = ("move 7 7 6 7", "move 7 5 6 5")


@pytest.fixture(autouse=True)
def _long_started(monkeypatch) -> None:
    monkeypatch.setattr(seen, "STARTED", 0)


async def play(game, user, step, *actions):
    return await game_commands.perform(
        game_service(), game.slug, user.pk, commands.Act(next(ids), step, actions), clocks.now()
    )


async def abort(game, user, id=None):
    command = commands.Envelope(game.slug, user.pk, clocks.now(), commands.Abort(id or next(ids)))
    return await game_service().perform(command)


async def claim(game, user, way, at=None, id=None):
    command = commands.Envelope(
        game.slug, user.pk, at or clocks.now(), commands.Claim(id or next(ids), way)
    )
    return await game_service().perform(command)


async def last_seen(game, role, at) -> None:
    """Says when a page of a seat was last open; 0: never."""
    row = Seat.objects.filter(game=game.pk, role=role)
    await game_service().run_in_db_thread(lambda: row.update(seen=at))


async def stand_still(game, ms) -> None:
    """Makes the last change of a game lie back by so much."""
    row = Game.objects.filter(pk=game.pk)
    await game_service().run_in_db_thread(
        lambda: row.update(changed=clocks.now() - ms, created=clocks.now() - ms)
    )


async def ending(game):
    return (await game_service().find(game.slug)).ending


# Aborted


@pytest.mark.parametrize("role", [0, 1])
async def test_a_game_can_be_broken_off_before_both_have_completed_a_turn(table, people, role):
    game = await table("pincer")
    await play(game, people[0], 0, *TURN["pincer"])
    first = await abort(game, people[role], id="no")
    end = await ending(game)
    assert (end.winner, end.reason, end.goals) == (None, "aborted", {"white": 0, "black": 0})
    again = await abort(game, people[role], id="no")
    assert (again.rev, again.again) == (first.rev, True)
    assert await game_service().run_in_db_thread(Game.objects.counted().count) == 0
    assert await game_service().run_in_db_thread(lambda: Game.objects.get().ended is not None)


async def test_half_a_turn_does_not_complete_it_and_a_whole_one_does(table, people):
    game = await table("amazons-10x10")
    await play(game, people[0], 0, *TURN["amazons-10x10"])
    await play(game, people[1], 2, "move 4 10 4 8")
    assert endings.may_abort(await game_service().find(game.slug))
    await play(game, people[1], 3, "fire 4 9")
    for user in people[:2]:
        assert await refused(abort(game, user)) == Reason.TOO_LATE_TO_ABORT
    assert await ending(game) is None


async def test_blotto_can_be_broken_off_until_the_first_reveal(table, people):
    early, late = await table("blotto"), await table("blotto")
    await play(early, people[0], 0, "troops 5 5 0")
    await abort(early, people[1])
    assert (await ending(early)).reason == "aborted"
    for user in people[:2]:
        await play(late, user, 0, "troops 5 5 0")
    assert await refused(abort(late, people[0])) == Reason.TOO_LATE_TO_ABORT


async def test_a_spectator_breaks_nothing_off(table, people):
    game = await table("pincer")
    assert await refused(abort(game, people[2])) == Reason.NOT_SEATED


# Left alone


async def test_a_game_without_a_clock_ends_after_seven_days_without_a_change(table, people):
    idle, fresh, timed = (
        await table("pincer"),
        await table("pincer"),
        await table("pincer", FISCHER),
    )
    await stand_still(idle, 7 * DAY_MS + SECOND_MS)
    await stand_still(fresh, 7 * DAY_MS - 60 * SECOND_MS)
    await stand_still(timed, 8 * DAY_MS)
    await periodic.end_idle_games(game_service())
    end = await ending(idle)
    assert (end.winner, end.reason, end.goals) == (None, "idle", {"white": 0, "black": 0})
    assert (await ending(fresh), await ending(timed)) == (None, None)
    assert await game_service().run_in_db_thread(Game.objects.counted().count) == 0


async def test_a_change_from_another_process_keeps_a_game_alive(table, people):
    from play.runtime.game_service import GameService

    game, other = await table("pincer"), GameService()
    await stand_still(game, 8 * DAY_MS)
    await game_service().find(game.slug)
    offer = commands.Envelope(game.slug, people[0].pk, clocks.now(), commands.Draw("d", "offer"))
    await other.perform(offer)
    await other.close()
    await game_commands.check_idle(game_service(), game.slug, clocks.now())
    assert await ending(game) is None
    assert (await game_service().find(game.slug)).rev == 1


# Abandoned


@pytest.mark.parametrize(("way", "winner"), [("victory", "black"), ("draw", None)])
async def test_a_player_whose_opponent_is_gone_may_claim_a_win_or_a_draw(
    table, people, way, winner
):
    game, at = await table("pincer", FISCHER), clocks.now()
    await last_seen(game, "white", at)
    early = claim(game, people[1], way, at=at + 50 * SECOND_MS - 1)
    assert await refused(early) == Reason.NOT_GONE
    await claim(game, people[1], way, at=at + 50 * SECOND_MS, id="c")
    end = await ending(game)
    assert (end.winner, end.reason) == (winner, "abandoned")
    again = await claim(game, people[1], way, at=at + 60 * SECOND_MS, id="c")
    assert again.again
    other = "draw" if way == "victory" else "victory"
    assert await refused(claim(game, people[1], other, id="c")) == Reason.CONFLICT


async def test_the_word_of_the_database_counts_whoever_asks(table, people):
    """A page that another process has open is as good as one of this."""
    game, at = await table("pincer", FISCHER), clocks.now()
    await last_seen(game, "white", at + 100 * SECOND_MS)
    assert (
        await refused(claim(game, people[1], "victory", at=at + 149 * SECOND_MS)) == Reason.NOT_GONE
    )


async def test_only_who_waits_may_claim(table, people):
    game, at = await table("pincer", FISCHER), clocks.now() + 200 * SECOND_MS
    for user, reason in ((people[0], Reason.NOT_GONE), (people[2], Reason.NOT_SEATED)):
        assert await refused(claim(game, user, "victory", at=at)) == reason
    assert await ending(game) is None


async def test_a_player_who_has_sealed_is_not_idle(table, people):
    game, at = await table("blotto", Clock("limit", 240_000)), clocks.now()
    await play(game, people[0], 0, "troops 5 5 0")
    late = at + 200 * SECOND_MS
    assert await refused(claim(game, people[1], "victory", at=late)) == Reason.NOT_GONE
    await claim(game, people[0], "victory", at=late)
    assert (await ending(game)).winner == "white"


@pytest.mark.parametrize("clock", [Clock("none"), Clock("days", DAY_MS)])
async def test_without_a_running_clock_nobody_is_gone(table, people, clock):
    game = await table("pincer", clock)
    at = clocks.now() + DAY_MS - SECOND_MS
    assert await refused(claim(game, people[1], "victory", at=at)) == Reason.NOT_GONE


async def test_the_flag_comes_before_the_claim(table, people):
    game, at = await table("pincer", Clock("fischer", 30_000)), clocks.now()
    assert await refused(claim(game, people[1], "victory", at=at + 31_000)) == Reason.TOO_LATE


async def test_a_computer_player_is_never_gone(table, people):
    people[0].is_bot = True
    await game_service().run_in_db_thread(people[0].save)
    game = await table("pincer", FISCHER)
    at = clocks.now() + 200 * SECOND_MS
    assert await refused(claim(game, people[1], "victory", at=at)) == Reason.NOT_GONE


async def test_down_time_of_the_server_is_no_absence(table, people, monkeypatch):
    game, at = await table("pincer", FISCHER), clocks.now()
    await last_seen(game, "white", at - 1_000 * SECOND_MS)
    monkeypatch.setattr(seen, "STARTED", at)
    early = claim(game, people[1], "victory", at=at + 60 * SECOND_MS - 1)
    assert await refused(early) == Reason.NOT_GONE
    await claim(game, people[1], "victory", at=at + 60 * SECOND_MS)


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock("fischer", 60_000), 20),
        (Clock("fischer", 180_000), 30),
        (Clock("fischer", 3_600_000), 120),
        (Clock("limit", 30_000), 20),
        (Clock("limit", 60_000), 30),
        (Clock("limit", 600_000), 120),
        (Clock("days", DAY_MS), None),
        (Clock("none"), None),
    ],
)
def test_the_limit_of_absence_depends_on_the_clock(clock, seconds):
    assert clocks.absence_limit(clock) == (seconds and seconds * SECOND_MS)


async def test_permitted_commands_are_listed(table, people):
    game = await table("pincer")
    live = await game_service().find(game.slug)
    assert visibility.snapshot(live, "white", clocks.now())["may"] == ["resign", "draw", "abort"]
    await play(game, people[0], 0, *TURN["pincer"])
    await play(game, people[1], 2, *REPLY)
    live = await game_service().find(game.slug)
    for role in ROLES:
        assert visibility.snapshot(live, role, clocks.now())["may"] == [
            "resign",
            "draw",
            "takeback",
        ]
        plan = visibility.premove_message(live, role)
        assert (plan.plan is None) == (role in live.waiting)
    offer = commands.Envelope(game.slug, people[0].pk, clocks.now(), commands.Draw("d", "offer"))
    await game_service().perform(offer)
    live = await game_service().find(game.slug)
    assert visibility.snapshot(live, OTHER["white"], clocks.now())["may"] == ["resign", "takeback"]
    await game_commands.perform(
        game_service(), game.slug, people[0].pk, commands.Resign("r"), clocks.now()
    )
    ended = await game_service().find(game.slug)
    over = visibility.snapshot(ended, "white", clocks.now())
    assert (over["may"], over["prompt"]) == ([], None)
    assert visibility.premove_message(ended, "white").plan is None
    assert over["started"] <= over["ended"]
