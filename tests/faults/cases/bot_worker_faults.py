"""Faults of the workers of computer players: killed, frozen, wrong, doubled."""

import asyncio
import os
import signal
import subprocess
import sys
import time

from tests.faults.clients.game_setup import NO_CLOCK, Wanted
from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.waiting import until
from tests.support.servers.server_process import ROOT
from tests.support.servers.worker_processes import ODD

SECONDS = 0.6  # of a thought


class Workers:
    """The workers of a deployment; their engines are odd ones that need no compiling."""

    def __init__(self, lab: Laboratory) -> None:
        self.lab = lab
        self.running: list[subprocess.Popen[bytes]] = []
        self.log_path = lab.deployment.folder / "workers.txt"

    def hire(self, kind: str = "slow", seconds: float = SECONDS) -> subprocess.Popen[bytes]:
        """Starts one."""
        with self.log_path.open("ab") as words:
            worker = subprocess.Popen(
                [sys.executable, "-c", ODD, kind, str(seconds), "runbots"],
                cwd=ROOT,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self.lab.deployment.environment},
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
            )
        self.running.append(worker)
        return worker

    def thinking(self) -> list[int]:
        """The numbers of the processes that hold a seat."""
        rows = self.lab.deployment.ask("select worker from bots_lease")
        return [int(name.split("-")[-2]) for (name,) in rows]

    def warm(self) -> int:
        """The number of workers that are ready."""
        return len(self.lab.deployment.ask("select 1 from bots_worker where is_warm"))

    def end(self) -> None:
        """Ends all."""
        for worker in self.running:
            if worker.poll() is None:
                worker.send_signal(signal.SIGCONT)
                worker.kill()
                worker.wait()


def _moves(lab: Laboratory) -> dict[str, int]:
    return {row[0]: row[1] for row in lab.deployment.ask("select slug, step from play_game")}


async def killed_while_thinking(lab: Laboratory) -> list[Figure]:
    """Workers are killed in the middle of thoughts, again and again; another takes over."""
    await lab.deployment.up()
    workers = Workers(lab)
    levels = (("white", 3), ("black", 5))
    try:
        wanted = [Wanted(key, NO_CLOCK, levels) for key in ("pincer", "amazons-8x8")] * 2
        await lab.seat(wanted, watchers=4)
        for _ in range(2):
            workers.hire()
        await until(lambda: workers.warm() >= 2, 60, 0.1)
        takeovers = []
        lab.runs = max(4, int(50 * lab.scale.patience))
        for _ in range(lab.runs):
            if lab.deployment.ask("select count(*) from play_game where reason = ''")[0][0] < 2:
                await lab.seat(wanted, watchers=4)
            await until(workers.thinking, 10)
            victims = workers.thinking()
            for worker in [w for w in workers.running if w.pid in victims[:1]]:
                worker.kill()
                worker.wait()
                began, before = time.monotonic(), _moves(lab)
                workers.hire()
                if not await until(lambda: _moves(lab) != before, 20):  # noqa: B023
                    break
                takeovers.append(time.monotonic() - began)
        acts = lab.deployment.ask(
            "select count(*), count(distinct (game_id * 1000000 + rev)) "
            "from play_entry where kind = 'act'"
        )[0]
    finally:
        workers.end()
    return [
        Figure("moves made twice", acts[0] - acts[1], 0),
        Figure("taken over after, slowest", max(takeovers, default=0), 5.0 + SECONDS, " s"),
    ]


async def hanging_and_wrong(lab: Laboratory) -> list[Figure]:
    """A worker is frozen for good, one always fails, and one chooses illegal actions."""
    await lab.deployment.up()
    workers = Workers(lab)
    try:
        await lab.seat([Wanted("amazons-8x8")] * 4, pace=0.1)
        lab.play()
        await asyncio.sleep(4)
        calm, began = share(latencies(lab.pages), 0.99), time.monotonic_ns()
        levels = (("white", 2), ("black", 4))
        games = [Wanted(key, NO_CLOCK, levels) for key in ("blotto", "pincer") * 2]
        seated = await lab.seat(games, watchers=4)
        frozen = workers.hire("slow", 30.0)
        await until(lambda: frozen.pid in workers.thinking(), 60, 0.1)
        frozen.send_signal(signal.SIGSTOP)
        for kind in ("failing", "wrong"):
            workers.hire(kind, 0.2)
        ended = await until(lambda: all(_is_over(lab, t.slug) for t in seated), 120, 0.5)
        stuck = sum(not _is_over(lab, table.slug) for table in seated)
        hurt = share(latencies(lab.pages, began), 0.99)
        await lab.rest()
    finally:
        workers.end()
    return [
        Figure("games that are stuck", stuck if not ended else 0, 0),
        Figure("ack p99 of people before", calm * 1000, None, " ms"),
        Figure("ack p99 of people meanwhile", hurt * 1000, max(50.0, calm * 1100), " ms"),
    ]


def _is_over(lab: Laboratory, slug: str) -> bool:
    return bool(
        lab.deployment.ask(f"select 1 from play_game where slug = '{slug}' and reason <> ''")
    )
