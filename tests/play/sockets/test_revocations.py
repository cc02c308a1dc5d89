"""The end of a session closes its sockets in every process."""

import asyncio
import subprocess
import sys
from dataclasses import replace

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import Client

from accounts.account_service import delete_user, suspend
from accounts.login import revocations
from accounts.login.sessions import digest_of
from accounts.models import Revocation, User
from play.domain.socket_session import Revoked, SocketSession
from play.models import Entry
from play.sockets.send_queue import SIGNED_OUT_CODE
from tests.chat.test_chat_socket import Panel
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service, runtime, session_watch
from tests.support.servers.server_process import ROOT, Server, Visitor, embedded, start_game
from tests.support.topic_frames import subscribe

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
    revocations.write_revocation(session=digest_of(session))


async def test_a_hint_of_another_process_closes_them_before_the_next_poll(table, people) -> None:
    game = await table("pincer")
    async with Page(game.slug, people[0], session="hers") as ada:
        await ada.until(0)
        await game_service().run_in_db_thread(end_of, "hers")
        runtime().follow_revocations()
        assert await closed(ada) == SIGNED_OUT_CODE


async def test_nothing_is_written_for_a_session_once_its_log_out_is_answered(table, people) -> None:
    game, browser = await table("pincer"), Client()
    await sync_to_async(browser.force_login)(people[0])
    async with Page(game.slug, people[0], session=browser.session.session_key) as ada:
        await ada.until(0)
        await sync_to_async(browser.post)("/log-out/")
        await ada.say(t="resign", id="r")
        assert await closed(ada) == SIGNED_OUT_CODE
    kinds = await game_service().run_in_db_thread(
        lambda: [each.kind for each in Entry.objects.order_by("rev")]
    )
    assert kinds == ["open"]


async def test_the_end_of_a_session_in_another_process_closes_its_sockets_here(
    table, people
) -> None:
    game = await table("pincer")
    async with Page(game.slug, people[0], session="hers") as ada:
        await ada.until(0)
        await game_service().run_in_db_thread(end_of, "hers")
        await session_watch().follow()
        assert await closed(ada) == SIGNED_OUT_CODE


async def test_a_session_that_ends_during_the_handshake_opens_no_socket(table, people) -> None:
    game = await table("pincer")
    since = await session_watch().newest()
    await game_service().run_in_db_thread(end_of, "hers")
    await session_watch().follow()  # the socket is not among those that this sees
    page = Page(game.slug, people[0], session="hers")
    page.socket.scope["since"] = since
    async with page:
        assert await closed(page) == SIGNED_OUT_CODE


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
