"""Bounds on wrong passwords, wherever one is checked.

Three rules, so that nobody who does not know a password can keep its owner out:

- Wrong passwords are counted by the name that was typed and the network that they come from. Five
  in five minutes refuse that name to that network alone.
- A known device of the user (`known_devices`) has a budget of its own and is refused by nothing
  that others try.
- A hundred wrong passwords in a day, from all networks, slow the name down for browsers that are
  not known (three an hour for each network), and the right password then takes a mailed code as
  well (`login_code`), if there is a confirmed address to mail it to.

Names that nobody has are counted and refused in the same way. What a stranger can see, the refusal,
is counted by what was typed and not by user: with a common count for a name and an e-mail address,
a stranger could find out that they belong together. The count that asks for the mailed code is by
user, because it shows only behind the right password.

Each attempt is counted before its password is checked and taken back if it was right, so that
attempts at the same moment cannot be more than the bound. The counts are in the cache (`limits`).
"""

import hashlib
import logging
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest

from accounts.addresses import of_request
from accounts.backends import users_to_log_in
from accounts.known_devices import device_of
from accounts.limits import DAY_S, TooOften, count, forget_counts, read_count, take_back
from accounts.models import User
from accounts.sessions import digest_of

MAX_WRONG_A_DAY = 100  # of one user, from all networks
log = logging.getLogger("quiver.security")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many wrong passwords may be tried under a key, and in how many seconds."""

    key: str
    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """A password that is about to be checked, and the keys under which it was counted."""

    keys: tuple[str, ...]

    def take_back(self) -> None:
        """Count it no longer: the password was right."""
        for key in self.keys:
            take_back(key)


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
    budgets = _of_device(device) if device else _of_stranger(request, login)
    keys = _spend(request, budgets, users)
    if not device:
        # Unknown names count as well, so that the time taken is the same.
        for pk in [str(user.pk) for user in users] or ["nobody"]:
            count(_user_key(pk), DAY_S)
            keys.append(_user_key(pk))
    return Attempt(tuple(keys))


def begin_code(request: HttpRequest, user: User) -> Attempt:
    """Count a code of a user's second factor that is about to be checked.

    In a session of the user it is counted by session: whoever else knows the password could keep
    the owner from changing it otherwise. In a log-in it is counted by user, from all networks.
    Raises `TooOften`; then nothing is counted.
    """
    is_own = request.user == user
    who = f"session:{digest_of(request.session.session_key or '')}" if is_own else f"user:{user.pk}"
    budgets = [Budget(f"code:{who}", 5, 300), Budget(f"code:day:{who}", 50, DAY_S)]
    return Attempt(tuple(_spend(request, budgets, [user])))


def needs_code(request: HttpRequest, user: User) -> bool:
    """Whether a log-in with the right password takes a mailed code as well.

    Never without a confirmed address or on a site that sends no mail, where nobody could get in;
    nor after a second factor, which proves more than a mail.
    """
    if read_count(_user_key(user.pk)) < MAX_WRONG_A_DAY:
        return False
    if is_mfa_enabled(user) or not settings.SENDS_MAIL:
        return False
    return not _usable_device(request, [user]) and confirmed_address(user) is not None


def confirmed_address(user: User) -> str | None:
    """Return the confirmed e-mail address of a user, if there is one."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return found.email if found else None


def forget_attempts(request: HttpRequest, user: User) -> None:
    """Forget a user's wrong passwords of the day, and those that came from this network.

    Called when the user has a new password by a link from a mail. Those for an address that the
    user has not confirmed stay: it may be somebody else's.
    """
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    keys = [_user_key(user.pk)]
    for login in {user.username, *addresses.values_list("email", flat=True)}:
        keys += [budget.key for budget in _of_stranger(request, login, is_slow=True)[2:]]
    forget_counts(keys)


def _spend(request: HttpRequest, budgets: Iterable[Budget], users: list[User]) -> list[str]:
    """Count one more under each budget; return their keys. Raises `TooOften` if one is spent; then
    nothing is counted."""
    keys: list[str] = []
    for budget in budgets:
        keys.append(budget.key)
        if count(budget.key, budget.seconds) > budget.most:
            Attempt(tuple(keys)).take_back()
            known = users[0].pk if len(users) == 1 else None
            about = {"user": known, "network": of_request(request) or "-"}
            log.warning("a log-in was refused", extra={"event": "login_refused", **about})
            raise TooOften(budget.seconds)
    return keys


def _usable_device(request: HttpRequest, users: Iterable[User]) -> str:
    """Return the id of a known device. One whose day is spent counts as a stranger: its cookie may
    be stolen."""
    device = device_of(request, users)
    if not device:
        return ""
    _, day = _of_device(device)
    return device if read_count(day.key) < day.most else ""


def _of_device(device: str) -> tuple[Budget, Budget]:
    return (
        Budget(f"log-in:device:{device}", 5, 300),
        Budget(f"log-in:device-day:{device}", 50, DAY_S),
    )


def _of_stranger(request: HttpRequest, login: str, is_slow: bool | None = None) -> list[Budget]:
    """Return the budgets of a browser that is not known.

    The first two are those of its network over all names, which a class behind one address shares:
    right passwords count while they are checked. `is_slow` is looked up if it is not given.
    """
    name, network = _digest(login), of_request(request) or "localhost"
    day = Budget(f"log-in:day:{name}", 10**9, DAY_S)  # refuses nothing by itself
    if is_slow is None:
        is_slow = read_count(day.key) >= MAX_WRONG_A_DAY
    slow = [Budget(f"log-in:slow:{name}:{network}", 3, 3600)] if is_slow else []
    return [
        Budget(f"log-in:network:{network}", 40, 60),
        Budget(f"log-in:network-hour:{network}", 300, 3600),
        *slow,
        Budget(f"log-in:name:{name}:{network}", 5, 300),
        day,
    ]


def _user_key(pk: int | str) -> str:
    return f"log-in:user-day:{pk}"


def _digest(login: str) -> str:
    """Return one key for all spellings of a name; the cache holds no names and no addresses.

    Databases fold some letters that are not ASCII to ASCII ones, so compatibility forms and marks
    above and below letters make no other name either.
    """
    parts = unicodedata.normalize("NFKD", login.strip().casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part)).casefold()
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
