"""Fault 27: hours of sockets that connect and play, and games that end."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Callable

import httpx

from tests.faults.clients.random_players import Table
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.servers.process_usage import descriptors, memory, threads
from tests.support.page_client import PageClient

LIFE = 5.0  # seconds of a socket
EVERY = 5.0  # seconds between two samples
WARM = 0.25  # of the time, and at most twenty minutes, before slopes are taken
Samples = dict[str, list[tuple[float, float]]]


async def soaked(lab: Laboratory, minutes: float) -> list[Figure]:
    """Two hundred sockets of which each lives for five seconds; games end and begin."""
    await lab.deployment.up()
    sockets = 200
    samples: Samples = defaultdict(list)
    began = time.monotonic()
    base = _sample(lab, samples, began)
    crowd: list[PageClient] = []
    came = 0
    while time.monotonic() - began < minutes * 60:
        live = [table for table in lab.tables if not table.is_over]
        if len(live) < 8:
            await _clear(lab)
            lab.play(await lab.seat(lab.mixture(12), pace=0.25))
            live = [table for table in lab.tables if not table.is_over]
        for _ in range(max(1, sockets // 20)):
            crowd.append(_visitor(lab, lab.random.choice(live)))
            came += 1
        old = max(0, len(crowd) - sockets)
        going, crowd = crowd[:old], crowd[old:]
        await asyncio.gather(asyncio.sleep(LIFE / 20), *(page.close() for page in going))
        if time.monotonic() - began >= len(samples["memory A"]) * EVERY:
            await _metrics(lab, samples, began)
            _sample(lab, samples, began)
            print(_told(samples), end="\r", flush=True)
    await asyncio.gather(*(page.close() for page in crowd))
    await _clear(lab)
    await lab.rest()
    lab.past += await lab.verdict()
    lab.past_accepted += lab.acknowledged
    tables, lab.tables = lab.tables, []
    await asyncio.gather(*(table.close() for table in tables))
    await asyncio.sleep(5)
    last = _sample(lab, samples, began)
    warm = min(1200.0, WARM * minutes * 60)
    return [
        Figure("sockets that came", came),
        Figure("games that ended", lab.runs),
        *(
            Figure(f"{name}, slope an hour", slope(series, warm), LIMITS.get(name.split()[0]))
            for name, series in samples.items()
            if not name.startswith("files")
        ),
        Figure("files in the end, more than at the start", last - base, 5),
    ]


LIMITS = {"memory": 2.0}  # MiB an hour


def _visitor(lab: Laboratory, table: Table) -> PageClient:
    page = table.watch(lab.ports, str(lab.random.random()))
    page.open()
    return page


async def _clear(lab: Laboratory) -> None:
    """Takes away the tables that are over, after the checker has looked at them."""
    over = [table for table in lab.tables if table.is_over]
    live = [table for table in lab.tables if table not in over]
    await asyncio.gather(*(table.close() for table in over))
    lab.tables = over  # the others are checked when they are over, too
    lab.past += await lab.verdict(is_quiet=False)
    lab.past_accepted += lab.acknowledged
    lab.runs += len(over)
    lab.tables = live


def _sample(lab: Laboratory, samples: Samples, began: float) -> int:
    """Records the resource usage of the processes; returns the number of their open files."""
    at = time.monotonic() - began
    measures: dict[str, Callable[[int], float]] = {
        "memory": memory,
        "files": descriptors,
        "threads": threads,
    }
    for web in lab.deployment.webs:
        for name, measure in measures.items():
            samples[f"{name} {web.name}"].append((at, measure(web.pid)))
    if lab.deployment.postgres:
        count = lab.deployment.ask("select count(*) from pg_stat_activity")[0][0]
        samples["connections of PostgreSQL"].append((at, float(count)))
    if lab.deployment.redis:
        samples["keys of Redis"].append((at, float(lab.deployment.redis.client().dbsize())))
    return sum(descriptors(web.pid) for web in lab.deployment.webs)


async def _metrics(lab: Laboratory, samples: Samples, began: float) -> None:
    """Adds the number of tasks from the metrics of the processes."""
    async with httpx.AsyncClient(trust_env=False, timeout=5) as visitor:
        for web in lab.deployment.webs:
            answer = await visitor.get(f"http://127.0.0.1:{web.port}/metrics")
            found = re.search(r"^quiver_tasks(?:\{\})? (\S+)", answer.text, re.MULTILINE)
            if answer.status_code == 200 and found:
                at = time.monotonic() - began
                samples[f"tasks {web.name}"].append((at, float(found[1])))


def _told(samples: Samples) -> str:
    at = samples["memory A"][-1][0]
    return f"  {at:6.0f} s " + "  ".join(f"{n} {s[-1][1]:.4g}" for n, s in samples.items())


def slope(series: list[tuple[float, float]], warm: float) -> float:
    """The growth of a series in an hour, by least squares, after its first seconds."""
    points = [(at, value) for at, value in series if at >= warm]
    if len(points) < 3:
        return 0.0
    middle = sum(at for at, _ in points) / len(points)
    mean = sum(value for _, value in points) / len(points)
    above = sum((at - middle) * (value - mean) for at, value in points)
    return 3600 * above / sum((at - middle) ** 2 for at, _ in points)
