"""A push service on loopback, with TLS and a certificate of its own: accepts, fails and hangs.

The site has no setting that lets it send to loopback. Tests and the bench give the runner a
transport whose resolver maps the name of this server to it.
"""

import asyncio
import datetime
import random
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from notices.push import keys
from notices.push.transport import PushTransport

HOST = "push.example.org"
HANG_S = 60.0  # longer than the site waits


def write_certificate(folder: Path, host: str = HOST) -> Path:
    """Write a certificate with its key, signed by itself; return its path."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=9))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


@dataclass
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float  # s since the epoch


@dataclass
class PushServer:
    """The server; `answer` decides about each request: a status, or -1 to hang after accepting."""

    certificate: Path
    answer: Callable[[Received], int] = lambda received: 201
    headers: dict[str, str] = field(default_factory=dict)  # of all answers
    body: bytes = b""
    requests: list[Received] = field(default_factory=list)
    shown: Counter[tuple[str, str]] = field(default_factory=Counter)  # by path and tag
    first_shown: dict[tuple[str, str], float] = field(default_factory=dict)
    port: int = 0
    is_keeping: bool = True  # requests are kept, not only counted

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.certificate)
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=tls)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening."""
        await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        received = Received(request.path, dict(request.headers), await request.read(), time.time())
        if self.is_keeping:
            self.requests.append(received)
        status = self.answer(received)
        if status == -1 or 200 <= status < 300:
            shown = received.path, received.headers.get("Topic", "")
            self.shown[shown] += 1
            self.first_shown.setdefault(shown, received.at)
        if status == -1:
            await asyncio.sleep(HANG_S)
        return web.Response(status=max(status, 200), headers=self.headers, body=self.body)


def fails_and_hangs(fails: float, hangs: float, seed: int) -> Callable[[Received], int]:
    """Return an `answer` that fails with 500, or hangs after accepting, with these shares."""
    chance = random.Random(seed)

    def answer(received: Received) -> int:
        drawn = chance.random()
        return 500 if drawn < fails else -1 if drawn < fails + hangs else 201

    return answer


class OnlyHere(AbstractResolver):
    """Resolves every name to a port of loopback."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return loopback."""
        return [
            ResolveResult(
                hostname=host, host="127.0.0.1", port=self.port, family=socket.AF_INET, proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]  # fmt: skip

    async def close(self) -> None:
        """Do nothing."""


def transport_to(port: int, certificate: Path) -> PushTransport:
    """Return a transport that reaches such a server, under the names of its certificate."""
    tls = ssl.create_default_context(cafile=str(certificate))
    key = keys.parse_private(keys.make_private())
    return PushTransport(key, "mailto:keeper@example.org", OnlyHere(port), tls)


def browser_keys() -> tuple[str, str, ec.EllipticCurvePrivateKey]:
    """Return the keys of a browser's subscription, and the private one."""
    private = ec.generate_private_key(ec.SECP256R1())
    return keys.public_text(private), keys.encode_base64url(b"a" * keys.AUTH_BYTES), private
