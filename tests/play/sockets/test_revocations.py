"""The end of a session closes its sockets in every process."""

import asyncio
import contextlib
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, transaction
from django.test import Client

from accounts import revocations
from accounts.account_service import delete_user, suspend
from accounts.models import Revocation, User
from accounts.sessions import digest_of
from chat.models import Line
from play.domain import clocks, commands
from play.domain.refusals import Reason, Refused
from play.domain.socket_session import Revoked, SocketSession
from play.models import Entry, Game
from play.runtime import game_commands
from play.sockets.send_queue import SIGNED_OUT_CODE
from play.storage import revoked_sessions
from tests.chat.test_chat_socket import Panel
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service, session_watch
from tests.support.servers.server_process import ROOT, Server, Visitor, embedded, start_game
from tests.support.topic_frames import subscribe
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HERS = SocketSession("hers", 7, 3)
HERS_OF_OLD = replace(HERS, since=0)  # older than all revocations


@pytest.mark.parametrize(
    ("row", "is_over"),
    [
        (Revoked(4, "hers", None, ""), True),
        (Revoked(4, "his", None, ""), False),
        (Revoked(4, "", 7, ""), True),
        (Revoked(4, "", 7, "another"), True),
        (Revoked(4, "", 7, "hers"), False),
        (Revoked(4, "", 8, ""), False),
        (Revoked(3, "hers", None, ""), False),
    ],
)
def test_events_that_end_a_socket_session(row, is_over) -> None:
    assert row.ends(HERS) is is_over


def test_a_stranger_without_a_session_is_not_ended_by_somebody_elses_log_out() -> None:
    assert not Revoked(4, "his", None, "").ends(SocketSession(None, None, 0))
    assert not Revoked(4, "", 7, "").ends(SocketSession(None, None, 0))


def rows() -> list[tuple[str, int | None, str]]:
    return list(Revocation.objects.order_by("id").values_list("session", "user", "keep"))


def test_logging_out_is_written_down_together_with_the_end_of_the_session(client, people) -> None:
    client.force_login(people[0])
    digest = client.session.digest
    client.post("/log-out/")
    assert rows() == [(digest, None, "")]


def test_suspending_is_written_down_or_does_not_happen(people) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        suspend(people[0].pk)
        raise RuntimeError
    assert (rows(), User.objects.get(pk=people[0].pk).is_active) == ([], True)
    suspend(people[0].pk)
    assert rows() == [("", people[0].pk, "")]


def test_a_deletion_is_written_down_or_does_not_happen(people) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        delete_user(people[0].pk)
        raise RuntimeError
    assert (rows(), User.objects.get(pk=people[0].pk).username) == ([], "ada")
    with transaction.atomic():
        delete_user(people[0].pk)
        assert rows() == [("", people[0].pk, "")]  # before the commit already


def test_another_password_ends_every_other_session(client, people, settings) -> None:
    people[0].set_password("an old long password")
    people[0].save()
    client.force_login(people[0])
    old = client.session.digest
    new = "a new long password"
    form = {"oldpassword": "an old long password", "password1": new, "password2": new}
    assert client.post("/password/", form).status_code == 302
    assert rows() == [(old, None, ""), ("", people[0].pk, client.session.digest)]


async def closed(page: Page | Panel) -> int:
    """The code with which the server closes a socket."""
    while (event := await page.socket.receive_output(2))["type"] != "websocket.close":
        pass
    return event["code"]


async def test_logging_out_in_one_tab_closes_the_other(table, people) -> None:
    game, browser = await table("pincer"), Client()
    await sync_to_async(browser.force_login)(people[0])
    async with (
        Page(game.slug, people[0], session=browser.session.session_key) as ada,
        Page(game.slug, people[1], session="his") as bob,
    ):
        await all_at(0, ada, bob)
        await sync_to_async(browser.post)("/log-out/")
        assert await closed(ada) == SIGNED_OUT_CODE
        await bob.say(t="ping", rev=0)
        assert await bob.next("pong")


def end_of(session: str) -> None:
    """Writes the revocation of a session, as another process does."""
    with transaction.atomic():
        revocations.wait_in_order()
        Revocation.objects.create(session=digest_of(session), at=clocks.now())


async def test_the_end_of_a_session_in_another_process_closes_its_sockets_here(
    table, people
) -> None:
    game = await table("pincer")
    async with Page(game.slug, people[0], session="hers") as ada:
        await ada.until(0)
        await game_service().run_in_db_thread(end_of, "hers")
        await session_watch().follow()
        assert await closed(ada) == SIGNED_OUT_CODE


async def test_nothing_is_written_for_a_session_that_has_ended_unheard(table, people) -> None:
    game = await table("pincer")
    async with (
        Page(game.slug, people[0], session="hers") as ada,
        Page(game.slug, people[1], session="his") as bob,
    ):
        await all_at(0, ada, bob)
        await game_service().run_in_db_thread(end_of, "hers")
        assert (await ada.act("move 1 5 2 5"))["reason"] == "signed_out"
        await bob.say(t="resign", id="r")
        assert (await bob.next("receipt"))["rev"] == 1
        kinds = await game_service().run_in_db_thread(
            lambda: [each.kind for each in Entry.objects.order_by("rev")]
        )
        assert kinds == ["open", "resign"]


async def test_nothing_is_said_for_a_session_that_has_ended_unheard(table, people) -> None:
    game = await table("pincer")
    panel = Panel(game, people[0])
    panel.socket.scope["session"] = SimpleNamespace(digest=digest_of("hers"))
    async with panel:
        await panel.until()
        await game_service().run_in_db_thread(end_of, "hers")
        assert (await panel.say("hello"))["reason"] == "signed_out"
        assert await game_service().run_in_db_thread(Line.objects.count) == 0


async def test_a_session_that_ends_during_the_handshake_opens_no_socket(table, people) -> None:
    game = await table("pincer")
    since = await session_watch().newest()
    await game_service().run_in_db_thread(end_of, "hers")
    await session_watch().follow()  # the socket is not among those that this sees
    page = Page(game.slug, people[0], session="hers")
    page.socket.scope["since"] = since
    async with page:
        assert await closed(page) == SIGNED_OUT_CODE


def end_slowly(has_begun: threading.Event, may_end: threading.Event) -> None:
    """Ends her session in a transaction that stays open until it may end."""
    try:
        with transaction.atomic():
            revocations.wait_in_order()
            Revocation.objects.create(session=HERS.session, at=clocks.now())
            has_begun.set()
            assert may_end.wait(TIMEOUT_S)
    finally:
        connection.close()


@contextlib.contextmanager
def waiting_for_no_lock() -> Iterator[None]:
    """The connection of this thread raises where it would wait for a lock."""
    with connection.cursor() as cursor:
        is_sqlite = connection.vendor == "sqlite"
        cursor.execute("PRAGMA busy_timeout = 0" if is_sqlite else "SET lock_timeout = '1ms'")
    try:
        yield
    finally:
        connection.close()  # the next one waits


@pytest.mark.django_db(transaction=True)
def test_a_reader_waits_for_a_running_revocation_and_sees_it(people) -> None:
    has_begun, may_end, permits = threading.Event(), threading.Event(), [None, HERS_OF_OLD]
    other = threading.Thread(target=end_slowly, args=(has_begun, may_end))
    other.start()
    try:
        assert has_begun.wait(TIMEOUT_S)
        locked = pytest.raises(OperationalError, match="lock")
        with waiting_for_no_lock(), locked, transaction.atomic():
            revoked_sessions.revoked_indices(permits)
    finally:
        may_end.set()
        other.join()
    with transaction.atomic():
        assert revoked_sessions.revoked_indices(permits) == {1}


def test_looking_for_revocations_takes_one_query(people, django_assert_num_queries) -> None:
    with transaction.atomic(), django_assert_num_queries(1):
        assert revoked_sessions.revoked_indices([HERS, None]) == set()


@pytest.mark.django_db(transaction=True)
async def test_a_write_in_flight_is_wholly_before_the_revocation_or_refused(table, people) -> None:
    """Runs 200 races: no entry is added after the commit of the revocation."""
    chance, fates = random.Random(5), Counter()
    for number in range(200):
        game = await table("pincer")
        permit = SocketSession(
            digest_of(f"s{number}"),
            people[0].pk,
            await game_service().run_in_db_thread(revoked_sessions.newest),
        )
        fate, seen = await asyncio.gather(
            resign(game, people[0], permit),
            asyncio.to_thread(end_and_count, f"s{number}", game, chance.random() * 0.006),
        )
        fates[fate] += 1
        assert await game_service().run_in_db_thread(entries_of, game) == seen, (number, fate)
    assert set(fates) == {"accepted", Reason.SIGNED_OUT}


async def resign(game: Game, user: User, permit: SocketSession) -> str:
    """Resign; return "accepted" or the reason of the refusal."""
    try:
        await game_commands.perform(
            game_service(), game.slug, user.pk, commands.Resign(id="r"), clocks.now(), 0, permit
        )
    except Refused as refused:
        return refused.reason
    return "accepted"


def entries_of(game: Game) -> int:
    return Entry.objects.filter(game=game.pk).count()


def end_and_count(session: str, game: Game, delay: float) -> int:
    """Ends a session after a delay; returns the number of a game's entries after the commit."""
    try:
        time.sleep(delay)
        end_of(session)
        return entries_of(game)
    finally:
        connection.close()


@pytest.mark.processes
async def test_a_suspension_in_another_process_closes_sockets_within_two_seconds(
    shared_server,
) -> None:
    white, black = Visitor(shared_server), Visitor(shared_server)
    address = await start_game(white, black, "pincer", "none")
    slug = address.strip("/").split("/")[-1]
    async with websockets.connect(
        f"ws://127.0.0.1:{shared_server.port}/ws/g/{slug}/",
        origin=shared_server.origin,
        additional_headers={"Cookie": white.session},
        proxy=None,
    ) as page:
        await page.send(subscribe(f"game:{slug}"))
        await page.recv()
        await asyncio.to_thread(suspend_elsewhere, shared_server, slug)
        with pytest.raises(websockets.ConnectionClosed):
            while True:
                await asyncio.wait_for(page.recv(), 10)
        assert page.close_code == SIGNED_OUT_CODE
    for visitor in (white, black):
        await visitor.client.aclose()


def suspend_elsewhere(server: Server, slug: str) -> None:
    """Suspends both people of a game, in a process of its own."""
    words = "from play.models import Seat; from accounts.account_service import suspend; "
    words += f"[suspend(seat.user_id) for seat in Seat.objects.filter(game__slug={slug!r})]"
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", words],
        cwd=ROOT,
        env={**embedded(), "QUIVER_DATA": str(server.data)},
        check=True,
    )
