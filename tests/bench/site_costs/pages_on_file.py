"""`python -m tests.bench.site_costs.pages_on_file`: measure the cost of each page with a list.

The database is one that `games_on_file` has filled. Requests go through the whole site but for the
sockets of HTTP: middleware, view, template. A row says how many queries a page makes, and the
median of its milliseconds on the wall and of the processor.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from allauth.mfa.models import Authenticator  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.login.staff_access import CODE_ACCEPTED, LOGGED_IN_AT  # noqa: E402
from accounts.models import User  # noqa: E402
from assets.collect import collect  # noqa: E402
from play.models import Game, Seat  # noqa: E402

MOST = "/u/Regular-1/"  # has a fifth of all games
RUNS = 9


def addresses() -> Iterator[tuple[str, str]]:
    """Yield the visitor and the address of each request."""
    middle, last = deep(MOST, 0.5), deep(MOST, 0.0)
    game = Game.objects.filter(rules="pincer", is_public=True).order_by("-step").first()
    lobby = Game.objects.exclude(lobby="").order_by("-pk").values_list("lobby", flat=True).first()
    yield from (("stranger", path) for path in ("/", "/watch/", "/watch/?game=blotto"))
    yield from (("stranger", f"/players/{query}") for query in ("", "?q=ka", "?q=Karo", "?q=zz"))
    yield from (("stranger", f"/play/{way}/") for way in ("online", "friend"))
    for who in ("stranger", "regular"):
        for query in (
            "",
            middle,
            last,
            "?result=drawn",
            "?result=running",
            "?game=blotto&result=won",
            "?against=Regular-2",
            "?against=Regular-199&result=lost&game=amazons",
        ):
            yield who, MOST + query
    yield from (("stranger", f"/u/{name}/") for name in ("Regular-199", "Wren", "rEGULAR-1", "no"))
    yield from (("regular", path) for path in ("/", "/watch/", "/settings/", "/settings/delete/"))
    if game is not None:
        yield from (("stranger", f"/g/{game.slug}/{rest}") for rest in ("", "steps", "ledger/"))
        yield "regular", f"/g/{game.slug}/"
    yield from (("stranger", path) for path in (f"/l/{lobby}/", "/computer/", "/learn/"))
    users = "/admin/accounts/user/"
    yield from (("keeper", users + query) for query in ("", "?q=Regular-1", "?p=4"))
    yield "keeper", "/admin/chat/report/"


def deep(profile: str, share: float) -> str:
    """The query of a page far down: its oldest games are this share of all."""
    seats = Seat.objects.filter(user__username=profile.split("/")[2]).order_by("pk")
    return f"?before={seats[int(share * seats.count()) + 30].pk}"


def visitors() -> dict[str, Client]:
    """Browsers by visitor."""
    keeper, _ = User.objects.get_or_create(
        username="keeper", defaults={"is_staff": True, "is_superuser": True}
    )
    people = {"regular": User.objects.get(username="Regular-1"), "keeper": keeper}
    found = {who: Client(SERVER_NAME="localhost") for who in ("stranger", *people)}
    for who, user in people.items():
        found[who].force_login(user)
    _give_second_factor(found["keeper"], keeper)
    return found


def _give_second_factor(browser: Client, keeper: User) -> None:
    """Make a browser's session one that the admin lets in, as a log-in with a code would."""
    Authenticator.objects.get_or_create(user=keeper, type="totp", defaults={"data": {}})
    session = browser.session
    session[LOGGED_IN_AT] = time.time()
    session[CODE_ACCEPTED] = {"user": keeper.pk, "at": time.time()}
    session.save()


def measured(browser: Client, path: str, runs: int) -> tuple[int, int, float, float]:
    """Status, queries, and the median milliseconds on the wall and of the processor."""
    queries: list[str] = []
    with connection.execute_wrapper(partial(_noted, queries)):
        status = browser.get(path).status_code
    walls, processor = [], []
    for _ in range(runs):
        wall, busy = time.perf_counter(), time.process_time()
        browser.get(path)
        walls.append(time.perf_counter() - wall)
        processor.append(time.process_time() - busy)
    return status, len(queries), 1000 * median(walls), 1000 * median(processor)


def _noted(queries: list[str], execute: Any, sql: str, *rest: Any) -> Any:
    queries.append(sql)
    return execute(sql, *rest)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", default="", help="a regular expression for addresses")
    options = parser.parse_args()
    collect()
    browsers = visitors()
    print(f"{connection.vendor}, {Game.objects.count()} games")
    print(f"{'who':<9}{'status':>6}{'queries':>9}{'wall ms':>9}{'CPU ms':>8}  page")
    for who, path in addresses():
        if re.search(options.only, path):
            status, queries, wall, busy = measured(browsers[who], path, options.runs)
            print(f"{who:<9}{status:>6}{queries:>9}{wall:>9.1f}{busy:>8.1f}  {path}", flush=True)


if __name__ == "__main__":
    main()
