"""Signed links of mails: to pages of the site, and to unsubscribe.

A link to a page names the user. A visitor who isn't signed in gets the sign-in page with the
address filled in, but only if it is still the address of the mail: an old mailbox reveals no new
address. The link signs nobody in. A link to unsubscribe needs no log-in (RFC 8058).
"""

from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.login.login_attempts import confirmed_address
from accounts.models import User
from accounts.site_links import absolute_url, is_own_path
from notices.models import Kind, Preferences
from notices.preferences import preferences

OPEN_SALT = "notices.mail.open"
UNSUBSCRIBE_SALT = "notices.mail.unsubscribe"
ADDRESS_SALT = "notices.mail.address"
UNSUBSCRIBE_AGE_S = 180 * 24 * 3600
EVERYTHING = "all"
ADDRESS_CHARS = 16  # hexadecimal; 64 bits


@dataclass(frozen=True, slots=True)
class PageLink:
    """The path that a link to a page names, and the address of its mail."""

    path: str
    address: str | None  # None if the user has another one now, or none


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """The user and the kind, or `EVERYTHING`, that a link to unsubscribe names."""

    user_id: int
    scope: str
    is_current: bool  # whether address and mode are still those of the mail


def page_url(user_id: int, address: str, path: str) -> str:
    """Return the absolute link of a mail to `address` to a path of the site."""
    value = [user_id, path, _fingerprint(address)]
    token = signing.dumps(value, salt=OPEN_SALT, compress=True)
    return absolute_url(reverse("mail-open", args=[token]))


def read_page_link(token: str) -> PageLink | None:
    """Return the content of a link to a page; None for a forged one."""
    try:
        user_id, path, fingerprint = signing.loads(token, salt=OPEN_SALT)
    except signing.BadSignature:
        return None
    return PageLink(path, _address_of(user_id, fingerprint)) if is_own_path(path) else None


def unsubscribe_url(prefs: Preferences, address: str, scope: str) -> str:
    """Return the absolute link that turns off mails of a kind, or of every kind."""
    value = [prefs.user_id, scope, _fingerprint(address), prefs.mail]
    token = signing.dumps(value, salt=UNSUBSCRIBE_SALT, compress=True)
    return absolute_url(reverse("mail-unsubscribe", args=[token]))


def read_unsubscription(token: str) -> Unsubscription | None:
    """Return the content of a link to unsubscribe; None for a forged or expired one."""
    try:
        user_id, scope, fingerprint, mode = signing.loads(
            token, salt=UNSUBSCRIBE_SALT, max_age=UNSUBSCRIBE_AGE_S
        )
    except signing.BadSignature:
        return None
    if scope != EVERYTHING and scope not in Kind.values:
        return None  # a kind of an earlier version
    is_same = _address_of(user_id, fingerprint) is not None
    off = Preferences.MailMode.OFF
    is_current = is_same and preferences.of(user_id).mail in (mode, off)
    return Unsubscription(user_id, scope, is_current)


def _address_of(user_id: int, fingerprint: str) -> str | None:
    """Return the confirmed address of a user if it is still the one of a fingerprint."""
    user = User.objects.filter(pk=user_id).first()
    address = confirmed_address(user) if user else None
    if address is None:
        return None
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    own = (_fingerprint(address, secret) for secret in secrets)
    return address if any(constant_time_compare(each, fingerprint) for each in own) else None


def _fingerprint(address: str, secret: str | None = None) -> str:
    """Return the keyed hash of an address, under the present secret or a former one."""
    hash = salted_hmac(ADDRESS_SALT, address.lower(), secret=secret, algorithm="sha256")
    return hash.hexdigest()[:ADDRESS_CHARS]
