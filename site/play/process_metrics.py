"""Metrics of a process that runs a game service: web processes and workers alike."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

from django.db import connection
from prometheus_client import REGISTRY
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from play.runtime.open_sockets import every_open
from play.runtime.runtime import RUNNING
from telemetry.counters import LOOP_LAG
from telemetry.exporter import serve_metrics

LAG_INTERVAL_S = 0.5  # between two measurements of the event loop


class ProcessCollector(Collector):
    """Metrics that are read at each scrape, without a query."""

    def collect(self) -> Iterator[Any]:
        """Yield the metrics; called in the thread of the metrics server."""
        yield GaugeMetricFamily("quiver_sockets", "Open sockets", len(every_open()))
        yield GaugeMetricFamily("quiver_threads", "Threads", threading.active_count())
        games = sum(each.games.count_live_games() for each in list(RUNNING.values()))
        yield GaugeMetricFamily("quiver_live_games", "Running games in this process's cache", games)
        yield from pool_metrics()


def pool_metrics() -> Iterator[Any]:
    """Yield the metrics of this process's pool of connections; zeros on SQLite, which has none.

    They are psycopg_pool's own statistics. Neither a connection is opened nor a query made.
    """
    pool = connection.pool if connection.vendor == "postgresql" else None  # type: ignore[attr-defined]
    stats: dict[str, int] = pool.get_stats() if pool is not None else {}
    size, waiting = stats.get("pool_size", 0), stats.get("requests_waiting", 0)
    yield GaugeMetricFamily("quiver_pool_connections", "Connections to the database", size)
    yield GaugeMetricFamily("quiver_pool_waiting", "Threads that wait for a connection", waiting)
    waits, failures = stats.get("requests_queued", 0), stats.get("requests_errors", 0)
    waited_s = stats.get("requests_wait_ms", 0) / 1000
    yield CounterMetricFamily("quiver_pool_waits", "Requests that waited for a connection", waits)
    yield CounterMetricFamily("quiver_pool_wait_seconds", "Time waited for connections", waited_s)
    yield CounterMetricFamily("quiver_pool_failures", "Requests without a connection", failures)


class LoopWatch:
    """Measures the lag of the event loop."""

    def __init__(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_INTERVAL_S
            await asyncio.sleep(LAG_INTERVAL_S)
            LOOP_LAG.record(max(0.0, loop.time() - due))


def start(port: int) -> bool:
    """Serve the metrics of this process on a port of loopback; return whether they are served."""
    if not serve_metrics(port):
        return False
    REGISTRY.register(ProcessCollector())
    return True
