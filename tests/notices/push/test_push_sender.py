"""Pushes over HTTPS to a push server on loopback: headers, encryption, answers, time-outs."""

import asyncio
import gzip
import json
import time
import tracemalloc

import http_ece
import pytest

from notices.push import keys, transport
from tests.support.servers.push_server import (
    HOST,
    PushServer,
    browser_keys,
    transport_to,
    write_certificate,
)

HEADERS = {"TTL": "60", "Urgency": "high", "Topic": "abc"}


@pytest.fixture
async def server(tmp_path):
    server = PushServer(write_certificate(tmp_path))
    await server.start()
    yield server
    await server.stop()


async def post(server, endpoint=f"https://{HOST}/one", client=None):
    """Post one push; the answer."""
    p256dh, auth, _ = client or browser_keys()
    sender = transport_to(server.port, server.certificate)
    try:
        return await sender.post(endpoint, p256dh, auth, b'{"v":1}', HEADERS)
    finally:
        await sender.close()


async def test_a_push_is_encrypted_for_the_browser_and_signed_by_the_site(server) -> None:
    p256dh, auth, private = browser_keys()
    assert (await post(server, client=(p256dh, auth, private))).status == 201
    [received] = server.requests
    assert (received.headers["TTL"], received.headers["Urgency"]) == ("60", "high")
    assert received.headers["Topic"] == "abc"
    assert received.headers["Content-Encoding"] == "aes128gcm"
    assert received.headers["Authorization"].startswith("vapid t=")
    secret = keys.decode_base64url(auth)
    text = http_ece.decrypt(
        received.body, private_key=private, auth_secret=secret, version="aes128gcm"
    )
    assert json.loads(text) == {"v": 1}
    assert b'"v"' not in received.body


async def test_the_signature_names_the_push_service_and_the_operator(server) -> None:
    await post(server)
    token = server.requests[0].headers["Authorization"].split("t=")[1].split(",")[0]
    claims = json.loads(keys.decode_base64url(token.split(".")[1]))
    assert claims["aud"] == f"https://{HOST}"
    assert claims["sub"] == "mailto:keeper@example.org"
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600


@pytest.mark.parametrize("status", [200, 201, 202, 404, 410, 413, 429, 500, 503])
async def test_the_status_is_told(server, status) -> None:
    server.answer = lambda received: status
    assert (await post(server)).status == status


async def test_a_redirect_is_not_followed(server) -> None:
    server.answer = lambda received: 307
    server.headers = {"Location": f"https://{HOST}/elsewhere"}
    assert (await post(server)).status == 307
    assert [each.path for each in server.requests] == ["/one"]


async def test_a_long_answer_is_not_read_to_its_end(server) -> None:
    server.body = b"x" * 20_000_000
    start = time.monotonic()
    assert (await post(server)).status == 201
    assert time.monotonic() - start < 5


async def test_a_packed_answer_is_not_unpacked(server) -> None:
    server.headers = {"Content-Encoding": "gzip"}
    server.body = gzip.compress(bytes(200_000_000), 1)
    tracemalloc.start()
    try:
        assert (await post(server)).status == 201
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


async def test_an_answer_with_too_long_headers_is_an_error_to_try_again(server) -> None:
    server.headers = {"X-Long": "x" * 100_000}
    answer = await post(server)
    assert (answer.status, answer.is_private) == (0, False)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("way", ["http://127.0.0.1/", "https://[::1]/", "//10.0.0.1/", "file:///"])
async def test_no_redirect_leads_inside(server, status, way) -> None:
    server.answer, server.headers = lambda received: status, {"Location": way}
    assert (await post(server)).status == status
    assert len(server.requests) == 1


@pytest.mark.parametrize("text, seconds", [("7", 7.0), ("0", 0.0), ("-1", None), ("soon", None)])
async def test_the_wait_that_is_asked_for_is_told(server, text, seconds) -> None:
    server.answer, server.headers = lambda received: 429, {"Retry-After": text}
    assert (await post(server)).retry_after_s == seconds


def test_the_wait_may_be_a_date() -> None:
    assert transport.retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


async def test_a_service_that_hangs_is_left_after_the_time_out(server, monkeypatch) -> None:
    server.answer = lambda received: -1
    p256dh, auth, _ = browser_keys()
    monkeypatch.setattr(transport, "TIMEOUT_S", 0.5)
    sender = transport_to(server.port, server.certificate)
    start = time.monotonic()
    answer = await sender.post(f"https://{HOST}/one", p256dh, auth, b"{}", HEADERS)
    assert (answer.status, answer.error) == (0, "timeout")
    assert time.monotonic() - start < 5
    await sender.close()


async def test_a_certificate_of_another_name_is_refused(server) -> None:
    answer = await post(server, "https://fcm.googleapis.com/one")
    assert answer.status == 0
    assert "Certificate" in answer.error
    assert not server.requests


async def test_a_service_that_is_not_there_is_an_error_to_try_again(server) -> None:
    await server.stop()
    answer = await post(server)
    assert (answer.status, answer.is_private) == (0, False)


async def test_a_signature_is_used_again(server) -> None:
    p256dh, auth, _ = browser_keys()
    sender = transport_to(server.port, server.certificate)
    for _ in range(3):
        await sender.post(f"https://{HOST}/one", p256dh, auth, b"{}", HEADERS)
    await asyncio.sleep(0)
    assert len({each.headers["Authorization"] for each in server.requests}) == 1
    await sender.close()
