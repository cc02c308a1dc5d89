"""No client can set ASGI's `root_path`, under any supported server.

Daphne takes the header Daphne-Root-Path from anybody, and Django puts the root path before every
address that it makes, those in mails included.
"""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
import websockets

from tests.support.servers.any_server import KINDS
from tests.support.servers.server_process import Server, Visitor, post
from tests.support.sign_up_forms import new_account

pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]
FOREIGN = {"Daphne-Root-Path": "http://evil.example"}
PREFIX = {"Daphne-Root-Path": "/x"}


@pytest.fixture(scope="module", params=KINDS)
def site(request, shared_server_of) -> Server:
    """The site under each of the servers that we name."""
    return shared_server_of(request.param)


@pytest.fixture
def client(site) -> Iterator[httpx.Client]:
    """A visitor who asks for another root path with each request."""
    with httpx.Client(base_url=site.origin, trust_env=False, timeout=20) as client:
        client.headers.update(FOREIGN)
        yield client


def test_the_links_of_a_page_lead_nowhere_else(client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "evil.example" not in page.text
    assert "evil.example" not in str(page.headers)


def test_redirects_lead_nowhere_else(client) -> None:
    assert client.get("/watch").headers["Location"] == "/watch/"
    assert client.get("/password/").headers["Location"] == "/log-in/?next=/password/"


def test_mails_link_to_the_site_alone(site, client, shared_mails) -> None:
    shared_mails.mails.clear()
    new = new_account()
    address = f"{new['username']}@example.org"
    made = post(client, "/sign-up/", **new, email=address)
    assert made.headers["Location"] == "/"
    assert post(client, "/password/reset/", email=address).status_code == 302
    for part in ("/e-mail/", "/password/reset/"):
        own = f"http://localhost:{site.port}{part}"
        links = shared_mails.links(part)
        assert links and [link for link in links if not link.startswith(own)] == []
    assert "evil.example" not in "".join(shared_mails.texts)


@pytest.mark.parametrize("path", ["/x/admin/", "/x/", "/x/readyz"])
def test_a_client_root_path_is_not_stripped_from_the_path(client, path) -> None:
    assert client.get(path, headers=PREFIX).status_code == 404
    assert client.get("/log-in/", headers=PREFIX).status_code == 200


@pytest.mark.parametrize("value", [b"\xff", b"%ff", b"", b"/x/" * 2_000])
def test_a_value_that_is_no_path_does_no_harm(site, value) -> None:
    headers = [(b"Daphne-Root-Path", value)]
    assert httpx.get(f"{site.origin}/log-in/", headers=headers, trust_env=False).status_code == 200


async def test_sockets_are_found_at_their_own_address_alone(site) -> None:
    def socket(path: str, headers: dict[str, str]):
        address = f"ws://127.0.0.1:{site.port}{path}"
        return websockets.connect(
            address, origin=site.origin, additional_headers=headers, proxy=None
        )

    for headers in (FOREIGN, PREFIX, {}):
        async with socket("/ws/", headers) as page:
            await page.send('{"t": "ping"}')
            assert await asyncio.wait_for(page.recv(), 10)
        with pytest.raises(websockets.InvalidStatus):
            await socket("/x/ws/", headers)


async def test_people_who_send_the_header_still_play(site) -> None:
    visitor = Visitor(site)
    visitor.client.headers.update(FOREIGN)
    lobby = await visitor.post(
        "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
    )
    assert lobby.startswith("/l/")
    page = await visitor.get(lobby)
    assert "evil.example" not in page.text
    await visitor.client.aclose()
