"""Faults of the SQLite file: full, locked, copied during writes, its writer killed."""

import asyncio
import contextlib
import sqlite3
import time
from pathlib import Path

from tests.faults.cases.process_kills import killed_mid_submission
from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.laws.stored_rows import read_rows
from tests.faults.waiting import until


async def disk_full(lab: Laboratory) -> list[Figure]:
    """No page can be added to the file for some seconds, under load; pages are still read."""
    flag = lab.deployment.folder / "disk-is-full"
    await lab.deployment.up({"full": {"file": str(flag)}})
    await lab.seat(lab.mixture(lab.scale.games), watchers=4, pace=0.2)
    lab.listen()
    lab.play()
    await asyncio.sleep(2)
    flag.touch()
    began = time.monotonic_ns()
    await until(lambda: any(_refused(lab, began)), 10)
    await asyncio.sleep(max(2.0, lab.scale.seconds / 3))
    refused = len(_refused(lab, began))
    freed, fresh = time.monotonic(), time.monotonic_ns()
    flag.unlink()
    resumed = await until(lambda: bool(latencies(lab.pages, fresh)), 20)
    seconds = time.monotonic() - freed
    await asyncio.sleep(2)
    await lab.rest()
    return [
        Figure("refused as busy", refused, 1, "", True),
        Figure("writes go on after", seconds if resumed else 99, 5.0, " s"),
        Figure("processes that died of it", sum(not w.is_running for w in lab.deployment.webs), 0),
    ]


def _refused(lab: Laboratory, since: int) -> list[str]:
    """The ids of the frames refused as busy since a moment."""
    return [
        event["id"]
        for page in lab.pages
        for event in page.log
        if event["e"] == "refused" and event["ns"] > since and event["reason"] == "busy"
    ]


async def locked(lab: Laboratory) -> list[Figure]:
    """Somebody holds the file; somebody copies it; and the writer is killed in the middle."""
    figures = await killed_mid_submission(lab, lab.scale.blows // 2)
    for table in lab.tables:
        table.is_paused.set()
    lab.play(await lab.seat(lab.mixture(lab.scale.games), pace=0.2))
    await asyncio.sleep(1)
    calm = time.monotonic_ns()
    copies = 0
    for n in range(3):
        copies += await asyncio.to_thread(
            copied, lab.deployment.database, lab.deployment.folder / f"{n}.db"
        )
        await asyncio.sleep(1)
    backup = share(latencies(lab.pages, calm), 0.99)
    seconds = max(3.0, 10 * lab.scale.patience)
    held = time.monotonic_ns()
    with contextlib.closing(sqlite3.connect(lab.deployment.database, isolation_level=None)) as file:
        file.execute("BEGIN EXCLUSIVE")
        await asyncio.sleep(seconds)
        file.execute("ROLLBACK")
    free = time.monotonic_ns()
    resumed = await until(lambda: bool(latencies(lab.pages, free)), 20)
    await asyncio.sleep(2)
    await lab.rest()
    waited = latencies(lab.pages, held, free)
    shown = sum(
        "locked" in str(event.get("say", "")) for page in lab.pages for event in page.log
    ) + lab.deployment.output().count("database is locked")
    return [
        *figures,
        Figure("ack p99 beside a backup", backup, 1.0, " s"),
        Figure("whole copies, of 3", copies, 3, "", True),
        Figure("ack p99 while the file was held", share(waited, 0.99), None, " s"),
        Figure("“database is locked”", shown, 0),
        Figure("never went on", not resumed, 0),
    ]


def copied(database: Path, to: Path) -> bool:
    """Makes a copy as a backup does; returns whether it is a database with games in it."""
    with contextlib.closing(sqlite3.connect(database, timeout=20, isolation_level=None)) as file:
        file.execute("VACUUM INTO ?", [str(to)])
    return bool(read_rows(to))
