"""Open many games at once over HTTP, with a session for every player."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.support.servers.server_process import ROOT

# Reads what is wanted from standard input, and prints slugs and session keys.
OPEN = """
import json, secrets, sys
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import transaction
from accounts.people.computer_users import computer
from accounts.models import User
from accounts.login.sessions import SessionStore
from play.runtime.game_commands import open_game
from play.domain.clocks import Clock

def session_of(user):
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session.session_key

def sit(level, password):
    if level:
        return computer(level), "", ""
    if password:
        user = User.objects.create_user(f"a{secrets.token_hex(6)}", password=password)
        return user, session_of(user), session_of(user)
    user = User(username=f"g{secrets.token_hex(6)}", is_guest=True)
    user.set_unusable_password()
    user.save()
    return user, session_of(user), ""

opened = []
with transaction.atomic():
    for each in json.load(sys.stdin):
        levels, password = each["levels"], each["password"]
        seats = {role: sit(levels.get(role), password) for role in ("white", "black")}
        users = {role: user for role, (user, _, _) in seats.items()}
        game = open_game(each["key"], Clock(*each["clock"]), users, each["public"])
        sessions = {role: key for role, (_, key, _) in seats.items() if key}
        others = {role: key for role, (_, _, key) in seats.items() if key}
        opened.append({"slug": game.slug, "sessions": sessions, "others": others})
print(json.dumps(opened))
"""
ORIGIN = "http://laboratory.test"  # of the pages of all clients
PASSWORD = "a long laboratory word"
FISCHER = ("fischer", 180_000, 2_000)
NO_CLOCK = ("none", 0, 0)


@dataclass(frozen=True)
class Wanted:
    """A game to be opened; `levels` are those of the roles that a computer player has. With
    `is_account` people have a password, and a second browser."""

    key: str
    clock: tuple[str, int, int] = NO_CLOCK
    levels: tuple[tuple[str, int], ...] = ()
    public: bool = True
    is_account: bool = False

    def plain(self) -> dict[str, Any]:
        """The wanted game as plain data for JSON."""
        levels = dict(self.levels)
        return {
            "key": self.key,
            "clock": self.clock,
            "levels": levels,
            "public": self.public,
            "password": PASSWORD if self.is_account else "",
        }


@dataclass(frozen=True)
class Seating:
    """An open game, and the session keys of the people in it by role."""

    key: str
    slug: str
    sessions: dict[str, str]
    clock: tuple[str, int, int]
    others: dict[str, str]  # of second browsers


async def open_games(environment: dict[str, str], wanted: list[Wanted]) -> list[Seating]:
    """Opens games in the database of an environment."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", OPEN],
        cwd=ROOT,
        env={**os.environ, **environment},
        input=json.dumps([each.plain() for each in wanted]),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    opened = json.loads(done.stdout.splitlines()[-1])
    return [
        Seating(each.key, made["slug"], made["sessions"], each.clock, made["others"])
        for each, made in zip(wanted, opened, strict=True)
    ]
