"""The README's nginx configuration before two web processes."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest
from mail_server import MailServer, mail_server
from newcomers import NEW
from real_nginx import BINARY, Nginx
from real_server import Server, post

pytestmark = [
    pytest.mark.embedded("on one SQLite file"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(BINARY is None, reason="needs nginx (apt install nginx)"),
]
ADDRESS = "magnus@example.org"
PREFIXES = ["http://evil.example", "/x"]


class Site:
    """Two web processes, each on a folder of its own, behind the README's proxy."""

    def __init__(self, folder, mails: MailServer) -> None:
        about = {"QUIVER_TLS": "1", "QUIVER_HOSTS": Nginx.host, "QUIVER_MAIL_URL": mails.url}
        self.mails = mails
        self.servers = [Server(folder / name, environment=about) for name in ("one", "two")]
        for server in self.servers:
            server.data.mkdir(mode=0o700)
        self.proxy = Nginx(folder / "nginx", tuple(server.port for server in self.servers))

    def client(self) -> httpx.Client:
        """A visitor who comes through the proxy."""
        about = {"Host": self.proxy.host, "Referer": f"https://{self.proxy.host}/new/"}
        return httpx.Client(base_url=self.proxy.origin, headers=about, verify=False, timeout=20)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """Both processes and the proxy, running."""
    with mail_server() as mails, ExitStack() as stack:
        site = Site(tmp_path_factory.mktemp("proxy"), mails)
        for server in site.servers:
            stack.callback(server.kill)
            asyncio.run(server.start())
        site.proxy.start()
        stack.callback(site.proxy.stop)
        yield site


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_client_cannot_choose_the_root_path_through_it(site, prefix) -> None:
    with site.client() as client:
        client.headers["Daphne-Root-Path"] = prefix
        page = client.get("/")
        assert page.status_code == 200
        assert f'"{prefix}/' not in page.text
        assert client.get("/watch").headers["Location"] == "/watch/"
        assert client.get("/x/admin/").status_code == 404


def test_mails_link_to_the_named_host_whatever_the_headers_say(site) -> None:
    for server in site.servers[1:]:  # so that all requests reach the same database
        server.kill()
    try:
        for number, prefix in enumerate(PREFIXES):
            with site.client() as client:
                client.headers["Daphne-Root-Path"] = prefix
                address = f"{number}{ADDRESS}"
                new = {**NEW, "username": f"magnus{number}", "email": address}
                assert post(client, "/sign-up/", **new).headers["Location"] == "/"
                assert post(client, "/password/reset/", email=address).status_code == 302
    finally:
        for server in site.servers[1:]:
            asyncio.run(server.start())
    assert len(site.mails.mails) == 2 * len(PREFIXES)  # to confirm, and to reset
    links = site.mails.links("")
    assert {link.split("/")[2] for link in links} == {Nginx.host}
    assert [link for link in links if "/x/" in link] == []


def test_people_are_let_in_at_once_when_both_processes_are_up_again(site) -> None:
    for server in site.servers:
        server.kill()
    with site.client() as client:
        for _ in range(4):
            assert client.get("/log-in/").status_code == 502
        for server in site.servers:
            asyncio.run(server.start())
        assert [client.get("/log-in/").status_code for _ in range(4)] == [200] * 4


def test_people_notice_nothing_while_one_process_is_down(site) -> None:
    site.servers[0].kill()
    try:
        with site.client() as client:
            assert [client.get("/log-in/").status_code for _ in range(12)] == [200] * 12
    finally:
        asyncio.run(site.servers[0].start())


def test_the_proxy_passes_no_root_path_on(tmp_path) -> None:
    passed_on = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            passed_on.append(self.headers)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *about: object) -> None:
            """Nothing is logged."""

    with HTTPServer(("127.0.0.1", 0), Recorder) as upstream, ExitStack() as stack:
        threading.Thread(target=upstream.serve_forever, daemon=True).start()
        stack.callback(upstream.shutdown)
        proxy = Nginx(tmp_path / "nginx", (upstream.server_port, upstream.server_port))
        proxy.start()
        stack.callback(proxy.stop)
        sent = {"Host": proxy.host, "Daphne-Root-Path": "/x", "Accept": "text/html"}
        answer = httpx.get(proxy.origin, headers=sent, verify=False, trust_env=False)
    assert answer.status_code == 204
    (headers,) = passed_on
    assert headers["Accept"] == "text/html" and headers["X-Forwarded-Proto"] == "https"
    assert "Daphne-Root-Path" not in headers
