"""`python -m tests.bench.reconnect_storm.seated_users 400`: seat users in running games.

Prints the topic and the cookie of each of their pages as JSON. The database is that of
`QUIVER_DATA` or `DATABASE_URL`, and has to be migrated.
"""

import json
import os
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.db import transaction  # noqa: E402

from accounts.login.sessions import SessionStore  # noqa: E402
from accounts.models import User  # noqa: E402
from games.catalogue import RULES  # noqa: E402
from games.core import ROLES  # noqa: E402
from play.domain.clocks import Clock  # noqa: E402
from play.runtime import game_commands  # noqa: E402

Page = dict[str, str]


def log_in(user: User) -> str:
    """Return the cookie of a new session of a user."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def seat(count: int) -> list[Page]:
    """Seat so many users, two in a game, the rule sets in turn; return their pages."""
    pages = []
    keys = list(RULES)
    for number in range(count // 2):
        names = [f"storm-{secrets.token_hex(5)}" for _ in ROLES]
        people = [User.objects.create(username=name, password="!") for name in names]
        seats = dict(zip(ROLES, people, strict=True))
        clock = Clock("none")
        game = game_commands.open_game(keys[number % len(keys)], clock, seats, public=True)
        pages += [{"slug": game.slug, "cookie": log_in(user)} for user in people]
    return pages


if __name__ == "__main__":
    with transaction.atomic():
        seated = seat(int(sys.argv[1]))
    print(json.dumps(seated))
