"""Metrics: HTTP by route, commits, limits, log-ins, games and workers; no user's data in them."""

import re

import httpx
import pytest
from django.db import connection
from prometheus_client import REGISTRY
from prometheus_client.registry import CollectorRegistry

from accounts.limits.rate_limits import Limit, TooOften, spend
from config.management.commands.serve import worker_commands
from play.process_metrics import ProcessCollector
from server.access_log import AccessLog, http_route
from tests.support.servers.server_process import (
    Server,
    Visitor,
    free_ports_in_a_row,
    start_game,
)
from tests.support.waiting import wait_until

NEXT_PORT = ("--metrics", "9201")


def value(name: str, **labels: str) -> float:
    """A sample of this process's registry; 0 before its first observation."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_requests_are_counted_by_name_of_the_route_and_class_of_the_status() -> None:
    about = {"route": "game", "method": "GET", "status": "4xx"}
    before = value("quiver_http_seconds_count", **about)

    async def missing(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    transport = httpx.ASGITransport(app=AccessLog(missing))
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as browser:
        await browser.get("/g/0123456789abcdefghijkl/")
    assert value("quiver_http_seconds_count", **about) == before + 1


@pytest.mark.parametrize(
    ("path", "name"),
    [("/healthz", "healthz"), ("/static/site.css", "static"), ("/g/secret/", "game"), ("/x", "-")],
)
def test_a_path_is_never_a_label(path, name) -> None:
    assert http_route({"path": path})[0] == name


def test_what_a_limit_refuses_is_counted_by_its_name(db) -> None:
    limit = Limit("metrics-test", 1, 1)
    spend(limit, None, "192.0.2.7")
    assert value("quiver_rate_limited_total", limit=limit.name) == 0
    with pytest.raises(TooOften):
        spend(limit, None, "192.0.2.7")
    assert value("quiver_rate_limited_total", limit=limit.name) == 1


async def test_running_games_and_commits_are_counted(table, at_work) -> None:
    from play.domain.clocks import now
    from play.domain.commands import Resign
    from play.runtime import game_commands
    from tests.support.loop_runtime import game_service

    registry = CollectorRegistry()
    registry.register(ProcessCollector())
    running = "quiver_live_games"
    before, commits = registry.get_sample_value(running), value("quiver_commit_seconds_count")
    game = await table("pincer")
    live = await game_service().find(game.slug)
    assert registry.get_sample_value(running) == before + 1
    user = live.people["white"].user
    await game_commands.perform(game_service(), game.slug, user, Resign("r"), now())
    assert registry.get_sample_value(running) == before
    assert value("quiver_commit_seconds_count") == commits + 1
    has_pool = connection.vendor == "postgresql"
    assert (registry.get_sample_value("quiver_pool_connections") > 0) == has_pool


def test_workers_of_one_server_have_the_ports_above_its_own(settings) -> None:
    settings.BOTS = settings.NOTICES = 1
    bots, notices = worker_commands(9200)
    assert bots[0] == "runbots" and bots[-2:] == NEXT_PORT
    assert notices[:3] == ("runnotices", "--origin", settings.ORIGIN) and notices[-1] == "9202"
    for port in (0, 65535):
        assert {each[-1] for each in worker_commands(port)} == {"0"}


async def scrape(port: int, names: tuple[str, ...]) -> str:
    """Poll the metrics of a process until they contain all names; return their text."""
    async with httpx.AsyncClient(trust_env=False) as prometheus:

        async def told() -> str:
            try:
                text = (await prometheus.get(f"http://127.0.0.1:{port}/metrics")).text
            except httpx.TransportError:
                return ""
            return text if all(name in text for name in names) else ""

        return await wait_until(told, f"port {port} tells {names}", timeout_s=60)


@pytest.mark.processes
async def test_a_server_and_its_workers_tell_figures_without_a_key_or_name(tmp_path) -> None:
    port = free_ports_in_a_row(3)  # of the server, its worker and its notices
    about = {"QUIVER_METRICS": str(port), "QUIVER_NOTICES": "1"}
    server = Server(tmp_path, bots=1, environment=about)
    await server.start()
    try:
        white, black = Visitor(server), Visitor(server)
        address = await start_game(white, black, "pincer", "none")
        await white.get(address)
        route = 'quiver_http_seconds_count{method="GET",route="game",status="2xx"} 1.0'
        web = await scrape(port, (route, "quiver_live_games "))
        for worker in (port + 1, port + 2):
            text = await scrape(worker, ("quiver_loop_lag_seconds ", "quiver_live_games "))
            assert "process_resident_memory_bytes" in text
        assert address.strip("/").split("/")[-1] not in web
        labels = re.findall(r'route="([^"]*)"', web)
        assert labels and not [label for label in labels if "/" in label]
    finally:
        await server.stop()
    assert "Traceback" not in server.log_path.read_text()


def test_a_refused_log_in_is_counted(db, client) -> None:
    before = value("quiver_logins_refused_total")
    for _ in range(7):
        client.post("/log-in/", {"login": "nobody-of-the-metrics", "password": "wrong"})
    assert value("quiver_logins_refused_total") == before + 2
