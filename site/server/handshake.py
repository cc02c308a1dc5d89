"""Translate a WebSocket handshake to an ASGI scope, and ASGI answers to HTTP responses. Pure."""

from collections.abc import Iterable, Mapping
from email.utils import formatdate
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

Message = Mapping[str, Any]
# Denials carry a status and a body (ASGI's extension "WebSocket Denial Response").
EXTENSIONS: Mapping[str, dict[str, Any]] = {"websocket.http.response": {}}
BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 12\r\nConnection: close\r\n\r\nBad Request\n"
)


def websocket_scope(request: Request) -> dict[str, Any]:
    """Return the ASGI scope of a handshake, without its addresses.

    Header names with an underscore are dropped: gateways confuse it with "-" (CVE-2015-0219).
    """
    raw_path, _, query_string = request.path.partition("?")
    return {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "root_path": "",
        "path": unquote(raw_path),
        "raw_path": raw_path.encode("ascii"),
        "query_string": query_string.encode("ascii"),
        "headers": [
            (name.lower().encode("ascii"), value.encode("latin-1"))
            for name, value in request.headers.raw_items()
            if "_" not in name
        ],
        "subprotocols": [
            token.strip()
            for value in request.headers.get_all("Sec-WebSocket-Protocol")
            for token in value.split(",")
        ],
        "extensions": {**EXTENSIONS},
    }


def header_lines(head: bytes) -> list[tuple[bytes, bytes]]:
    """Return the header lines of a request's head as ASGI has them, without checks."""
    lines = [line.partition(b":") for line in head.split(b"\r\n")[1:] if line]
    return [(name.lower(), value.strip()) for name, _, value in lines]


def complete_acceptance(response: Response, message: Message) -> None:
    """Add the headers and the subprotocol of `websocket.accept` to the response 101."""
    del response.headers["Date"]
    for name, value in message.get("headers", ()):
        response.headers[name.decode("latin-1")] = value.decode("latin-1")
    if subprotocol := message.get("subprotocol"):
        response.headers["Sec-WebSocket-Protocol"] = subprotocol


def denial(status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> Response:
    """Return the response to a handshake that is refused; the connection closes after it."""
    names = Headers({"Date": formatdate(usegmt=True)})
    for name, value in headers:
        if name.lower() not in (b"content-length", b"connection"):
            names[name.decode("latin-1")] = value.decode("latin-1")
    names["Content-Length"] = str(len(body))
    names["Connection"] = "close"
    return Response(status, HTTPStatus(status).phrase, names, body)
