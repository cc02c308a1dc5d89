"""Run the database work of the site on the test's own connection, inside its transaction.

A game service reads and writes the database in two threads, whose connections see what is
committed. Here both are one thread that has the connection of the test, as Django's live server
has: what a test writes is rolled back at its end. A test whose subject is a commit, a thread or a
second connection says `transaction=True`. Functions of `sync_to_async` run in the same thread.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from asgiref.sync import SyncToAsync
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.transaction import Atomic

from play.runtime.game_service import GameService


class SharedThread(Executor):
    """In place of a `DatabaseThread`: hands functions to a thread that others use too."""

    def __init__(self, thread: Executor) -> None:
        self._thread = thread

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._thread.submit(function, *args, **kwargs)

    async def close(self) -> None:
        """Keep the connection of the test."""


@contextmanager
def same_connection() -> Iterator[None]:
    """Let game services use the connection of the test, and run functions "on commit".

    Django runs these functions when the outermost transaction has been committed, which here is
    never. They run when the outermost block inside the test's own transaction ends.
    """
    own = connections[DEFAULT_DB_ALIAS]
    base = len(own.savepoint_ids)
    on_commit, end = BaseDatabaseWrapper.on_commit, Atomic.__exit__

    def take_connection() -> None:
        connections[DEFAULT_DB_ALIAS] = own

    def run_hooks() -> None:
        while own.run_on_commit and len(own.savepoint_ids) == base:
            hooks, own.run_on_commit = own.run_on_commit, []
            for hook in hooks:
                hook[1]()

    def run_or_keep(self: BaseDatabaseWrapper, *args: Any, **kwargs: Any) -> None:
        on_commit(self, *args, **kwargs)
        run_hooks()

    def exit_block(self: Atomic, *error: Any) -> None:
        end(self, *error)
        if error[0] is None:
            run_hooks()

    own.inc_thread_sharing()
    with (
        ThreadPoolExecutor(1, "quiver-database", take_connection) as thread,
        patch.object(GameService, "make_database_thread", lambda self, name: SharedThread(thread)),
        patch.object(SyncToAsync, "single_thread_executor", thread),
        patch.object(BaseDatabaseWrapper, "on_commit", run_or_keep),
        patch.object(Atomic, "__exit__", exit_block),
    ):
        yield
    own.dec_thread_sharing()
