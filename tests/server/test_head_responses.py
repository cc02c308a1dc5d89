"""Responses to HEAD, and those that have no content by their status, are sent without a body."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase

from server.handler import remove_content

LARGE = b"x" * 200_000  # Django sends it in parts of 64 KiB


async def body_of(response: HttpResponseBase) -> bytes:
    """The bytes that Django sends as the body of a response."""
    parts: list[bytes] = []

    async def send(message: dict[str, Any]) -> None:
        parts.append(message.get("body", b""))

    await ASGIHandler().send_response(response, send)
    return b"".join(parts)


@pytest.mark.parametrize(
    "response",
    [HttpResponse(LARGE), StreamingHttpResponse([LARGE, LARGE]), HttpResponseNotModified()],
)
async def test_no_part_of_a_removed_content_is_sent(response) -> None:
    remove_content(response)
    assert await body_of(response) == b""


async def test_the_length_of_a_response_stays_that_of_a_get() -> None:
    response = HttpResponse(LARGE, headers={"Content-Length": str(len(LARGE))})
    remove_content(response)
    assert response["Content-Length"] == str(len(LARGE))


@pytest.mark.django_db  # closing a response closes old connections
def test_a_stream_that_is_not_read_is_closed() -> None:
    closed: list[bool] = []

    def rows() -> Iterator[bytes]:
        try:
            yield LARGE
        finally:
            closed.append(True)

    stream = rows()
    next(stream)
    response = StreamingHttpResponse(stream)
    remove_content(response)
    response.close()
    assert closed == [True]
