"""A worker ponders about one game while no turn is due, and gives way to every turn."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from msgspec import structs

from accounts.people.computer_users import computer
from bots.scheduler import PendingTurn
from bots.seat_levels import SeatLevels
from bots.thinking import pondering
from bots.thinking.pondering import Ponderer
from bots.thinking.thinker import PlayerCache
from games.players.levels import level_of
from play.domain import clocks, commands
from play.domain.clocks import Clock
from play.models import Seat
from ratings.rules.scale import append_anchors
from telemetry.counters import PONDERED
from tests.ratings.placement_games import anchors_with, begin
from tests.support.bot_workers import AtWork, first, play, say, told, until
from tests.support.faulty_engines import MAX_WAIT_S, Deaf, Odd, Pondering
from tests.support.loop_runtime import game_service
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = [pytest.mark.django_db]
CLOCK = Clock("fischer", 60_000)
LEVEL = 8


class Table:
    """A game in which the computer, which is white, has just played; its worker may ponder."""

    def __init__(self, game, live, person) -> None:
        self.game, self.live, self.person = game, live, person
        self.players = PlayerCache()
        self.player = self.players.player_at(live, "white", level_of(live.rules.key, LEVEL))
        self.ponderer = Ponderer(game_service(), self.players, is_on=True)
        self.ponderer.plan(live, "white")

    def cached(self):
        """The player that the next turn would have."""
        return self.players.player_at(self.live, "white", level_of(self.live.rules.key, LEVEL))

    async def reply(self):
        """The game after the person's turn."""
        action = str(next(iter(self.live.rules.choices(self.live.state, "black"))))
        await play(self.game, self.person, action)
        return await game_service().renew(self.game.slug)


@pytest.fixture
async def sit_down(people, at_work, engine):
    tables: list[Table] = []

    async def sit(kind: str = "pondering", clock: Clock | None = CLOCK) -> Table:
        engine(kind)
        game = await first(people[0], "amazons", LEVEL, clock)
        live = await game_service().find(game.slug)
        bot = await sync_to_async(computer)(LEVEL)
        await play(game, bot, str(next(iter(live.rules.choices(live.state, "white")))))
        table = Table(game, await game_service().renew(game.slug), people[0])
        tables.append(table)
        return table

    yield sit
    Deaf.released.set()
    for table in tables:
        table.ponderer.close()


def pondered() -> float:
    """The simulations that were counted."""
    [family] = PONDERED.collect()
    return next(each.value for each in family.samples if each.name.endswith("_total"))


async def until_it_ends(table: Table) -> None:
    await wait_until(lambda: not table.ponderer.is_searching, "the pondering ends")


@pytest.fixture
def patient(monkeypatch) -> None:
    """A busy machine may take its time to stop a search."""
    monkeypatch.setattr(pondering, "STOP_TIMEOUT_S", TIMEOUT_S)


async def test_the_player_is_lent_while_it_ponders_and_is_there_for_the_next_turn(
    sit_down, patient
):
    table = await sit_down()
    before = pondered()
    await table.ponderer.resume()
    assert table.ponderer.is_searching
    assert table.players.lend(table.live, "white") is None
    table.ponderer.note_change(await table.reply())
    await table.ponderer.hand_over()
    assert table.cached() is table.player
    assert Pondering.pondered == ["white"]
    assert pondered() > before
    await table.ponderer.resume()
    assert not table.ponderer.is_searching  # it is the computer's turn


async def test_a_turn_of_another_game_stops_it_at_once_and_it_goes_on_later(sit_down, patient):
    table = await sit_down()
    table.ponderer._plan.left_s = 2 * TIMEOUT_S  # it does not end by itself meanwhile
    await table.ponderer.resume()
    table.ponderer.stop()
    await table.ponderer.hand_over()
    assert table.cached() is table.player
    await table.ponderer.resume()
    assert table.ponderer.is_searching


async def test_a_turn_waits_no_longer_for_a_player_that_does_not_stop(sit_down):
    table = await sit_down("deaf")
    await table.ponderer.resume()
    await table.ponderer.hand_over()
    assert not Deaf.released.is_set()
    assert table.cached() is not table.player
    Deaf.released.set()
    await table.ponderer.resume()
    assert not table.ponderer.is_searching


async def test_it_ponders_no_longer_than_its_time_in_all(sit_down, monkeypatch, patient):
    at_s = 100.0
    monkeypatch.setattr(pondering, "time", SimpleNamespace(monotonic=lambda: at_s))
    table = await sit_down()
    plan, at_first_s = table.ponderer._plan, table.ponderer._plan.left_s
    await table.ponderer.resume()
    at_s += 1
    await table.ponderer.hand_over()
    assert plan.left_s == at_first_s - 1
    await table.ponderer.resume()
    assert table.ponderer.is_searching
    at_s += plan.left_s
    await until_it_ends(table)
    await table.ponderer.resume()
    assert not table.ponderer.is_searching
    assert Pondering.pondered == ["white"] * 2


async def test_it_has_as_long_as_a_turn_on_the_clock_and_ten_seconds_at_most(sit_down):
    short = await sit_down(clock=Clock("fischer", 20_000))
    assert 0 < short.ponderer._plan.left_s < 2
    long = await sit_down(clock=Clock("fischer", 3_600_000))
    assert long.ponderer._plan.left_s == pondering.MAX_PONDER_S


@pytest.mark.parametrize("what", ["resigned", "taken back", "not listed"])
async def test_it_stops_when_the_game_ends_or_is_taken_back(sit_down, what):
    table = await sit_down()
    await table.ponderer.resume()
    if what == "resigned":
        await say(table.game, table.person, commands.Resign("r"))
        table.ponderer.note_change(await game_service().renew(table.game.slug))
    elif what == "taken back":
        table.ponderer.note_change(structs.replace(table.live, takebacks=1))
    else:
        table.ponderer.note_running({"another"})
    await until_it_ends(table)
    await table.ponderer.resume()
    assert not table.ponderer.is_searching
    assert table.cached() is table.player


async def test_changes_of_other_games_and_offers_do_not_stop_it(sit_down):
    table, other = await sit_down(), await sit_down()
    await table.ponderer.resume()
    await say(table.game, table.person, commands.Draw("d", "offer"))
    table.ponderer.note_change(await game_service().renew(table.game.slug))
    table.ponderer.note_change(await other.reply())
    table.ponderer.note_change(structs.replace(table.live, step=table.live.step + 1))  # half a turn
    table.ponderer.note_running({table.game.slug})
    assert table.ponderer.is_searching
    assert not table.ponderer._search.stopped.is_set()


async def test_it_ponders_about_the_game_of_the_last_turn_alone(sit_down):
    table, other = await sit_down(), await sit_down()
    player = table.players.player_at(other.live, "white", level_of("amazons", LEVEL))
    await table.ponderer.resume()
    await table.ponderer.hand_over()
    table.ponderer.plan(other.live, "white")
    await table.ponderer.resume()
    assert table.ponderer.is_searching
    assert table.cached() is table.player
    assert table.players.lend(other.live, "white") is None
    await table.ponderer.hand_over()
    assert table.players.lend(other.live, "white") is player


async def test_without_a_clock_it_ponders_only_while_the_person_looks_on(sit_down):
    table = await sit_down(clock=None)
    await table.ponderer.resume()
    assert not table.ponderer.is_searching
    seats = Seat.objects.filter(game=table.game, role="black")
    await told(lambda: seats.update(visible=clocks.now()))
    table.ponderer.plan(table.live, "white")
    await table.ponderer.resume()
    assert table.ponderer.is_searching


async def test_nobody_ponders_against_a_computer_or_where_it_is_switched_off(sit_down):
    table = await sit_down()
    bot = structs.replace(table.live.people["black"], bot=True)
    for is_on, people in ((True, {**table.live.people, "black": bot}), (False, table.live.people)):
        ponderer = Ponderer(game_service(), table.players, is_on)
        ponderer.plan(structs.replace(table.live, people=people), "white")
        await ponderer.resume()
        assert not ponderer.is_searching


async def test_a_player_that_fails_is_dropped_and_nothing_of_its_error_is_logged(sit_down, caplog):
    table = await sit_down("fails_pondering")
    await table.ponderer.resume()
    await until_it_ends(table)
    await table.ponderer.resume()
    assert not table.ponderer.is_searching
    assert table.cached() is not table.player
    assert "RuntimeError while pondering" in caplog.text and "troops" not in caplog.text


async def test_a_game_that_cannot_be_read_is_given_up_after_one_error(sit_down, monkeypatch):
    table = await sit_down()

    async def fail(slug: str) -> None:
        raise ValueError(slug)

    monkeypatch.setattr(game_service(), "renew", fail)
    with pytest.raises(ValueError):
        await table.ponderer.resume()
    await table.ponderer.resume()
    assert not table.ponderer.is_searching


async def test_after_the_end_nothing_begins_anew(sit_down):
    table = await sit_down()
    await table.ponderer.resume()
    table.ponderer.close()
    await until_it_ends(table)
    table.ponderer.plan(table.live, "white")
    await table.ponderer.resume()
    assert not table.ponderer.is_searching


async def test_exhibitions_and_placements_have_levels_that_do_not_ponder(
    people, at_work, monkeypatch
):
    game = await first(people[0], "amazons", LEVEL)
    live = await game_service().find(game.slug)
    due, level = PendingTurn(live, "white", "turn", 0), level_of("amazons", LEVEL)
    levels = SeatLevels(game_service())
    assert await levels.find(live, "white") == level
    assert (await levels.adapt(level, due)).ponders
    assert not (await levels.adapt(level, replace(due, is_exhibition=True))).ponders
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2026))
    await sync_to_async(append_anchors)(clocks.now())
    placement = (await sync_to_async(begin)(people[0])).game
    live = await game_service().find(placement.slug)
    assert not (await levels.adapt(level, replace(due, live=live))).ponders


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
async def test_a_worker_that_ponders_plays_turns_of_other_games_as_fast_and_ends_at_once(
    people, at_work, engine, monkeypatch
):
    monkeypatch.setattr(pondering, "MAX_PONDER_S", 2 * MAX_WAIT_S)  # longer than this test waits
    engine("pondering")
    game = await first(people[0], "amazons", LEVEL, Clock("fischer", 3_600_000))
    at_table = AtWork(is_pondering=True)
    async with at_table:
        await until(game, lambda live: live.step == 1)
        await until(game, lambda live: Pondering.pondered)
        assert at_table.worker._ponderer.is_searching
        assert at_table.worker._is_free()  # idle tasks work beside it
        other = await first(people[1], "amazons", 2, CLOCK)
        await until(other, lambda live: live.step == 1)
        await until(game, lambda live: len(Pondering.pondered) == 2)  # it goes on
        live = await game_service().renew(game.slug)
        await play(game, people[0], str(next(iter(live.rules.choices(live.state, "black")))))
        await until(game, lambda live: live.step == 3)
        await until(game, lambda live: len(Pondering.pondered) == 3)
    assert len(Odd.given) == 3
