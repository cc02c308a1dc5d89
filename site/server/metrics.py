"""Serve this process's metrics to Prometheus, on loopback alone: QUIVER_METRICS is the port."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.http.request import split_domain_port, validate_host
from prometheus_client import REGISTRY, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from play.runtime.open_sockets import every_open
from play.runtime.runtime import RUNNING
from server.local_hosts import LOCAL
from telemetry.counters import LOOP_LAG

LAG_INTERVAL_S = 0.5  # between two measurements of the event loop
ADDRESS = "127.0.0.1"
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
log = logging.getLogger("quiver.server")


class ProcessCollector(Collector):
    """Metrics that are read at each scrape."""

    def collect(self) -> Iterator[Any]:
        """Yield the metrics; called in the thread of the metrics server."""
        yield GaugeMetricFamily("quiver_sockets", "Open sockets", len(every_open()))
        yield GaugeMetricFamily("quiver_threads", "Threads", threading.active_count())
        buses = [runtime.bus for runtime in list(RUNNING.values())]
        deaf = any(each.is_disconnected for each in buses)
        lost = sum(each.lost_count for each in buses)
        yield GaugeMetricFamily("quiver_bus_deaf", "1 while other processes are not heard", deaf)
        yield CounterMetricFamily("quiver_bus_lost", "Messages that could not be sent", lost)


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
    """Serve the metrics on a port, unless it is 0; return whether they are served.

    A port that is not available is logged; the site runs without metrics then.
    """
    if not port:
        return False
    try:
        server, _ = start_http_server(port, addr=ADDRESS)
    except (OSError, OverflowError) as error:
        log.error("metrics cannot be served on port %s: %s", port, error)
        return False
    app = server.get_app()
    assert app is not None  # `start_http_server` has just set it
    server.set_app(answer_local_hosts(app))
    REGISTRY.register(ProcessCollector())
    return True


def answer_local_hosts(app: WsgiApp) -> WsgiApp:
    """Return a WSGI application that answers 403 unless the Host header names this machine.

    A web page in a browser on this machine could otherwise read the metrics by DNS rebinding: its
    own host name then leads to 127.0.0.1.
    """

    def guarded(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        host, _ = split_domain_port(environ.get("HTTP_HOST", ADDRESS))
        if validate_host(host, LOCAL):
            return app(environ, start_response)
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"Ask for 127.0.0.1 or localhost.\n"]

    return guarded
