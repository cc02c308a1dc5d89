"""Send encrypted pushes over HTTPS: the only module that imports pywebpush and its libraries.

pywebpush encrypts (RFC 8291) and signs (RFC 8292). Its own sender follows redirects, reads answers
of any length and connects to any address, so requests are made here, by the aiohttp that it
requires. aiohttp uses the resolver below: a name that resolves to a private address is refused, and
the connection goes to the address that was checked, under the certificate of the name.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from pywebpush import WebPusher

from notices.push.push_hosts import is_name, is_public

TIMEOUT_S = 10.0  # of a whole request
DRAIN_TIMEOUT_S = 2.0  # for the rest of an answer
MAX_ANSWER_BYTES = 4 * 1024  # more is not read, and the connection closed
TOKEN_LIFE_S = 12 * 3600  # RFC 8292 allows 24 h
TOKEN_USE_S = 6 * 3600  # a token is used again for so long
MAX_TOKENS = 500


class PrivateAddress(OSError):
    """A name resolves to an address that pushes are not sent to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a push service; status 0 if there was none, and `error` says why."""

    status: int
    retry_after_s: float | None = None
    error: str = ""
    is_private: bool = False  # the name resolved to a private address


class CheckedResolver(AbstractResolver):
    """Resolves names, and refuses one that has a private address among its addresses."""

    def __init__(
        self, inner: AbstractResolver | None = None, allows: Callable[[str], bool] = is_public
    ) -> None:
        self._inner = inner or ThreadedResolver()
        self._allows = allows

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name. Raises PrivateAddress."""
        found = await self._inner.resolve(host, port, family)
        if not found or not all(self._allows(each["host"]) for each in found):
            raise PrivateAddress(f"{host} has a private address")
        return found

    async def close(self) -> None:
        """Close the resolver that it asks."""
        await self._inner.close()


class PushTransport:
    """Encrypts, signs and posts; used in one event loop and closed by `close`."""

    def __init__(
        self,
        key: ec.EllipticCurvePrivateKey,
        contact: str,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._vapid = Vapid02(key)
        self._contact = contact
        self._tokens: dict[str, tuple[float, dict[str, str]]] = {}  # by origin of the service
        connector = aiohttp.TCPConnector(
            resolver=resolver or CheckedResolver(),
            ssl=tls or True,
            limit=0,  # the queue bounds the number of requests
            limit_per_host=0,
            ttl_dns_cache=30,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
            auto_decompress=False,
            trust_env=False,
        )

    async def post(
        self,
        endpoint: str,
        p256dh: str,
        auth: str,
        payload: bytes,
        headers: Mapping[str, str],
    ) -> Answer:
        """Send one push; return the answer of any status. Redirects are not followed."""
        parts = urlsplit(endpoint)
        if not is_name(parts.hostname or ""):
            return Answer(0, error="address in place of a name", is_private=True)
        try:
            keys = {"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}
            body = WebPusher(keys).encode(payload)["body"]
            sent = {
                **self._token(f"{parts.scheme}://{parts.netloc}"),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                **headers,
            }
            async with self._session.post(
                endpoint, data=body, headers=sent, allow_redirects=False
            ) as response:
                answer = Answer(response.status, retry_after(response.headers))
                await _drain(response)
                return answer
        except TimeoutError:
            return Answer(0, error="timeout")
        except aiohttp.ClientError as error:
            is_private = isinstance(error.__cause__, PrivateAddress)
            return Answer(0, error=type(error).__name__, is_private=is_private)
        except OSError as error:
            return Answer(0, error=type(error).__name__)

    def _token(self, audience: str) -> dict[str, str]:
        """Return the header Authorization for a push service."""
        at = time.time()
        made, token = self._tokens.get(audience, (0.0, {}))
        if not 0 <= at - made < TOKEN_USE_S:
            if len(self._tokens) >= MAX_TOKENS:
                self._tokens.clear()
            claims = {"sub": self._contact, "aud": audience, "exp": int(at) + TOKEN_LIFE_S}
            token = self._vapid.sign(claims)
            self._tokens[audience] = at, token
        return token

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read a short answer, so that the connection can be used again; close it on a longer or
    slower one. The status is known by then, so nothing is raised."""
    left = MAX_ANSWER_BYTES
    try:
        async with asyncio.timeout(DRAIN_TIMEOUT_S):
            while left > 0:
                chunk = await response.content.read(left)
                if not chunk:
                    return
                left -= len(chunk)
    except (TimeoutError, aiohttp.ClientError):
        pass  # closed below
    response.close()


def retry_after(headers: Mapping[str, Any]) -> float | None:
    """Return the seconds of the header Retry-After, a number or a date; None if it is neither."""
    text = str(headers.get("Retry-After", "")).strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
