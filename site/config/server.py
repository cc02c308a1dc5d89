"""Daphne with what it lacks between its connections and the application."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from daphne.server import Server
from twisted.logger import globalLogPublisher

from config import backpressure
from config.claim import exit_if_claim_lost

PATIENCE = 10.0  # seconds for what is under way when the server is to end
log = logging.getLogger("quiver.server")


class BoundedServer(Server):  # type: ignore[misc]
    """Tells sockets of their line, and makes writers wait for readers; ends in order."""

    def __init__(self, application: Any, *args: Any, **kwargs: Any) -> None:
        backpressure.bind()
        self._ports: list[Any] = []
        warn_of_access_log(kwargs.pop("action_logger", None))
        kwargs["server_name"] = ""  # no Server header: it would name the software
        super().__init__(application, *args, **kwargs)

    def run(self) -> None:
        """Serve until told to end; raise SystemExit if the database's lock was lost.

        Failures in Twisted are logged, which Daphne drops.
        """
        globalLogPublisher.addObserver(log_failure)  # type: ignore[arg-type]
        super().run()
        exit_if_claim_lost()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Starts the application for a connection, and returns the queue of its events. Those of a
        websocket wait in its inlet, and its scope has what is known of it."""
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        scope |= {"asgi": {"version": "3.0"}, "line": protocol.line, "outlet": protocol.outlet}
        answer = self.application(scope, protocol.inlet.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(answer)
        return protocol.inlet

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Sends a message of the application as soon as the other end takes what was sent."""
        if message["type"] == "websocket.send":
            await protocol.outlet.wait()
        await super().handle_reply(protocol, message)

    def listen_success(self, port: Any) -> None:
        """Remembers the port, to close it before the connections."""
        self._ports.append(port)
        super().listen_success(port)

    async def drain(self, farewell: Callable[[], Awaitable[None]]) -> None:
        """Takes no new connection, says farewell, and answers the requests that are under way."""
        for port in self._ports:
            port.stopListening()
        ends = asyncio.gather(farewell(), self._answered())
        try:
            await asyncio.wait_for(ends, PATIENCE)
        except TimeoutError:
            log.warning("something was still under way after %d s", PATIENCE)

    async def _answered(self) -> None:
        while self.is_answering():  # noqa: ASYNC110 - Daphne tells nobody when one is done
            await asyncio.sleep(0.02)

    def is_answering(self) -> bool:
        """Whether some request has not been answered yet."""
        return any(
            not details["application_instance"].done()
            for protocol, details in self.connections.items()
            if "application_instance" in details
            and not isinstance(protocol, backpressure.BoundedProtocol)
        )

    def kill_all_applications(self) -> Any:
        """Ends what still runs. Connections that have asked for nothing yet run nothing."""
        self.connections = {
            protocol: details
            for protocol, details in self.connections.items()
            if "application_instance" in details
        }
        return super().kill_all_applications()


def warn_of_access_log(action_logger: Any) -> None:
    """Warn that Daphne's --access-log is ignored: its lines hold keys of private games and tokens
    from mails. `config.access_log` replaces it."""
    stream = getattr(action_logger, "stream", sys.stdout)
    if stream is not sys.stdout:  # not the default of Daphne's command line
        log.warning("Daphne's --access-log is ignored: its lines hold keys of private games")


def log_failure(event: Mapping[str, Any]) -> None:
    """Logs an exception that Twisted has caught; an observer of its log."""
    failure = event.get("log_failure")
    if failure is not None:
        error = (failure.type, failure.value, failure.getTracebackObject())
        log.error("an exception in a connection", exc_info=error, extra={"event": "exception"})
