"""Faults of time and of hints: lost hints, clock jumps, blocked event loops."""

import asyncio
import signal
import time

from tests.faults.cases.process_kills import gone_for
from tests.faults.clients.game_setup import Wanted
from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.servers.deployments import NAMES
from tests.support.page_client import PageClient

BEFORE_THE_PAGE_ASKS = 3.0  # seconds: hints are missed by no process for longer


async def lossy_hints(lab: Laboratory) -> list[Figure]:
    """Three hints in ten are lost, others are doubled, late and in another order."""
    await lab.deployment.up({"lossy": {"share": 0.3, "seed": lab.random.randrange(2**30)}})
    tables = await lab.seat(
        lab.mixture(lab.scale.games), tabs=2, watchers=2 * lab.scale.games, pace=0.3
    )
    lab.listen()
    lab.play()
    await asyncio.sleep(lab.scale.seconds)
    for table in tables:
        table.is_paused.clear()
    await asyncio.sleep(BEFORE_THE_PAGE_ASKS)
    rows = lab.deployment.rows()
    behind = sum(page.rev != rows[page.slug].game["rev"] for page in lab.pages)
    stale = [delay for table in tables for delay in staleness(table.pages)]
    await lab.rest()
    lost = sum(web.sprung() for web in lab.deployment.webs)
    return [
        Figure("hints lost", lost, 1, "", True),
        Figure("clients that are behind one heartbeat later", behind, 0),
        Figure("staleness, longest", max(stale, default=0.0), BEFORE_THE_PAGE_ASKS, " s"),
    ]


def staleness(pages: list[PageClient], since: int = 0, end: int = 2**63) -> list[float]:
    """The seconds until each other page on a line saw a rev or a newer one, for each seen rev."""
    first: dict[int, int] = {}
    for page in pages:
        for event in page.log:
            if event["e"] in ("receipt", "state") and since <= event["ns"] <= end:
                first[event["rev"]] = min(first.get(event["rev"], event["ns"]), event["ns"])
    found = []
    for page in pages:
        seen = [(e["rev"], e["ns"]) for e in page.log if e["e"] == "state"]
        for rev, at in first.items():
            late = next((ns for known, ns in seen if known >= rev), None)
            if late is not None and seen and seen[0][1] < at:
                found.append(max(0.0, (late - at) / 1e9))
    return found


async def clock_jumps(lab: Laboratory) -> list[Figure]:
    """The wall clock of a process jumps by seconds, an hour, a day, there and back, under load."""
    files = {}
    await lab.deployment.foundations()
    for name in NAMES[: lab.deployment.count]:
        files[name] = lab.deployment.folder / f"shift-{name}"
        files[name].write_text("0")
    await lab.deployment.webs_up({name: {"clock": {"file": str(f)}} for name, f in files.items()})
    clock = ("fischer", 120_000, 1_000)
    tables = await lab.seat(
        [Wanted(key, clock) for key in ("blotto", "pincer", "amazons-8x8") * 4], pace=0.3
    )
    lab.play()
    await asyncio.sleep(1)
    web = lab.deployment.webs[-1]
    jumps = (2, 0, -2, 0, 3_600, 0, -3_600, 0, 90_000, 0)
    for shift in jumps:
        files[web.name].write_text(str(shift))
        web.signal(signal.SIGUSR1)
        await asyncio.sleep(max(0.5, 2 * lab.scale.patience))
    rows = lab.deployment.rows()
    flagged = sum(rows[t.slug].game["reason"] in ("time", "no_show") for t in tables)
    wrong = max((abs(_seen_clock_error(page)) for page in lab.pages), default=0.0)
    again = max(page.reconnects - 1 for page in lab.pages)
    await lab.rest()
    return [
        Figure("jumps", len(jumps)),
        Figure("flagged by them", flagged, 0),
        Figure("the server's now, furthest off", wrong, 0.5, " s"),
        Figure("reconnects of one client, most", again, 1),
    ]


def _seen_clock_error(page: PageClient) -> float:
    """The difference in seconds between the newest state's `now` and its arrival."""
    if page.state is None:
        return 0.0
    came = next(e["ns"] for e in reversed(page.log) if e["e"] == "state")
    return page.state["now"] / 1000 - (time.time() - (time.monotonic_ns() - came) / 1e9)


async def stalled_loop(lab: Laboratory, times: int = 2) -> list[Figure]:
    """The event loop of a process stands still for three seconds, under load."""
    lab.is_stalled = True
    await lab.deployment.up({"stall": {"seconds": 3.0}})
    await lab.seat(lab.mixture(lab.scale.games), watchers=lab.scale.watchers, pace=0.3)
    lab.listen()
    lab.play()
    for _ in range(times):
        await asyncio.sleep(1.5)
        lab.deployment.webs[0].signal(signal.SIGUSR2)
        await asyncio.sleep(4)
    await lab.rest()
    return [
        Figure("ack p99", share(latencies(lab.pages), 0.99), 4.5, " s"),
        Figure("without a line, longest", max(gone_for(lab), default=0.0), None, " s"),
    ]
