"""`python -m tests.bench.site_costs.pages_under_load`: measure cost and delay of pages.

The first table has CPU time of requests through the whole application but for the server's sockets,
in one event loop, beside a view of Django's without middleware: ratios in one run are what holds on
a busy machine. The database is that of `QUIVER_DATA` or `DATABASE_URL`; `games_on_file` fills one.

    python -m tests.bench.site_costs.pages_under_load --live http://127.0.0.1:8000 --seconds 30

measures the milliseconds until the last byte of each page of a site that runs, for instance while
`python -m tests.bench` plays 200 games on it.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

import httpx  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.core.handlers.asgi import ASGIHandler  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.urls import path  # noqa: E402

from accounts.models import User  # noqa: E402
from assets.collect import collect  # noqa: E402
from play.models import Game  # noqa: E402
from server.handler import OneThreadHandler  # noqa: E402

RUNS = 60
FORM = b"language=en&next=/"
HEADERS = {
    b"host": b"127.0.0.1",
    b"accept-encoding": b"gzip",
    b"content-type": b"application/x-www-form-urlencoded",
}
App = Callable[[Any, Any, Any], Awaitable[None]]


def bare(request: HttpRequest) -> HttpResponse:
    """The least that a view can do."""
    return HttpResponse(f"read {len(request.POST)} fields")


urlpatterns = [path("bare/", bare)]


async def ask(app: App, method: str, address: str, cookie: str = "") -> int:
    """Answers one request; returns the status."""
    statuses, body = [], FORM if method == "POST" else b""
    messages = iter([{"type": "http.request", "body": body}])
    headers = {**HEADERS, b"content-length": b"%d" % len(body), b"cookie": cookie.encode()}
    where, _, query = address.partition("?")

    async def receive() -> Mapping[str, Any]:
        return next(messages, None) or await asyncio.Event().wait()  # type: ignore[return-value]

    async def send(message: Mapping[str, Any]) -> None:
        statuses.append(message.get("status"))

    scope = {
        "type": "http",
        "method": method,
        "path": where,
        "query_string": query.encode(),
        "headers": list(headers.items()),
        "client": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)
    return int(statuses[0] or 0)


async def cost(app: App, method: str, address: str, cookie: str, runs: int) -> float:
    """The median CPU milliseconds of a request, of all threads."""
    spent = []
    for number in range(runs + 5):
        cache.clear()  # the counts of the rate limits
        began = time.process_time()
        status = await ask(app, method, address, cookie)
        if number >= 5:
            spent.append(time.process_time() - began)
        assert status in (200, 302), (address, status)
    return 1000 * median(spent)


def requests() -> Iterator[tuple[str, str, str]]:
    """Yields the visitor, the method and the address of each request."""
    over = Game.objects.filter(ended__isnull=False, is_public=True, step__gt=9).order_by("pk")
    game = [each.get_absolute_url() for each in over[:1]]
    for who in ("stranger", "reader"):
        yield who, "POST", "/language/setlang/"
        for address in ("/", "/watch/", "/learn/", "/learn/pincer/", "/about/", *game):
            yield who, "GET", address


def costs(runs: int) -> None:
    """Prints the table of CPU time."""
    collect()
    settings.ALLOWED_HOSTS = ["*"]
    browser = Client()
    browser.force_login(User.objects.get_or_create(username="Bench-reader")[0])
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    token = f"{settings.CSRF_COOKIE_NAME}={'a' * 32}"
    cookies = {
        "stranger": token,
        "reader": f"{token}; {settings.SESSION_COOKIE_NAME}={session}",
    }
    wanted = list(requests())
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[]):
        least = asyncio.run(cost(ASGIHandler(), "POST", "/bare/", "", runs))
    print(f"{'who':<9}{'CPU ms':>8}{'× bare':>8}  page\n{'':<9}{least:>8.2f}{1:>8.1f}  bare Django")
    site = site_handler()
    for who, method, address in wanted:
        spent = asyncio.run(cost(site, method, address, cookies[who], runs))
        print(f"{who:<9}{spent:>8.2f}{spent / least:>8.1f}  {method} {address}", flush=True)


def site_handler() -> App:
    """The site’s handler; requests carry the CSRF token of the cookie."""
    handler = OneThreadHandler()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["headers"] = [*scope["headers"], (b"x-csrftoken", b"a" * 32)]
        await handler(scope, receive, send)

    return app


async def waits(origin: str, seconds: float, rate: float) -> None:
    """Prints how long pages of a live site take, `rate` a second in all."""
    found: dict[str, list[float]] = {address: [] for address in ("/", "/watch/", "/learn/")}
    async with httpx.AsyncClient(base_url=origin, timeout=30) as client:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for address, times in found.items():
                began = time.monotonic()
                (await client.get(address)).raise_for_status()
                times.append(1000 * (time.monotonic() - began))
                await asyncio.sleep(1 / rate)
    for address, times in found.items():
        p95 = quantiles(times, n=20)[-1]
        print(f"{address:<10}{len(times):>6} views  p50 {median(times):.1f} ms  p95 {p95:.1f} ms")


def main() -> None:
    """Prints one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--live", default="", help="the origin of a site that runs")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2, help="views a second, below the limits")
    options = parser.parse_args()
    if options.live:
        asyncio.run(waits(options.live, options.seconds, options.rate))
    else:
        costs(options.runs)


if __name__ == "__main__":
    main()
