"""Presence of players: their pages here and in other processes, and what is stored of them."""

import json
from collections import Counter

import pytest

from games.core import ROLES
from play.domain import clocks
from play.domain.clocks import SECOND_MS, Clock, MonotonicClock
from play.models import FRESH_MS, Game, Seat
from play.runtime.presence import Row
from play.storage import last_seen
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service, hub, seats
from tests.support.waiting import turn_loop_clock

pytestmark = pytest.mark.django_db
FISCHER = Clock("fischer", 300_000)  # patience: 50 s


@pytest.fixture(autouse=True)
def _long_started(monkeypatch) -> None:
    monkeypatch.setattr(last_seen, "STARTED", 0)


async def written(game) -> dict:
    return (await game_service().run_in_db_thread(last_seen.read_last_seen, [game.pk]))[game.pk]


async def write(game, role, at) -> None:
    """Store a time of presence, as another process or an earlier moment would."""
    row = Seat.objects.filter(game=game.pk, role=role)
    await game_service().run_in_db_thread(lambda: row.update(seen=at))


async def began_a_minute_ago() -> None:
    def put_back() -> None:
        for game in Game.objects.all():
            times = json.loads(game.times)
            times["since"] -= 60 * SECOND_MS
            game.times = json.dumps(times)
            game.created -= 60 * SECOND_MS
            game.save()

    await game_service().run_in_db_thread(put_back)


async def told(page, fits) -> dict:
    """The next frame about people that fits."""
    while not fits(frame := await page.next_due("people")):
        pass
    return frame


async def test_a_coming_and_a_going_are_told_and_written_down(table, people):
    game, at = await table("pincer"), clocks.now()
    async with Page(game.slug, people[0]) as ada:
        frame = await told(ada, lambda frame: frame["away"])
        assert frame == {
            "t": "people",
            "watchers": 0,
            "watching": [],
            "here": ["white"],
            "away": {"black": game.created},
            "claim": None,
            "ratings": {},
        }
        async with Page(game.slug, people[1]), Page(game.slug):
            await told(ada, lambda frame: frame["here"] == ["white", "black"])
            assert min((await written(game)).values()) >= at
        gone = clocks.now()
        frame = await told(ada, lambda frame: not frame["watchers"] and frame["away"])
        assert frame["here"] == ["white"]
        assert gone - SECOND_MS < frame["away"]["black"] <= clocks.now()
        assert (await written(game))["black"] == frame["away"]["black"]


async def test_of_two_tabs_the_last_to_close_counts(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]):
        async with Page(game.slug, people[1]) as tab:
            await told(tab, lambda frame: len(frame["here"]) == 2)
            await told(ada, lambda frame: len(frame["here"]) == 2)
            await seats().wait_until_stored()
            await write(game, "black", 1)
        assert hub().presence.audiences(("game", game.slug))["black"] == 1
        await seats().wait_until_stored()
        assert (await written(game))["black"] == 1


async def test_a_newcomer_is_told_though_nothing_has_changed(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]):
        await told(ada, lambda frame: len(frame["here"]) == 2)
        async with Page(game.slug, people[0]) as tab:
            assert (await tab.next_due("people"))["here"] == ["white", "black"]


async def test_unchanged_presence_is_not_announced_again(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await told(ada, lambda frame: len(frame["here"]) == 2)
        await ada.quiet()
        await seats().refresh()
        hub().tell(("game", game.slug))
        await ada.act("move 1 5 2 5")
        await bob.until(1)
        assert [frame["t"] for frame in await ada.quiet()] in (["game"], [])


async def test_a_game_whose_players_are_all_here_is_not_read_again(table, people, monkeypatch):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        async with Page(game.slug, people[1]):
            await told(ada, lambda frame: len(frame["here"]) == 2)
            await seats().wait_until_stored()
            asked: list[int] = []
            read = last_seen.read_last_seen

            def noted(games):
                asked.extend(games)
                return read(games)

            with monkeypatch.context() as patch:
                patch.setattr(last_seen, "read_last_seen", noted)
                at = clocks.now()
                await seats().refresh()
            assert asked == []
            assert min((await written(game)).values()) >= at
        frame = await told(ada, lambda frame: frame["away"])
        assert frame["away"]["black"] >= at  # not when its page was opened


async def test_a_seat_that_was_seen_before_this_process_began_is_waited_for(
    table, people, monkeypatch
):
    monkeypatch.setattr(clocks, "CLOCK", MonotonicClock(clocks.now()))
    game, at = await table("pincer"), clocks.now()
    await write(game, "black", at - SECOND_MS)
    monkeypatch.setattr(last_seen, "STARTED", at)
    async with Page(game.slug, people[0]) as ada:
        frame = await told(ada, lambda frame: len(frame["here"]) == 2)
        assert frame["away"] == {}
        clocks.CLOCK.set_by(FRESH_MS)
        await turn_loop_clock(FRESH_MS / 1000)
        assert (await told(ada, lambda frame: frame["away"]))["here"] == ["white"]


async def test_a_user_with_a_page_in_another_process_stays_present(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        there = {f"game:{game.slug}": Counter(black=1)}
        hub().presence._others = {"other": Row(0, there, frozenset())}
        async with Page(game.slug, people[1]):
            await told(ada, lambda frame: len(frame["here"]) == 2)
        async with Page(game.slug):
            frame = await told(ada, lambda frame: frame["watchers"])
        assert (frame["here"], frame["away"]) == (["white", "black"], {})


async def test_every_seat_with_a_page_is_written_down_at_once(table, people):
    games, at = [await table("pincer") for _ in range(3)], clocks.now()
    async with (
        Page(games[0].slug, people[0]) as one,
        Page(games[1].slug, people[1]) as two,
        Page(games[2].slug) as watcher,
    ):
        await all_at(0, one, two, watcher)
        await seats().wait_until_stored()
        await game_service().run_in_db_thread(lambda: Seat.objects.update(seen=0))
        await seats().refresh()
        rows = [await written(game) for game in games]
        there = [[role for role in ROLES if row[role] >= at] for row in rows]
        assert there == [["white"], ["black"], []]


async def test_a_claim_is_told_when_the_other_is_to_decide_and_gone(table, people):
    game = await table("pincer", FISCHER)
    await began_a_minute_ago()
    async with Page(game.slug, people[0]) as ada:
        async with Page(game.slug, people[1]):
            await told(ada, lambda frame: len(frame["here"]) == 2)
            await ada.act("move 1 5 2 5", "move 1 7 1 6")
        frame = await told(ada, lambda frame: frame["away"])
        assert frame["claim"] is None  # it may be a reload
        away = clocks.now() - 16 * SECOND_MS
        await write(game, "black", away)
        await seats().refresh()
        frame = await told(ada, lambda frame: frame["claim"])
        since = (await game_service().find(game.slug)).times.since  # when it became black's turn
        assert since > away
        assert frame["claim"] == {"by": "white", "from": since + 50 * SECOND_MS}


async def test_a_claim_falls_with_the_return_of_the_other(table, people):
    game = await table("pincer", FISCHER)
    await write(game, "white", clocks.now() - 20 * SECOND_MS)
    await began_a_minute_ago()
    async with Page(game.slug, people[1]) as bob:
        frame = await told(bob, lambda frame: frame["claim"])
        assert frame["claim"]["by"] == "black"
        async with Page(game.slug, people[0]):
            frame = await told(bob, lambda frame: len(frame["here"]) == 2)
            assert frame["claim"] is None


async def test_a_claim_is_told_to_nobody_while_the_one_who_is_there_is_to_decide(
    table, people, monkeypatch
):
    monkeypatch.setattr(clocks, "absence_limit", lambda clock: 0)
    game = await table("pincer", FISCHER)
    await began_a_minute_ago()
    async with Page(game.slug, people[0]) as ada:
        frame = await told(ada, lambda frame: frame["away"])
        assert frame["claim"] is None
        await ada.act("move 1 5 2 5", "move 1 7 1 6")
        frame = await told(ada, lambda frame: frame["claim"])
        assert frame["claim"]["by"] == "white"
        await ada.say(t="claim", id="c", **{"as": "victory"})
        over = await ada.until(2)
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == ("white", "abandoned")
        assert (await told(ada, lambda frame: not frame["claim"]))["away"]


async def test_nobody_who_has_a_page_open_is_claimed_to_be_gone(table, people):
    """The stored presence is old here, as after a lock of the database."""
    game = await table("pincer", FISCHER)
    await began_a_minute_ago()
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await told(bob, lambda frame: len(frame["here"]) == 2)
        await seats().wait_until_stored()
        await game_service().run_in_db_thread(lambda: Seat.objects.update(seen=0))
        await bob.say(t="claim", id="early", **{"as": "victory"})
        assert (await bob.next("refused"))["reason"] == "not_gone"
        await ada.socket.disconnect()
        await seats().wait_until_stored()
        await game_service().run_in_db_thread(
            lambda: Seat.objects.filter(role="white").update(seen=0)
        )
        for again in (False, True):
            await bob.say(t="claim", id="late", **{"as": "victory"})
            assert (await bob.next("receipt"))["again"] is again


async def test_a_claim_is_told_without_anybody_moving(table, people, monkeypatch):
    monkeypatch.setattr(clocks, "CLOCK", MonotonicClock(clocks.now()))
    game = await table("pincer", FISCHER)
    async with Page(game.slug, people[1]) as bob:
        async with Page(game.slug, people[0]):
            await told(bob, lambda frame: len(frame["here"]) == 2)
        left = await told(bob, lambda frame: frame["away"])
        assert left["claim"] is None
        clocks.CLOCK.set_by(FRESH_MS + 100)
        await turn_loop_clock(FRESH_MS / 1000)
        frame = await told(bob, lambda frame: frame["claim"])
        assert frame["claim"] == {"by": "black", "from": left["away"]["white"] + 50 * SECOND_MS}


async def test_a_database_that_fails_is_asked_again(table, people, monkeypatch, caplog):
    def broken(*args):
        raise RuntimeError("planted")

    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        with monkeypatch.context() as patch:
            patch.setattr(last_seen, "write_last_seen", broken)
            await ada.next_due("people")
            assert "planted" in caplog.text
        await seats().refresh()
        assert (await told(ada, lambda frame: frame["away"]))["here"] == ["white"]


async def test_presence_of_games_that_nobody_watches_is_forgotten(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await told(ada, lambda frame: frame["away"])
    await seats().refresh()
    known = seats()
    assert (known._seen, known._stored, hub().list_watched("game")) == ({}, {}, [])
