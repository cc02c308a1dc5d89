"""`manage.py logoutall` ends sessions for good, even those restored from a backup."""

import asyncio
import io
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import websockets
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.login import revocations
from accounts.models import Revocation, Session, User
from accounts.people.computer_users import computer
from play.domain.socket_session import Revoked, SocketSession
from play.models import Entry
from play.sockets.send_queue import SIGNED_OUT_CODE
from tests.play.sockets.test_revocations import closed, rows
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service, session_watch
from tests.support.servers.own_servers import missing
from tests.support.servers.server_process import ROOT, Server, Visitor, embedded, start_game
from tests.support.sign_up_forms import NEW, a_guest, account, new_account, who
from tests.support.topic_frames import subscribe

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


class World:
    """Two accounts, one of them in two browsers, a guest, and a stranger with a session."""

    def __init__(self) -> None:
        self.users = account("ada"), account("bob")
        self.ada, self.phone, self.bob, self.guest = (Client() for _ in range(4))
        for browser, user in (
            (self.ada, self.users[0]), (self.phone, self.users[0]), (self.bob, self.users[1]),
        ):  # fmt: skip
            browser.force_login(user)
        a_guest(self.guest)
        stranger = Client().session
        stranger["colour"] = "white"
        stranger.save()

    def inside(self) -> str:
        """The first letters of those that are logged in: ada, her phone, bob, the guest."""
        browsers = {"a": self.ada, "p": self.phone, "b": self.bob, "g": self.guest}
        return "".join(letter for letter, each in browsers.items() if is_inside(each))


def is_inside(browser: Client) -> bool:
    """Whether a browser is logged in."""
    return "/log-out/" in browser.get("/settings/").content.decode()


def run(*words: str, **more: object) -> str:
    """Runs the command without confirmation; returns its output."""
    said = io.StringIO()
    call_command("logoutall", *words, "--no-input", stdout=said, **more)
    return said.getvalue()


def test_all_accounts_are_logged_out_and_guests_stay() -> None:
    world = World()
    assert world.inside() == "apbg"
    assert run() == "4 sessions ended.\n"
    assert world.inside() == "g"
    assert Revocation.objects.get().everybody
    assert rows() == [("", None, "")]
    assert list(Session.objects.values_list("user", flat=True)) == [who(world.guest)]


def test_guests_are_logged_out_if_that_is_asked_for() -> None:
    world = World()
    assert run("--guests") == "5 sessions ended.\n"
    assert world.inside() == ""
    assert not Session.objects.exists()


def test_one_user_is_logged_out_everywhere() -> None:
    world = World()
    assert run("--user", "ADA") == "2 sessions ended.\n"
    assert world.inside() == "bg"
    assert rows() == [("", world.users[0].pk, "")]
    assert run("--user", "bob") == "1 session ended.\n"
    assert run("--user", "bob") == "0 sessions ended.\n"


def test_a_user_who_was_logged_out_may_log_in_again() -> None:
    world = World()
    run()
    world.ada.force_login(User.objects.get(username="ada"))
    assert world.inside() == "ag"


@pytest.mark.parametrize("words", [[], ["--user", "ada"]])
def test_a_row_that_comes_back_logs_nobody_in(words) -> None:
    world = World()
    saved = Session.objects.get(pk=world.ada.session.digest)
    run(*words)
    saved.save(force_insert=True)  # as a request does that was under way
    assert not is_inside(world.ada)


def test_a_guest_who_was_logged_out_is_not_found_again_by_the_forms_of_the_browser() -> None:
    world = World()
    guest = User.objects.get(is_guest=True)
    User.objects.filter(pk=guest.pk).update(born_of="x" * 64)
    run("--user", guest.username)
    assert User.objects.get(pk=guest.pk).born_of is None
    assert world.inside() == "apb"


def test_more_sessions_and_users_than_one_batch_holds() -> None:
    count = 2 * revocations.BATCH_ROWS + 1
    users = User.objects.bulk_create(User(username=f"user{n}") for n in range(count))
    Session.objects.bulk_create(
        Session(session_key=f"{n:064}", user=user.pk, expire_date=timezone.now())
        for n, user in enumerate(users)
    )
    assert run() == f"{count} sessions ended.\n"
    assert not Session.objects.exists()
    assert set(User.objects.values_list("era", flat=True)) == {1}
    assert Revocation.objects.count() == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--user", "nobody"], "There is no user nobody"),
        (["--user", "Wren"], "computer player"),
        (["--user", "ada", "--guests"], "not allowed with"),
    ],
)
def test_an_invalid_command_is_refused_and_changes_nothing(words, says) -> None:
    world = World()
    computer(1)
    with pytest.raises(CommandError, match=says):
        run(*words)
    assert (world.inside(), rows()) == ("apbg", [])


@pytest.mark.parametrize("words", [[], ["--guests"], ["--user", "ada"]])
@pytest.mark.parametrize("answer", ["no", "", None])
def test_nothing_is_done_unless_the_operator_agrees(words, answer, monkeypatch) -> None:
    world = World()
    keys = io.StringIO("" if answer is None else f"{answer}\n")
    monkeypatch.setattr(sys, "stdin", keys)
    with pytest.raises(CommandError, match=r"[Nn]othing was done"):
        call_command("logoutall", *words, stdout=io.StringIO())
    assert (world.inside(), rows()) == ("apbg", [])
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    call_command("logoutall", *words, stdout=io.StringIO())
    assert "a" not in world.inside()


def test_a_revocation_of_everybody_ends_every_session_and_no_stranger() -> None:
    row = Revoked(4, "", None, "", everybody=True)
    assert row.ends(SocketSession("hers", 7, 3))
    assert row.ends(SocketSession("hers", None, 3))
    assert not row.ends(SocketSession("hers", 7, 4))
    assert not row.ends(SocketSession(None, None, 3))


async def test_sockets_are_closed_and_nothing_more_is_written_for_them(table, people) -> None:
    game = await table("pincer")
    async with (
        Page(game.slug, people[0], session="hers") as ada,
        Page(game.slug, people[1], session="his") as bob,
        Page(game.slug) as spectator,
    ):
        await all_at(0, ada, bob, spectator)
        await game_service().run_in_db_thread(run)
        await session_watch().follow()
        await ada.say(t="resign", id="r")
        assert [await closed(page) for page in (ada, bob)] == [SIGNED_OUT_CODE, SIGNED_OUT_CODE]
        await spectator.say(t="ping", rev=0)
        assert await spectator.next("pong")
    assert await game_service().run_in_db_thread(Entry.objects.count) == 1


def command(environment: dict[str, str], *words: str) -> str:
    """Runs the command in a process of its own; returns its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", "logoutall", "--no-input", *words],
        cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


async def knows(visitor: Visitor) -> bool:
    """Whether a visitor is logged in."""
    return "/log-out/" in (await visitor.get("/settings/")).text


@pytest.mark.processes
@pytest.mark.nightly
async def test_a_restored_backup_revives_sessions_and_the_command_ends_them(tmp_path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite3"
    data.mkdir(mode=0o700)
    server = Server(data)
    await server.start()
    try:
        ada, guest = Visitor(server), Visitor(server)
        await ada.post("/sign-up/", **NEW)
        await guest.post(
            "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
        )
        with sqlite3.connect(server.database) as line:
            line.execute("VACUUM INTO ?", [str(copy)])
        stolen = ada.session
        await ada.post("/log-out/")
        ada.client.headers["Cookie"] = stolen
        assert not await knows(ada)
        await server.stop()
        restore(copy, server.database)
        await server.start()
        assert await knows(ada), "the copy revives the session"
        ours = {**embedded(), "QUIVER_DATA": str(data)}
        assert await asyncio.to_thread(command, ours) == "1 session ended.\n"
        assert (await knows(ada), await knows(guest)) == (False, True)
        assert await asyncio.to_thread(command, ours, "--guests") == "1 session ended.\n"
        assert not await knows(guest)
    finally:
        server.kill()


def restore(copy: Path, database: Path) -> None:
    """Puts a copy in the place of the database; nothing may be running."""
    for old in database.parent.glob(f"{database.name}*"):
        old.unlink()
    copy.replace(database)


@pytest.mark.processes
@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
async def test_the_command_closes_sockets_of_all_servers_and_guests_come_back(shared_pair) -> None:
    one, other = shared_pair.one, shared_pair.other
    host, guest = Visitor(one), Visitor(other)
    await host.post("/sign-up/", **new_account())
    game = await start_game(host, guest, "pincer", "none")
    slug = game.strip("/").split("/")[-1]
    lines = [
        await websockets.connect(
            f"ws://127.0.0.1:{server.port}/ws/g/{slug}/",
            origin=server.origin,
            additional_headers={"Cookie": visitor.session},
            proxy=None,
        )
        for server, visitor in ((one, host), (other, host), (other, guest))
    ]
    for line in lines:
        await line.send(subscribe(f"game:{slug}"))
        await line.recv()
    environment = {**os.environ, "QUIVER_DATA": str(one.data), **one.environment}
    said = await asyncio.to_thread(command, environment)
    # Accounts of other tests may have sessions too.
    assert re.fullmatch(r"1 session ended\.\n|\d+ sessions ended\.\n", said)
    assert not said.startswith("0")
    for line in lines:
        async with asyncio.timeout(20):
            await line.wait_closed()
    assert {line.close_code for line in lines} == {SIGNED_OUT_CODE}
    assert (await knows(host), await knows(guest)) == (False, True)
    for visitor in (host, guest):
        await visitor.client.aclose()
