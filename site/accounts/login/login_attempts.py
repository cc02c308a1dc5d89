"""Limit wrong passwords, on every form that checks one.

Three rules, so that nobody who does not know a password can lock its owner out:

- Wrong passwords are counted by the name that was typed and the network that they come from. Five
  in five minutes refuse that name to that network alone.
- A known device of the user (`known_devices`) has a quota of its own, which the attempts of others
  do not use up.
- A hundred wrong passwords in a day, from all networks, slow the name down for browsers that are
  not known (three an hour for each network), and the right password then takes a mailed code as
  well (`login_stages`), if there is a confirmed address to mail it to.

Unknown names are counted and refused in the same way. Refusals, which everybody can see, are
counted by the typed text and not by user: a common count for a name and an e-mail address would
reveal that they belong together. The count that asks for the mailed code is by user, because it
shows only after the right password.

Each attempt is counted before its password is checked and taken back if it was right, so that
simultaneous attempts cannot exceed the limit. The counts are in the cache (`rate_limits`).

By its source, django-axes 8.3 cannot hold this: it counts after the check, has one limit and one
cool-off for all its counts, and stores what was typed. allauth counts before the check, but its
limits know no devices, and its module for them is to become private.
"""

import hashlib
import logging
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest

from accounts.limits.networks import of_request
from accounts.limits.rate_limits import (
    DAY_S,
    HOUR_S,
    UNBOUNDED_COUNT,
    Quota,
    Rate,
    TooOften,
    forget_counts,
)
from accounts.login.backends import users_to_log_in
from accounts.login.known_devices import device_of
from accounts.login.sessions import digest_of
from accounts.models import User
from telemetry.counters import LOGINS_REFUSED

MAX_WRONG_A_DAY = 100  # of one user, from all networks
BY_DEVICE = Rate("log-in:device", 5, 300)
BY_DEVICE_A_DAY = Rate("log-in:device-day", 50, DAY_S)
BY_NETWORK = Rate("log-in:network", 40, 60)
BY_NETWORK_AN_HOUR = Rate("log-in:network-hour", 300, HOUR_S)
BY_NAME = Rate("log-in:name", 5, 300)  # and network
BY_SLOW_NAME = Rate("log-in:slow", 3, HOUR_S)  # and network
BY_NAME_A_DAY = Rate("log-in:day", UNBOUNDED_COUNT, DAY_S)  # MAX_WRONG_A_DAY slow the name down
BY_USER_A_DAY = Rate(
    "log-in:user-day", UNBOUNDED_COUNT, DAY_S
)  # after MAX_WRONG_A_DAY a code is mailed
CODES = Rate("code", 5, 300)
CODES_A_DAY = Rate("code:day", 50, DAY_S)
log = logging.getLogger("quiver.security")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt whose password is about to be checked, with the quotas that count it."""

    quotas: tuple[Quota, ...]

    def take_back(self) -> None:
        """Uncount the attempt, because the password was right."""
        for quota in self.quotas:
            quota.give_back()


def users_named(login: str) -> list[User]:
    """Return the users whose name or e-mail address was typed: none, one, or a few."""
    if "@" in login:
        return users_to_log_in(login)
    return list(User.objects.filter(username__iexact=login))


def begin_attempt(request: HttpRequest, login: str, users: list[User]) -> Attempt:
    """Count an attempt to log in as `login`, which names `users`.

    Raises `TooOften` if its password may not be checked now; then nothing is counted.
    """
    device = _usable_device(request, users)
    quotas = _of_device(device) if device else _of_unknown_browser(request, login)
    _spend(request, quotas, users)
    if not device:
        # Unknown names count as well, so that the time taken is the same.
        for pk in [str(user.pk) for user in users] or ["nobody"]:
            quota = BY_USER_A_DAY.of(pk)
            quota.add()
            quotas.append(quota)
    return Attempt(tuple(quotas))


def begin_code(request: HttpRequest, user: User) -> Attempt:
    """Count a code of a user's second factor that is about to be checked.

    In a session of the user it is counted by session; otherwise somebody else who knows the
    password could keep the owner from changing it. In a log-in it is counted by user, from all
    networks. Raises `TooOften`; then nothing is counted.
    """
    is_own = request.user == user
    who = f"session:{digest_of(request.session.session_key or '')}" if is_own else f"user:{user.pk}"
    quotas = (CODES.of(who), CODES_A_DAY.of(who))
    _spend(request, quotas, [user])
    return Attempt(quotas)


def needs_code(request: HttpRequest, user: User) -> bool:
    """Whether a log-in with the right password takes a mailed code as well.

    Never without a confirmed address or on a site that sends no mail, where the user could not log
    in; nor for users with a second factor, which proves more than a mail.
    """
    if BY_USER_A_DAY.of(user.pk).read_count() < MAX_WRONG_A_DAY:
        return False
    if is_mfa_enabled(user) or not settings.SENDS_MAIL:
        return False
    return not _usable_device(request, [user]) and confirmed_address(user) is not None


def confirmed_address(user: User) -> str | None:
    """Return the confirmed e-mail address of a user, or None."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return found.email if found else None


def forget_attempts(request: HttpRequest, user: User) -> None:
    """Delete the counts of a user's wrong passwords of the day, and those from this network.

    Called when the user has set a new password by a link from a mail. Counts for an unconfirmed
    address stay, because it may be another person's.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    keys = [BY_USER_A_DAY.of(user.pk).key]
    for login in {user.username, *addresses.values_list("email", flat=True)}:
        keys += [quota.key for quota in _of_unknown_browser(request, login, is_slow=True)[2:]]
    forget_counts(keys)


def _spend(request: HttpRequest, quotas: Sequence[Quota], users: list[User]) -> None:
    """Count an attempt in each quota. Raises `TooOften` if one is used up; then nothing is
    counted."""
    for number, quota in enumerate(quotas, start=1):
        if not quota.take():
            Attempt(tuple(quotas[:number])).take_back()
            known = users[0].pk if len(users) == 1 else None
            about = {"user": known, "network": of_request(request) or "-"}
            LOGINS_REFUSED.inc()
            log.warning("a log-in was refused", extra={"event": "login_refused", **about})
            raise TooOften(quota.rate.window_s)


def _usable_device(request: HttpRequest, users: Iterable[User]) -> str:
    """Return the id of a known device whose quota of the day is not used up, else an empty text.

    The cookie of a device that has used it up may be stolen.
    """
    device = device_of(request, users)
    if not device:
        return ""
    return "" if BY_DEVICE_A_DAY.of(device).is_used_up() else device


def _of_device(device: str) -> list[Quota]:
    return [BY_DEVICE.of(device), BY_DEVICE_A_DAY.of(device)]


def _of_unknown_browser(
    request: HttpRequest, login: str, is_slow: bool | None = None
) -> list[Quota]:
    """Return the quotas of a browser that is no known device.

    The first two are those of its network over all names. A school class behind one address shares
    them, and right passwords count while they are checked. `is_slow` is looked up if it is None.
    """
    name, network = _digest(login), of_request(request) or "localhost"
    day = BY_NAME_A_DAY.of(name)
    if is_slow is None:
        is_slow = day.read_count() >= MAX_WRONG_A_DAY
    return [
        BY_NETWORK.of(network),
        BY_NETWORK_AN_HOUR.of(network),
        *([BY_SLOW_NAME.of(name, network)] if is_slow else []),
        BY_NAME.of(name, network),
        day,
    ]


def _digest(login: str) -> str:
    """Return the hash of a normalized name; the cache holds no names and no addresses.

    Databases fold some letters that are not ASCII to ASCII ones, so compatibility forms and
    combining marks are removed as well.
    """
    parts = unicodedata.normalize("NFKD", login.strip().casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part)).casefold()
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
