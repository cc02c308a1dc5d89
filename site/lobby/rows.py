"""Rows that cannot be read are left out of lists, so that they harm no other row.

A rule set may be withdrawn, and a position may be damaged; a page that lists many games must
stand all the same.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from logging import Logger
from typing import TypeVar

from django.db import DatabaseError

R = TypeVar("R")
T = TypeVar("T")
told: set[tuple[str, str]] = set()  # logger and row of what was left out, each logged once


@contextmanager
def leaving_out(row: object, log: Logger) -> Iterator[None]:
    """Goes on after its block when that fails for this row, and logs it; a database that fails is
    nothing that one row has done, and stays an error."""
    try:
        yield
    except DatabaseError:
        raise
    except Exception as error:
        if (log.name, str(row)) not in told:
            told.add((log.name, str(row)))
            kind = type(error).__name__
            log.warning("%s cannot be read and is left out: %s", _label(row), kind)


def readable(rows: Iterable[R], show: Callable[[R], T], log: Logger) -> list[T]:
    """What `show` makes of each row, without those that it fails for."""
    items = []
    for row in rows:
        with leaving_out(row, log):
            items.append(show(row))
    return items


def _label(row: object) -> str:
    """What a log may call a row: its table and number. Its text holds the key of a game."""
    return f"{type(row).__name__} {getattr(row, 'pk', '')}".strip()
