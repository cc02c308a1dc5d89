"""Planted bugs: the checker must report each of them."""

import asyncio
from pathlib import Path
from typing import Any

from django.db import connection


def early_ack(delay: float = 0.3) -> None:
    """Acknowledges before the commit, which comes a moment later."""
    from play.runtime.commit_queue import CommitQueue
    from play.storage.save import Verdict

    put = CommitQueue.put

    def hastily(self: Any, change: Any, settle: Any) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(settle, Verdict.WON)
        loop.call_later(delay, put, self, change, lambda verdict: None)

    CommitQueue.put = hastily


def no_ids() -> None:
    """Has no memory of the ids of actions, neither in the code nor in the table."""
    from play.runtime.game_service import GameService

    async def unknown(self: Any, live: Any, command: Any) -> None:
        return None

    assert GameService._recall_receipt
    GameService._recall_receipt = unknown
    drop("Entry", "one_effect_an_id")


def no_rev() -> None:
    """Swaps without asking for the rev; nothing in the tables backs it up."""
    respell_swaps(" AND rev = ?2 - 1", " AND play_game.rev = new.rev - 1", "")
    drop("Entry", "one_entry_a_rev")
    drop("Step", "one_step_a_number")
    drop("Sealed", "one_seal_a_role")


def open_book() -> None:
    """Sends what is sealed to everybody, in a field that no page shows."""
    from msgspec import to_builtins

    from play.domain import visibility

    own = visibility.audience_part

    def indiscreet(live: Any, audience: str, at: int) -> dict[str, object]:
        sealed = {role: str(seal.action) for role, seal in live.sealed.items()}
        return {**to_builtins(own(live, audience, at)), "debug": sealed}

    visibility.audience_part = indiscreet


def memory_timer() -> None:
    """Keeps deadlines in the process that dealt with a game last, not in its row."""
    from play.domain import clocks
    from play.runtime import periodic

    respell_swaps("deadline = ?7,", "deadline = new.deadline,", "deadline = NULL,")

    def overdue(service: Any, at: int) -> list[str]:
        games = list(service._games.values())
        ends = {live.slug: clocks.deadline(live.clock, live.times) for live in games}
        return [slug for slug, limit in ends.items() if limit and limit + clocks.FLAG_GRACE_MS < at]

    loop_desk = periodic.sweep

    async def sweep(service: Any) -> None:
        at, read = clocks.now(), periodic.overdue_games
        assert read and loop_desk
        await periodic.each(
            overdue(service, at),
            lambda slug: periodic.game_commands.check_clocks(service, slug, at),
        )

    periodic.sweep = sweep


def unclaimed() -> None:
    """Lets several web processes run on one SQLite file."""
    from server import instance_lock

    assert instance_lock.claim and instance_lock.claim_database
    instance_lock.claim = lambda path: None


def respell_swaps(sqlite: str, postgres: str, other: str) -> None:
    """Has games swapped in another way, whichever database it is."""
    from play.storage.rows import GameRow
    from play.storage.save import POSTGRES, SQLITE

    for statements, text in ((SQLITE, sqlite), (POSTGRES, postgres)):
        assert text in statements[GameRow]
        statements[GameRow] = statements[GameRow].replace(text, other)


def drop(model: str, name: str) -> None:
    """Takes a constraint out of the table, if that has not been done."""
    from django.apps import apps
    from django.conf import settings
    from django.core.management import call_command

    done = Path(settings.DATA_DIR) / f"dropped-{name}"
    if done.exists():
        return
    call_command("migrate", interactive=False, verbosity=0)
    table = apps.get_model("play", model)
    (constraint,) = [each for each in table._meta.constraints if each.name == name]
    table._meta.constraints.remove(constraint)  # SQLite's table is made anew from the model
    with connection.schema_editor() as editor:
        editor.remove_constraint(table, constraint)
    connection.close()
    done.touch()


BUGS = {
    "early_ack": early_ack,
    "no_ids": no_ids,
    "no_rev": no_rev,
    "open_book": open_book,
    "memory_timer": memory_timer,
    "unclaimed": unclaimed,
}
