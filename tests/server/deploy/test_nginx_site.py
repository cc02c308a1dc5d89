"""The nginx configuration of site/server/deploy before two web processes."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.servers.nginx import BINARY, Nginx
from tests.support.servers.server_process import Server, post
from tests.support.sign_up_forms import NEW

pytestmark = [
    pytest.mark.embedded("on one SQLite file"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(BINARY is None, reason="needs nginx (apt install nginx)"),
]
ADDRESS = "magnus@example.org"
PREFIXES = ["http://evil.example", "/x"]


class Site:
    """Two web processes, each on a folder of its own, behind the kit's proxy."""

    def __init__(self, folder, mails: MailServer) -> None:
        about = {"QUIVER_TLS": "1", "QUIVER_HOSTS": Nginx.host, "QUIVER_MAIL_URL": mails.url}
        self.mails = mails
        self.servers = [Server(folder / name, environment=about) for name in ("one", "two")]
        for server in self.servers:
            server.data.mkdir(mode=0o700)
        self.proxy = Nginx(folder / "nginx", tuple(server.port for server in self.servers))

    def client(self, proxy: Nginx | None = None) -> httpx.Client:
        """A visitor who comes through the site's proxy, or another one."""
        about = {"Host": Nginx.host, "Referer": f"https://{Nginx.host}/new/"}
        origin = (proxy or self.proxy).origin
        return httpx.Client(base_url=origin, headers=about, verify=False, timeout=20)


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


def test_mails_link_to_the_named_host_whatever_the_headers_say(site, tmp_path) -> None:
    first = site.servers[0].port  # so that all requests reach the same database
    proxy = Nginx(tmp_path / "nginx", (first, first))
    proxy.start()
    try:
        for number, prefix in enumerate(PREFIXES):
            with site.client(proxy) as client:
                client.headers["Daphne-Root-Path"] = prefix
                address = f"{number}{ADDRESS}"
                new = {**NEW, "username": f"magnus{number}", "email": address}
                assert post(client, "/sign-up/", **new).headers["Location"] == "/"
                assert post(client, "/password/reset/", email=address).status_code == 302
    finally:
        proxy.stop()
    assert len(site.mails.mails) == 2 * len(PREFIXES)  # to confirm, and to reset
    links = site.mails.links("")
    assert {link.split("/")[2] for link in links} == {Nginx.host}
    assert [link for link in links if "/x/" in link] == []


@pytest.mark.parametrize(
    ("path", "size", "is_taken"),
    [("/log-in/", 60_000, True), ("/log-in/", 70_000, False), ("/studies/import", 500_000, True),
     ("/studies/import", 600_000, False)],
)  # fmt: skip
def test_the_size_of_a_body_is_bounded_by_its_route(site, path, size, is_taken) -> None:
    with site.client() as client:
        status = client.post(path, content=b"x" * size).status_code
        assert (status != 413) == is_taken, status


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


def test_its_logs_hold_no_key_token_or_name(site) -> None:
    word = "kumquat-marmalade"
    site.mails.mails.clear()
    for server in site.servers[1:]:  # so that all requests reach the same database
        server.kill()
    try:
        with site.client() as client:
            new = {**NEW, "username": "hikaru", "email": "hikaru@example.org"}
            assert post(client, "/sign-up/", **new).status_code == 302
            link = site.mails.links("/e-mail/")[0]
            form = {"game": "pincer", "side": "white", "visibility": "link", "clock": "none"}
            lobby = post(client, "/lobbies/", **form).headers["Location"]
            with site.client() as other:
                game = post(other, f"{lobby}sit/").headers["Location"]
            paths = [
                f"{lobby}?{word}", game, f"{game}record.json", f"{game}picture.png", "/u/hikaru/",
                httpx.URL(link).path, f"/password/reset/1-{word}/", f"/{word}/", f"/ws{game[2:]}",
                f"/ws{game}", f"/%67{game[2:]}", f"//g{game[2:]}", f"/x/..{game}",
                "/healthz", "/watch/?page=1", f"/static/{word}",
            ]  # fmt: skip
            for path in paths:
                client.get(path, headers={"Referer": f"https://{site.proxy.host}{game}"})
            client.request(word.replace("-", "").upper(), "/")
            client.get(f"/{'x' * 9000}{word}")  # nginx refuses it itself
            site.servers[0].kill()
            assert client.get(game).status_code == 502
    finally:
        for server in site.servers:
            asyncio.run(server.start())
    logged = site.proxy.access_log.read_text() + site.proxy.error_log.read_text()
    keys = [lobby.split("/")[2], game.split("/")[2], link.split("/")[4], word, "hikaru", "KUMQUAT"]
    assert [line for line in logged.splitlines() for key in keys if key in line] == []
    kept = ("GET /g/* 200", "GET /g/* 502", "POST /lobbies/ 302", "GET /u/* 200", "GET /* 404")
    for told in kept:
        assert told in logged, told


def test_it_does_not_tell_its_version(site) -> None:
    with site.client() as client:
        assert client.get("/").headers.get("Server", "nginx") == "nginx"


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
