"""Run `manage.py` with planted faults: `python -m … '{"die": {…}}' serve …`.

The site has no hooks for this: each trap replaces something by its name, and a name that is not
there any more ends the process with a traceback. A trap that springs says so on standard error.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

SPRUNG = "TRAP"  # the beginning of the line that a trap writes when it springs


def say(name: str) -> None:
    """Tells the laboratory that a trap has sprung."""
    os.write(2, f"{SPRUNG} {name}\n".encode())


def end(name: str) -> None:
    """Ends this process as if by `kill -9`."""
    say(name)
    os.kill(os.getpid(), signal.SIGKILL)


class Transaction(threading.local):
    """Kinds of writes that a thread's transaction has made so far."""

    is_swap = False  # it changes a game
    is_reveal = False  # it moves seals into a step

    def forget(self) -> None:
        """Resets both flags at the end of the transaction."""
        self.is_swap = self.is_reveal = False


def watch_transactions() -> Transaction:
    """Begins to note what transactions write."""
    from play.storage.rows import revealed_games
    from play.storage.save import PostgresWriter, SqliteWriter

    transaction = Transaction()

    def noting(save: Callable[..., Any]) -> Callable[..., Any]:
        def noted(self: Any, changes: Any) -> Any:
            transaction.is_swap = bool(changes)
            transaction.is_reveal = bool(revealed_games(changes))
            return save(self, changes)

        return noted

    for pen in (SqliteWriter, PostgresWriter):
        pen.save = noting(pen.save)  # type: ignore[method-assign]
    return transaction


class Orders:
    """The planned end of this process, read from a file at each SIGUSR1."""

    def __init__(self) -> None:
        self.at = ""  # nowhere
        self.left = 0  # transactions or receipts until then
        self.is_reveal = False  # only those that reveal count

    def read(self, file: str) -> None:
        """Takes new orders."""
        orders = json.loads(Path(file).read_text(encoding="utf-8"))
        self.at, self.left, self.is_reveal = orders["at"], orders["after"], orders["is_reveal"]

    def is_time(self, at: str, count: int) -> bool:
        """Whether the process ends now: `count` more have been counted at a point."""
        if at != self.at or count == 0:
            return False
        self.left -= count
        return -count < self.left <= 0


def die(orders: str) -> None:
    """Reads the planned end from a file at SIGUSR1: `{"at": …, "after": …, "is_reveal": …}`.

    It ends at the `after`th transaction that changes games (or reveals): `mid`, `before_commit`,
    `after_commit`, or `after_ack`, a moment after a receipt was sent.
    """
    waiting = Orders()
    die_in_transactions(waiting)
    die_after_receipts(waiting)
    signal.signal(signal.SIGUSR1, lambda *signal: waiting.read(orders))


def die_in_transactions(orders: Orders) -> None:
    """Ends the process in the middle of a transaction, or right before or after its commit."""
    from django.db.backends.base.base import BaseDatabaseWrapper as Connection

    from play.storage.rows import GameRow, StepRow
    from play.storage.save import POSTGRES, PostgresWriter, SqliteWriter

    transaction, commit, rollback = watch_transactions(), Connection._commit, Connection._rollback

    def is_time(at: str) -> bool:
        counts = transaction.is_reveal if orders.is_reveal else transaction.is_swap
        return orders.is_time(at, int(counts))

    def committing(self: Any) -> Any:
        is_before, is_after = is_time("before_commit"), is_time("after_commit")
        transaction.forget()
        if is_before:
            end("die")
        done = commit(self)
        if is_after:
            end("die")
        return done

    def rolling_back(self: Any) -> Any:
        transaction.forget()
        return rollback(self)

    Connection._commit, Connection._rollback = committing, rolling_back
    insert, run = SqliteWriter.insert, PostgresWriter._run

    def inserting(self: Any, rows: Any) -> None:
        if isinstance(rows[0], StepRow) and transaction.is_swap and is_time("mid"):
            end("die")
        insert(self, rows)

    def running(self: Any, statement: str, values: Any = ()) -> None:
        run(self, statement, values)  # in a pipeline: its result is not awaited yet
        if POSTGRES[GameRow] in statement and is_time("mid"):
            end("die")

    SqliteWriter.insert = inserting  # type: ignore[method-assign]
    PostgresWriter._run = running  # type: ignore[method-assign]


def die_after_receipts(orders: Orders) -> None:
    """Ends the process a moment after a receipt was handed to the line."""
    from play.sockets.consumers import PageConsumer

    send = PageConsumer.send

    async def sending(self: Any, text_data: str) -> None:
        await send(self, text_data=text_data)
        is_receipt = '"t":"receipt"' in text_data
        if is_receipt and orders.at == "after_ack" and orders.is_time("after_ack", 1):
            threading.Timer(0.003, end, ["die"]).start()

    PageConsumer.send = sending  # type: ignore[method-assign]


def stall(seconds: float) -> None:
    """Holds the event loop for so long at each SIGUSR2."""

    def hold(*signal: object) -> None:
        say("stall")
        time.sleep(seconds)

    signal.signal(signal.SIGUSR2, hold)


def clock(file: str) -> None:
    """Shifts the wall clock by the seconds in a file, at once and again at each SIGUSR1."""
    wall, wall_ns, shift = time.time, time.time_ns, [0.0]

    def jump(*signal: object) -> None:
        say("clock")
        shift[0] = float(Path(file).read_text(encoding="utf-8"))

    time.time = lambda: wall() + shift[0]
    time.time_ns = lambda: wall_ns() + int(shift[0] * 1e9)
    signal.signal(signal.SIGUSR1, jump)
    if Path(file).exists():
        jump()


def full(file: str) -> None:
    """Keeps the SQLite database from growing by a page while a file exists."""
    from django.db.backends.sqlite3.base import DatabaseWrapper

    begin = DatabaseWrapper._start_transaction_under_autocommit

    def beginning(self: Any) -> None:
        cursor = self.connection.cursor()
        if Path(file).exists():
            cursor.execute("PRAGMA max_page_count = 1")  # SQLite rounds up to what there is
        else:
            cursor.execute("PRAGMA max_page_count = 4294967294")
        begin(self)

    DatabaseWrapper._start_transaction_under_autocommit = beginning


def lossy(share: float, seed: int) -> None:
    """Loses a share of the hints between processes and within one, and doubles and delays others.

    What the tail has read in the database is delayed and doubled as well, but never lost: no
    message tells it.
    """
    from random import Random

    from play.runtime.hub import Hub

    random, poll = Random(seed), Hub._poll
    is_read: ContextVar[bool] = ContextVar("is_read", default=False)

    async def polling(self: Any) -> None:
        before = is_read.set(True)
        try:
            await poll(self)
        finally:
            is_read.reset(before)

    def unreliable(do: Callable[..., None]) -> Callable[..., None]:
        def call(self: Any, topic: Any, *args: Any) -> None:
            import asyncio

            if not is_read.get() and random.random() < share:
                say("lossy")
                return
            for _ in range(random.choice([1, 1, 2])):
                asyncio.get_running_loop().call_later(
                    random.choice([0.0, random.uniform(0, 0.5)]), do, self, topic, *args
                )

        return call

    Hub._poll = polling  # type: ignore[method-assign]
    Hub.offer, Hub.hint = unreliable(Hub.offer), unreliable(Hub.hint)


TRAPS: dict[str, Callable[..., None]] = {
    "die": die,
    "stall": stall,
    "clock": clock,
    "full": full,
    "lossy": lossy,
}


def main() -> None:
    """Sets the traps that the first argument names, and runs `manage.py` with the rest.

    Under `serve` only the web process has traps, also one that is started again.
    """
    root = Path(__file__).parents[3]
    sys.path[:0] = [str(root / "site"), str(root)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    traps = json.loads(sys.argv.pop(1))
    if sys.argv[1] != "runweb":
        traps = {}
    import django
    from django.core.management import execute_from_command_line

    from tests.faults.servers.planted_bugs import BUGS

    if "clock" in traps:  # before anything reads the time
        clock(**traps.pop("clock"))
    django.setup()
    for name, options in traps.items():
        (TRAPS | BUGS)[name](**options)
    sys.argv[0] = "manage.py"
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
