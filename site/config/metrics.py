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

from config.addresses import LOCAL
from play.bus import bus
from play.mailbox import every_open
from play.meters import LOOP_LAG
from play.perloop import per_loop

EVERY = 0.5  # seconds between two looks at the loop
ADDRESS = "127.0.0.1"
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
log = logging.getLogger("quiver.server")


class Standing(Collector):
    """What is so at the moment, looked up when somebody asks."""

    def collect(self) -> Iterator[Any]:
        """The figures; called from the thread that answers."""
        yield GaugeMetricFamily("quiver_sockets", "Open sockets", len(every_open()))
        yield GaugeMetricFamily("quiver_threads", "Threads", threading.active_count())
        buses = [each for _, each in bus.every()]
        deaf = any(each.is_deaf for each in buses)
        lost = sum(each.lost for each in buses)
        yield GaugeMetricFamily("quiver_bus_deaf", "1 while other processes are not heard", deaf)
        yield CounterMetricFamily("quiver_bus_lost", "Messages that could not be sent", lost)


class Watch:
    """Measures how late the event loop is."""

    def __init__(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            LOOP_LAG.saw(max(0.0, loop.time() - due))


watch = per_loop(Watch)


def start(port: int) -> bool:
    """Shows the figures on a port, if it is not 0; one that cannot be had is said, no more."""
    if not port:
        return False
    try:
        server, _ = start_http_server(port, addr=ADDRESS)
    except (OSError, OverflowError) as error:
        log.error("no figures are shown on port %s: %s", port, error)
        return False
    server.set_app(answer_local_hosts(server.get_app()))
    REGISTRY.register(Standing())
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
