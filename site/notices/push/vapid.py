"""The site's VAPID key (RFC 8292): one for all machines, in the database or in QUIVER_VAPID.

The private part is encrypted with a key derived from SECRET_KEY, so that a copy of the database
alone cannot send pushes. Pages get the public part, which each process remembers for a minute.
"""

import logging
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.two_factor.encryption import make_cipher
from notices.models import VapidKey
from notices.push import keys

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

PURPOSE = b"quiver: web push"  # separates this key from other uses of Django's secret key
ROW = 1
MEMORY_S = 60.0  # for which a process remembers the public key
HAS_LIBRARY = find_spec("pywebpush") is not None  # the extra `push`
log = logging.getLogger("quiver.notices")
_public: tuple[float, str] | None = None  # when it was read (monotonic, s), and the key


def is_push_on() -> bool:
    """Return whether this machine can send pushes: the extra `push` is installed."""
    return HAS_LIBRARY


def public_key() -> str:
    """Return the public key for pages; empty where push is off.

    That is also before a process of the notices has made the key: a page writes nothing.
    """
    global _public
    if not is_push_on():
        return ""
    at = time.monotonic()
    if _public is None or not _public[1] or at - _public[0] > MEMORY_S:
        own = settings.VAPID
        _public = at, keys.public_text(keys.parse_private(own)) if own else _stored_public()
    return _public[1]


def forget_public_key() -> None:
    """Read the public key again at its next use."""
    global _public
    _public = None


def private_key() -> "EllipticCurvePrivateKey":
    """Return the private key. Raises ImproperlyConfigured if it was stored under another
    SECRET_KEY."""
    from cryptography.fernet import InvalidToken

    if settings.VAPID:
        return keys.parse_private(settings.VAPID)
    try:
        return keys.parse_private(make_cipher(PURPOSE).decrypt(make_key().private).decode())
    except InvalidToken:
        raise ImproperlyConfigured(
            "The key of push notifications cannot be decrypted: the site's secret key has changed "
            "since it was made. Use the old QUIVER_SECRET, or run `manage.py resetpush`."
        ) from None


def _stored_public() -> str:
    return VapidKey.objects.filter(pk=ROW).values_list("public", flat=True).first() or ""


def make_key() -> VapidKey:
    """Return the stored key, made by the first process that posts."""
    row = VapidKey.objects.filter(pk=ROW).first()
    if row is None:
        private = keys.make_private()
        made = {
            "private": make_cipher(PURPOSE).encrypt(private.encode()).decode("ascii"),
            "public": keys.public_text(keys.parse_private(private)),
        }
        row, is_new = VapidKey.objects.get_or_create(pk=ROW, defaults=made)
        if is_new:
            log.info("a key for push notifications was made", extra={"event": "vapid_made"})
    return row


def contact() -> str:
    """Return how a push service reaches the operator: a mail address, or the site's origin."""
    if settings.OPERATOR_EMAIL:
        return f"mailto:{settings.OPERATOR_EMAIL}"
    if settings.ORIGIN.startswith("https://"):
        return str(settings.ORIGIN)
    return f"mailto:webmaster@{urlsplit(settings.ORIGIN).hostname or 'localhost'}"
