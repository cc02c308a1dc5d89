"""Game socket: its messages, and its answers to hostile frames."""

import asyncio
import json

import pytest

from accounts.login.sessions import digest_of
from play.models import Entry, Game
from play.sockets.send_queue import MAX_BEHIND_S
from tests.support.game_page_client import Anonymous, Page, all_at
from tests.support.loop_runtime import game_service
from tests.support.waiting import turn_loop_clock

pytestmark = pytest.mark.django_db


async def changed(game) -> int:
    """The number of entries in the ledger; every change adds one."""

    return await game_service().run_in_db_thread(Entry.objects.filter(game=game.pk).count)


async def test_subscribing_gets_the_state_and_a_page_that_has_it_gets_a_pong(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        state = await ada.until(0)
        assert (state["you"], state["control"], state["prompt"]["kind"]) == (
            "white",
            ["white"],
            "path",
        )
        await ada.say(t="subscribe", rev=0)
        pong = await ada.next("pong")
        assert pong["rev"] == 0
        await ada.say(t="ping", rev=-1)
        assert (await ada.next("game"))["rev"] == 0


async def test_a_page_that_has_seen_what_a_restored_backup_lacks_is_loaded_anew(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        await ada.say(t="ping", rev=1)
        assert await ada.next("anew")
        # Another process has written it: then nothing was lost.
        await game_service().run_in_db_thread(lambda: Game.objects.filter(pk=game.pk).update(rev=1))
        await ada.say(t="ping", rev=1)
        assert (await ada.next("pong"))["rev"] in (0, 1)


async def test_a_move_reaches_the_opponent_and_the_spectator(table, people):
    game = await table("amazons-8x8")
    async with (
        Page(game.slug, people[0]) as ada,
        Page(game.slug, people[1]) as bob,
        Page(game.slug) as watcher,
    ):
        await all_at(0, ada, bob, watcher)
        receipt = await ada.act("move 3 1 3 5", "fire 5 5")
        assert (receipt["t"], receipt["rev"], receipt["again"]) == ("receipt", 1, False)
        await all_at(1, ada, bob, watcher)
        assert [t["text"] for t in bob.state["last"]] == [{"white": "c1-c5"}, {"white": "/e5"}]
        assert bob.state["prompt"] is not None
        assert ada.state["prompt"] is None
        assert (watcher.state["prompt"], watcher.state["you"], watcher.state["may"]) == (
            None,
            None,
            [],
        )


async def test_premove_options_are_sent_to_the_waiting_player_only(table, people):
    game = await table("amazons-10x10")
    async with (
        Page(game.slug, people[0]) as ada,
        Page(game.slug, people[1]) as bob,
        Page(game.slug) as watcher,
    ):
        await all_at(0, ada, bob, watcher)
        plans = []
        for page in (ada, bob, watcher):
            assert "plan" not in page.state
            await page.say(t="plan", rev=0)
            plans.append(await page.next("plan"))
        assert [answer["rev"] for answer in plans] == [0, 0, 0]
        assert [answer["plan"] is not None for answer in plans] == [False, True, False]
        assert "d10" in plans[1]["plan"]["tree"]
        await ada.say(t="resign", id="enough")
        await all_at(1, ada, bob)
        for page in (ada, bob):
            await page.say(t="plan", rev=1)
            assert (await page.next("plan"))["plan"] is None


async def test_a_request_for_premoves_of_an_old_state_is_answered_with_the_newest_state(
    table, people
):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ada.act("move 1 5 2 5")
        await all_at(1, ada, bob)
        await bob.say(t="plan", rev=0)
        assert (await bob.next("game"))["rev"] == 1
        await bob.say(t="plan", rev=1)
        tree = (await bob.next("plan"))["plan"]["tree"]
        assert set(tree) == {"g7", "g5", "a3", "a1"}
        await bob.say(t="plan")
        assert (await bob.next("refused"))["reason"] == "malformed"


async def test_everybody_is_told_who_is_there(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug):
        while True:
            crowd = await ada.next("people")
            if crowd["watchers"]:
                break
        assert (crowd["watchers"], crowd["here"]) == (1, ["white"])


async def test_two_tabs_of_one_seat_see_the_same(table, people):
    game = await table("blotto")
    async with Page(game.slug, people[0]) as one, Page(game.slug, people[0]) as two:
        await all_at(0, one, two)
        await one.act("troops 4 3 3")
        await all_at(1, one, two)
        assert one.state["your_seal"] == two.state["your_seal"] == ["troops 4 3 3"]
        refused = await two.act("troops 10 0 0", step=0)
        assert refused["reason"] == "already_sealed"


HOSTILE = [
    (" ", "malformed"),
    ("not json", "malformed"),
    ("[]", "malformed"),
    ("null", "malformed"),
    ('{"t":"dance"}', "unknown_message"),
    ('{"t":5}', "malformed"),
    ('{"t":"act"}', "malformed"),
    ('{"t":"act","id":"a","step":0,"actions":[]}', "malformed"),
    ('{"t":"act","id":"a","step":true,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a","step":-1,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a","step":1e400,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a","step":' + "9" * 5000 + ',"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a","step":NaN,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a b","step":0,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a\\n","step":0,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a\\u0000","step":0,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"\\ud800","step":0,"actions":["noop"]}', "malformed"),
    ('{"t":"act","id":"a","step":0,"actions":["noop"],"more":1}', "malformed"),
    ('{"t":"act","id":"a","step":0,"actions":["' + "x" * 65 + '"]}', "malformed"),
    ('{"t":"draw","id":"a","do":"grab"}', "malformed"),
    ('{"t":"takeback","id":"a"}', "malformed"),
    ('{"t":"takeback","id":"a","do":"offer"}', "no_takeback"),
    ('{"t":"takeback","id":"a","do":"accept"}', "no_offer"),
    ('{"t":"takeback","id":"a","do":"offer","to":0}', "malformed"),
    ('{"t":"abort"}', "malformed"),
    ('{"t":"claim","id":"a","as":"king"}', "malformed"),
    ('{"t":"claim","id":"a","way":"victory"}', "malformed"),
    ('{"t":"claim","id":"a","as":"victory"}', "not_gone"),
    ('{"t":"claim","id":"a"}', "no_claim"),
    ('{"t":"count","id":"a"}', "not_counted"),
    ('{"t":"count"}', "malformed"),
    ('{"t":"count","id":"a","winner":"white"}', "malformed"),
    ('{"t":"act","id":"a","step":0,"takebacks":1,"actions":["move 1 5 2 5"]}', "stale_step"),
    ('{"t":"act","id":"a","step":0,"takebacks":-1,"actions":["move 1 5 2 5"]}', "malformed"),
    ('{"t":"subscribe","rev":' + "[" * 8000 + "}", "malformed"),
    ('{"t":"subscribe","rev":"' + "x" * 17_000 + '"}', "too_large"),
    ('{"t":"act","id":"a","step":0,"actions":["move 1 5 2 5\\u0000"]}', "malformed"),
    ('{"t":"act","id":"a","step":0,"actions":["move 1 5\\n2 5"]}', "malformed"),
    ('{"t":"act","id":"a","step":0,"actions":["move -1 5 2 5"]}', "bad_action"),
    ('{"t":"act","id":"a","step":0,"actions":["move \\u0661 5 2 5"]}', "bad_action"),
]


@pytest.mark.parametrize(("frame", "reason"), HOSTILE)
async def test_a_hostile_frame_is_answered_and_the_socket_lives(table, people, frame, reason):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ada.say_text(frame)
        refused = await ada.next("refused")
        assert refused["reason"] == reason
        assert refused["say"]
        await ada.say(t="ping", rev=0)
        assert await ada.next("pong")
        await bob.say(t="ping", rev=0)
        while (told := await bob.take())["t"] != "pong":
            assert told["t"] in ("people", "game")
        assert bob.state["rev"] == 0
        assert await changed(game) == 1


async def test_a_binary_frame_is_refused(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.socket.send_to(bytes_data=b'{"t":"ping"}')
        assert (await ada.next("refused"))["reason"] == "malformed"


async def test_a_refused_action_comes_back_with_its_code_and_the_state(table, people):
    game = await table("amazons")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        refused = await ada.act("play 7 1 1 1 1 2")
        assert (refused["code"], refused["squares"]) == ("path_blocked", ["d1"])
        assert (await ada.next("game"))["rev"] == 0


async def test_a_spectator_and_a_stranger_cannot_act(table, people):
    game = await table("pincer")
    for user in (people[2], Anonymous()):
        async with Page(game.slug, user) as page:
            await page.until(0)
            assert (await page.act("move 1 5 2 5"))["reason"] == "not_seated"
            await page.say(t="resign", id="r")
            assert (await page.next("refused"))["reason"] == "not_seated"
    assert await changed(game) == 1


async def test_an_unknown_game_is_told_and_the_socket_lives(table, people):
    async with Page("no-such-game", people[0]) as page:
        assert (await page.next("ended"))["reason"] == "gone"
        await page.say(t="ping", rev=0)
        assert (await page.next("pong"))["revs"] == {}


async def test_a_game_of_a_withdrawn_rule_set_is_told_and_the_socket_lives(table, people):
    game = await table("pincer")
    await game_service().run_in_db_thread(lambda: type(game).objects.update(rules="withdrawn"))
    async with Page(game.slug, people[0]) as page:
        assert (await page.next("ended"))["reason"] == "gone"
        await page.say(t="ping", rev=0)
        assert (await page.next("pong"))["revs"] == {}


async def test_a_game_without_spectators_steps_strangers_away_until_it_is_over(table, people):
    game = await table("pincer", watch=False)
    for user in (people[2], None):
        async with Page(game.slug, user) as page:
            assert (await page.next("ended"))["reason"] == "gone"
            await page.say(t="flag")
            assert (await page.next("refused"))["reason"] == "not_subscribed"
            assert page.state is None
    async with Page(game.slug, people[0]) as ada:
        assert (await ada.until(0))["watch"] is False
        await ada.say(t="abort", id="a")
        await ada.until(1)
        async with Page(game.slug) as watcher:
            assert (await watcher.until(1))["outcome"]["reason"] == "aborted"


async def test_the_end_in_another_process_opens_the_game_to_strangers(table, people):
    from play.domain import clocks, commands
    from play.runtime.game_service import GameService

    game, other = await table("pincer", watch=False), GameService()
    await game_service().find(game.slug)
    await other.perform(
        commands.Envelope(game.slug, people[0].pk, clocks.now(), commands.Resign("r"))
    )
    await other.close()
    async with Page(game.slug) as watcher:
        assert (await watcher.until(1))["status"] == "over"


async def test_a_flood_is_slowed_down_and_then_cut_off(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        for _ in range(1_000):
            await ada.say(t="ping", rev=0)
        kinds, reasons = [], set()
        while True:
            event = await ada.socket.receive_output(5)
            kinds.append(event["type"])
            if event["type"] == "websocket.close":
                break
            reasons.add(json.loads(event["text"]).get("reason"))
        assert "slow_down" in reasons
        assert event["code"] in (1008, 4009)


async def test_a_page_that_talks_but_takes_no_newer_state_is_closed(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await bob.say(t="resign", id="r")
        await ada.until(1)
        for rev in (0, 1, 0):
            await ada.say(t="ping", rev=rev)
            await ada.next("pong")
            await turn_loop_clock(MAX_BEHIND_S + 1)
        await ada.say(t="ping", rev=0)
        while (event := await ada.socket.receive_output(5))["type"] != "websocket.close":
            pass
        assert event["code"] == 4009
        await bob.say(t="ping", rev=1)
        assert await bob.next("pong")


async def test_side_actions_pass_the_same_checks(table, people):
    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ada.say(t="draw", id="d1", do="offer")
        offer = (await bob.until(1))["offers"]["draw"]
        assert (offer["by"], offer["rev"]) == ("white", 1)
        assert 0 <= bob.state["now"] - offer["at"] < 5_000
        await bob.say(t="draw", id="d2", do="decline")
        assert (await ada.until(2))["offers"]["draw"] is None
        await bob.say(t="resign", id="r1")
        over = await ada.until(3)
        assert over["outcome"] == {
            "winner": "white",
            "goals": {"white": 100, "black": 0},
            "reason": "resigned",
        }
        await bob.say(t="resign", id="r1")
        receipts = [await bob.next("receipt") for _ in range(3)]
        assert [(r["id"], r["again"]) for r in receipts] == [
            ("d2", False),
            ("r1", False),
            ("r1", True),
        ]
        assert (await ada.act("move 1 5 2 5"))["reason"] == "over"


async def test_a_change_written_by_another_process_is_found_by_the_tail(table, people):
    from play.domain import clocks, commands
    from play.runtime.game_service import GameService

    game = await table("pincer")
    async with Page(game.slug, people[1]) as bob:
        await bob.until(0)
        other = GameService()  # its changes reach this loop's hub through the database alone
        turn = ("move 1 5 2 5", "move 1 7 1 6")
        await other.perform(
            commands.Envelope(game.slug, people[0].pk, clocks.now(), commands.Act("x", 0, turn))
        )
        await other.close()
        assert (await bob.until(1))["step"] == 2


async def test_asking_for_a_flag_ends_a_game_whose_time_is_up(table, people):
    from play.domain import clocks
    from play.domain.clocks import Clock

    game = await table("pincer", Clock("fischer", 10_000, 0))

    def long_ago():
        row = Game.objects.get(pk=game.pk)
        times = json.loads(row.times)
        times["since"] = clocks.now() - 60_000
        Game.objects.filter(pk=game.pk).update(times=json.dumps(times), rev=1)

    await game_service().run_in_db_thread(long_ago)
    async with Page(game.slug) as watcher:
        await watcher.until(1)
        await watcher.say(t="flag")
        over = await watcher.until(2)
        assert (over["outcome"]["winner"], over["outcome"]["reason"]) == ("black", "time")


async def test_a_fault_of_ours_is_said_and_logged_and_the_socket_lives(
    table, people, monkeypatch, caplog
):
    from play.domain import commands, decide

    def broken(live, command):
        raise RuntimeError("planted")

    game = await table("pincer")
    monkeypatch.setitem(decide.DECIDERS, commands.Resign, broken)
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        await ada.say(t="resign", id="r")
        refused = await ada.next("refused")
        assert (refused["reason"], refused["id"]) == ("unsure", "r")
        assert (await ada.act("move 1 5 2 5"))["t"] == "receipt"
    assert "planted" in caplog.text


async def test_an_action_stays_done_when_its_snapshot_fails(table, people, monkeypatch):

    def broken(live, others):
        raise RuntimeError("planted")

    game = await table("pincer")
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        game_service().watchers.insert(0, broken)
        assert (await ada.act("move 1 5 2 5"))["t"] == "receipt"
        assert await changed(game) == 2


async def test_a_log_out_closes_the_sockets_of_open_pages(table, people):
    from play.runtime import open_sockets

    game = await table("pincer")
    async with (
        Page(game.slug, people[0], session="his") as ada,
        Page(game.slug, people[1], session="hers") as bob,
    ):
        await all_at(0, ada, bob)
        await asyncio.to_thread(
            open_sockets.revoke, lambda permit: permit.session == digest_of("his")
        )
        await ada.say(t="act", id="late", step=0, actions=["move 1 5 2 5"])
        while (event := await ada.socket.receive_output(5))["type"] != "websocket.close":
            assert "receipt" not in event["text"]
        assert event["code"] == 4401
        assert await changed(game) == 1
        await bob.say(t="resign", id="still-there")
        assert (await bob.next("receipt"))["rev"] == 1
