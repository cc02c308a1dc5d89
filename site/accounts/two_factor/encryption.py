"""Ciphers for secrets in the database, with keys derived from Django's secret key."""

import base64
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.encoding import force_bytes

# cryptography is imported where it is used: most requests do without, and it delays the start.
if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def make_cipher(purpose: bytes) -> "MultiFernet":
    """Return the cipher of one purpose: it encrypts with SECRET_KEY and decrypts with its
    fallbacks as well. Each purpose has a key of its own."""
    from cryptography.fernet import Fernet, MultiFernet

    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derive_key(secret, purpose)) for secret in secrets])


def _derive_key(secret: str | bytes, purpose: bytes) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    key = HKDF(hashes.SHA256(), length=32, salt=None, info=purpose)
    return base64.urlsafe_b64encode(key.derive(force_bytes(secret)))
