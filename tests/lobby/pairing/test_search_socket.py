"""The socket of a search: it lives while a page follows it, and answers make the game."""

import asyncio
import threading

import pytest

from accounts.models import User
from lobby.pairing import pairing_round, search_presence, search_service
from lobby.pairing.models import Search
from lobby.pairing.search_presence import presence_of
from play.models import Game
from play.process_models import Lease
from tests.support.loop_runtime import game_service, runtime, started
from tests.support.page_visitors import Watcher
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = pytest.mark.django_db
PINCER = ("pincer", "fischer:180:2")
GRACE_MS = 60_000  # longer than a test


async def db(function, *args):
    return await game_service().run_in_db_thread(function, *args)


@pytest.fixture
async def people(at_work, monkeypatch):
    """Ada, Bob and Cy, each with a search; a page may be loaded again within a minute."""
    monkeypatch.setattr(search_presence, "GRACE_MS", GRACE_MS)
    made = [await db(lambda n=name: User.objects.create(username=n)) for name in "abc"]
    for user in made:
        await db(search_service.start, user, [PINCER])
    return made


@pytest.fixture
async def rounds(people) -> None:
    """Pairs every second, as a server does: a round that fails is followed by another."""
    started()


def page(user) -> Watcher:
    return Watcher("search", user)


async def state(user) -> str:
    search = await db(lambda: Search.objects.get(user=user))
    return f"{search.state} {search.why}".strip()


async def until_left(user) -> None:
    """Let the time pass in which the page may be loaded again; the search ends."""
    await pass_grace()
    await until(user, "ended left")


async def pass_grace() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_presence, "GRACE_MS", 0)
        await presence_of(runtime()).beat(runtime())


async def until(user, wanted: str) -> None:
    async def is_so() -> bool:
        return await state(user) == wanted

    await wait_until(is_so, f"the search is {wanted}")


async def answer(watcher: Watcher, frame: dict, tab: str, yes: bool = True) -> None:
    await watcher.say(t="answer", pairing=frame["pairing"], yes=yes, tab=tab)


async def test_two_pages_are_asked_answer_and_are_led_to_one_game(people, rounds):
    ada, bob, _ = people
    async with page(ada) as one:
        frame = await one.next("search")
        assert (frame["state"], frame["choices"]) == ("looking", ["Pincer · 3 + 2"])
        async with page(bob) as two:
            questions = [
                await each.next("search", lambda f: f["state"] == "asked") for each in (one, two)
            ]
            assert [each["asks"] for each in questions] == [False, False]
            assert questions[0]["offer"] == "b is here: Pincer, 3 + 2. Play now?"
            await answer(one, questions[0], "tab-a")
            assert not await db(Game.objects.exists)
            await answer(two, questions[1], "tab-b")
            ends = [
                await each.next("search", lambda f: f["state"] == "paired") for each in (one, two)
            ]
    game = await db(Game.objects.get)
    assert [end["game"] for end in ends] == [game.get_absolute_url()] * 2
    assert [end["tab"] for end in ends] == ["tab-a", "tab-b"]


async def test_a_closed_page_ends_its_search_and_a_reload_does_not(people):
    ada, _, _ = people
    async with page(ada) as one:
        await one.next("search")
    async with page(ada) as one:
        await one.next("search")
        await pass_grace()
        assert await state(ada) == "looking"
    await until_left(ada)
    async with page(ada) as one:
        assert (await one.next("search"))["left"]
        await one.say(t="present")
        assert (await one.next("search"))["state"] == "looking"
    await until_left(ada)
    assert runtime().presence.users("search") == set()


async def test_nobody_is_paired_with_a_page_that_was_closed(people):
    ada, bob, _ = people
    async with page(ada) as one:
        await one.next("search")
    await until_left(ada)
    async with page(bob) as two:
        await two.next("search")
        await presence_of(runtime()).beat(runtime())
        assert await state(bob) == "looking"


async def test_who_plays_the_computer_is_asked_and_may_decline(people, rounds):
    ada, bob, _ = people
    async with page(ada) as one, page(bob) as two:
        question = await one.next("search", lambda f: f["state"] == "asked")
        await answer(two, await two.next("search", lambda f: f["state"] == "asked"), "tab-b")
        await answer(one, question, "tab-a", yes=False)
        assert (await one.next("search", lambda f: f["state"] == "ended"))["say"]
        assert (await two.next("search", lambda f: f["state"] == "looking"))["answered"] is False
    assert not await db(Game.objects.exists)


async def test_a_busy_page_shows_a_question(people, rounds):
    ada, bob, _ = people
    async with page(ada) as one:
        await one.next("search")
        await one.say(t="present", busy=True)
        await one.next("search")  # it is busy now
        async with page(bob) as two:
            assert (await one.next("search", lambda f: f["state"] == "asked"))["asks"]
            assert not (await two.next("search", lambda f: f["state"] == "asked"))["asks"]


async def test_pages_that_come_during_a_round_get_another_one_at_once(people, monkeypatch):
    runs, may_end = [], threading.Event()

    def slow_round(*args: object) -> bool:
        runs.append(args)
        assert may_end.wait(TIMEOUT_S)
        return False

    monkeypatch.setattr(pairing_round, "run_round", slow_round)
    presence = presence_of(runtime())
    first = asyncio.create_task(presence.pair(runtime()))
    await wait_until(lambda: runs, "the first round has begun")
    for _ in range(2):
        await presence.pair(runtime())
    may_end.set()
    await first
    assert len(runs) == 2


async def test_a_page_stops_its_search(people):
    async with page(people[0]) as one:
        await one.next("search")
        await one.say(t="stop")
        assert (await one.next("search", lambda f: f["state"] == "ended"))["say"] == ""


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "answer"},
        {"t": "answer", "pairing": "x", "yes": True, "tab": "a"},
        {"t": "answer", "pairing": 1, "yes": True, "tab": "a b"},
        {"t": "present", "busy": 1},
        {"t": "go"},
    ],
)
async def test_malformed_messages_are_refused_and_change_nothing(people, frame):
    async with page(people[0]) as one:
        await one.next("search")
        await one.say(**frame)
        assert (await one.next("refused"))["reason"] in ("malformed", "unknown_message")
        assert await state(people[0]) == "looking"


async def test_an_answer_to_no_question_is_refused(people):
    async with page(people[0]) as one:
        await one.next("search")
        await one.say(t="answer", pairing=1, yes=True, tab="a")
        assert (await one.next("refused"))["reason"] == "too_late"


async def test_a_visitor_has_no_search_but_sees_how_many_search(people):
    async with Watcher("search") as nobody:
        assert (await nobody.next("ended"))["reason"] == "gone"
    async with Watcher("searches") as visitor, page(people[0]) as one:
        await one.next("search")
        frame = await visitor.next("searches", lambda f: f["total"] == 1)
        assert frame["games"] == {"pincer": 1}


async def test_a_page_of_an_ended_search_costs_no_writes_and_begins_again(people):
    presence = presence_of(runtime())
    async with page(people[0]) as one:
        await one.next("search")
        await one.say(t="stop")
        await until(people[0], "ended stopped")
        for _ in range(search_presence.IDLE_BEATS):
            await presence.beat(runtime())
        assert await db(lambda: Lease.objects.get().until) == 0
        before = await db(lambda: list(Search.objects.values()))
        await presence.beat(runtime())
        assert await db(lambda: list(Search.objects.values())) == before
        assert await db(lambda: Lease.objects.get().until) == 0
        await db(search_service.start, people[0], [PINCER])
        for _ in range(search_presence.IDLE_BEATS):
            await presence.beat(runtime())
        assert await db(lambda: Search.objects.get(user=people[0]).seen) is not None
        assert await db(lambda: Lease.objects.get().until) > 0


async def test_nothing_is_read_while_nobody_searches(people):
    presence = presence_of(runtime())
    async with page(people[0]) as one:
        await one.next("search")
        await presence.beat(runtime())
        assert await db(lambda: Lease.objects.get().until) > 0
    await until_left(people[0])
    await presence.beat(runtime())
    assert await db(lambda: Lease.objects.get().until) == 0
    runtime().games.run_in_db_thread = None  # a call would fail
    try:
        await presence.beat(runtime())
    finally:
        del runtime().games.run_in_db_thread
