"""The nginx configuration of site/server/deploy, run by a real nginx on loopback."""

import os
import re
import shutil
import signal
import socket
import subprocess
from contextlib import closing
from pathlib import Path

from tests.support.servers.server_process import ROOT, free_port
from tests.support.waiting import wait_until_sync

BINARY = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
KIT = ROOT / "site" / "server" / "deploy" / "nginx"
KIT_PORTS = ("8001", "8002")  # of the web processes in the kit's upstreams
NGINX_CONF = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{example}
}}
"""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that is signed by itself, and its key."""
    pem, key = folder / "own.pem", folder / "own.key"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=play.example.org", "-keyout", str(key), "-out", str(pem)]
    subprocess.run([*command, *names], check=True, capture_output=True, timeout=60)
    return pem, key


class Nginx:
    """The kit's proxy before two web processes; only ports, folders and certificate are put in."""

    host = "play.example.org"

    def __init__(self, folder: Path, ports: tuple[int, int]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        pem, key = certificate(folder)
        upstreams = (KIT / "upstreams.conf").read_text(encoding="utf-8")
        for old, new in zip(KIT_PORTS, ports, strict=True):
            upstreams = upstreams.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
        (folder / "quiver-upstreams.conf").write_text(upstreams)
        example = (KIT / "quiver.conf").read_text(encoding="utf-8")
        example = example.replace("listen 443 ", f"listen 127.0.0.1:{self.port} ")
        example = example.replace("listen 80;", f"listen 127.0.0.1:{self.plain_port};")
        example = example.replace("/var/cache/quiver-nginx", str(folder / "cache"))
        example = re.sub(r"(ssl_certificate +)\S+;", rf"\g<1>{pem};", example)
        example = re.sub(r"(ssl_certificate_key +)\S+;", rf"\g<1>{key};", example)
        for log in (self.access_log, self.error_log):
            example = example.replace(f"/var/log/nginx/{log.name}", str(log))
        self._conf = folder / "nginx.conf"
        self._conf.write_text(NGINX_CONF.format(folder=folder, example=example))
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def access_log(self) -> Path:
        """The access log in the kit's configuration."""
        return self.folder / "quiver.log"

    @property
    def error_log(self) -> Path:
        """The error log in the kit's configuration."""
        return self.folder / "quiver-error.log"

    @property
    def origin(self) -> str:
        """The address of the proxy; requests name `host` in their header."""
        return f"https://127.0.0.1:{self.port}"

    def check(self) -> str:
        """The errors of `nginx -t` in the configuration; empty if it is valid."""
        command = [str(BINARY), "-t", "-q", "-p", str(self.folder), "-c", str(self._conf)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.stderr if done.returncode else ""

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        command = [str(BINARY), "-p", str(self.folder), "-c", str(self._conf)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ})
        wait_until_sync(self._listens, "nginx listens")

    def _listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.process.communicate()[1].decode()
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Ends it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.communicate(timeout=20)


class PlainNginx(Nginx):
    """The documented proxy without TLS, for clients that speak `ws://`."""

    def __init__(self, folder: Path, ports: tuple[int, int]) -> None:
        super().__init__(folder, ports)
        conf = re.sub(r"(listen 127\.0\.0\.1:\d+) ssl;", r"\1;", self._conf.read_text())
        conf = re.sub(r" *ssl_certificate(_key)? +\S+;\n", "", conf)
        self._conf.write_text(conf.replace("worker_connections 256", "worker_connections 4096"))
