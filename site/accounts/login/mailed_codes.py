"""Codes that are mailed for a log-in: made, kept as keyed hashes in the session, and checked."""

import time
from typing import Any

from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from accounts.limits.rate_limits import Rate

LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # no vowels, so no words; none that look alike
CODE_CHARS = 8  # 38 bits
ID_CHARS = 22
VALID_S = 15 * 60
MAX_TRIES = 3
BY_CODE = Rate("log-in:code", MAX_TRIES, VALID_S)  # tries of one code
SALT = "accounts.login_code"


def make_code() -> tuple[str, dict[str, Any]]:
    """Return a new code as it is shown in a mail, and its state for the session."""
    code, id = get_random_string(CODE_CHARS, LETTERS), get_random_string(ID_CHARS)
    return f"{code[:4]}-{code[4:]}", {"id": id, "hash": _hash(id, code), "at": time.time()}


def is_valid(state: object) -> bool:
    """Return whether the session waits for a code that has not expired."""
    return isinstance(state, dict) and 0 <= time.time() - state["at"] < VALID_S


def count_try(state: dict[str, Any]) -> int:
    """Count a try of a code before it is checked; return the number of tries."""
    return BY_CODE.of(state["id"]).add()


def matches(state: dict[str, Any], typed: str) -> bool:
    """Return whether a typed code is that of a state; blanks, dashes and case do not matter."""
    code = "".join(letter for letter in typed.upper() if letter.isalnum())
    return constant_time_compare(_hash(state["id"], code), state["hash"])


def _hash(id: str, code: str) -> str:
    return salted_hmac(SALT, f"{id} {code}", algorithm="sha256").hexdigest()
