"""The checker reports every bug planted into a running server."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from tests.faults.cases import failovers, races
from tests.faults.clients.game_setup import Wanted
from tests.faults.laboratory import CI, Laboratory
from tests.faults.laws.evidence import Finding
from tests.faults.servers import database_servers
from tests.faults.waiting import until

pytestmark = pytest.mark.timeout(400)


async def acknowledged_then_killed(lab: Laboratory) -> None:
    """Ends the server while receipts come in; its successor has no bug."""
    (web,) = lab.deployment.webs
    await lab.seat([Wanted("pincer")] * 8, pace=0.1)
    lab.play()
    await until(lambda: lab.acknowledged > 8, 30)
    web.kill()
    await web.start()


async def everything_three_times(lab: Laboratory) -> None:
    """Plays with echoes of every frame."""
    await races.doubled_play(lab)


async def sealed_through_two_processes(lab: Laboratory) -> None:
    """Both seats of many games seal at the same instant."""
    tables = await lab.seat([Wanted("blotto")] * 30)
    white, black = lab.ports()
    for table in tables:
        table.seats["white"].tabs[0].ports = lambda: [white]
        table.seats["black"].tabs[0].ports = lambda: [black]
        for page in table.pages:
            page.cut()
    await asyncio.sleep(2.5)
    for number in range(races.ROUNDS):
        seals = [races.seal_together(table.seats, number) for table in tables]
        with suppress(TimeoutError):  # with the bug some round never resolves
            async with asyncio.timeout(6):
                await asyncio.gather(*seals)


async def sealed_and_watched(lab: Laboratory) -> None:
    """Plays Blotto before spectators."""
    await lab.seat([Wanted("blotto")] * 6, watchers=6, pace=0.3)
    lab.play()
    await asyncio.sleep(3)


async def left_alone_with_running_clocks(lab: Laboratory) -> None:
    """Everybody leaves, and the server dies: the next one would have to let the flags fall."""
    (web,) = lab.deployment.webs
    tables = await lab.seat([Wanted("amazons-8x8", ("fischer", 20_000, 0))] * 4, pace=0.1)
    lab.play()
    await until(lambda: lab.acknowledged > 12, 30)
    await asyncio.gather(*(table.close() for table in tables))
    web.kill()
    await web.start({"memory_timer": {}})
    await asyncio.sleep(1)


BUGS: list[tuple[str, int, Callable[[Laboratory], Awaitable[None]], set[str]]] = [
    ("early_ack", 1, acknowledged_then_killed, {"lost"}),
    ("no_ids", 1, everything_three_times, {"doubled"}),
    ("no_rev", 2, sealed_through_two_processes, {"doubled", "lost"}),
    ("open_book", 1, sealed_and_watched, {"leaked"}),
    ("memory_timer", 1, left_alone_with_running_clocks, {"broken"}),
]


@pytest.mark.parametrize(("bug", "webs", "trouble", "kinds"), BUGS, ids=[bug[0] for bug in BUGS])
async def test_the_checker_finds_a_planted_bug(bug, webs, trouble, kinds):
    findings = await found(bug, webs, trouble)
    assert kinds & {finding.kind for finding in findings}, findings


async def found(
    bug: str, webs: int, trouble: Callable[[Laboratory], Awaitable[None]]
) -> list[Finding]:
    """The findings of the checker on a server with a bug."""
    async with Laboratory("embedded", CI, bug, webs) as lab:
        traps = {bug: {}} if webs == 1 else {bug: {}, "unclaimed": {}}
        await lab.deployment.up(traps)
        await trouble(lab)
        await lab.rest(5)
        return await lab.verdict(is_quiet=False)


async def test_two_processes_without_the_bug_are_green():
    assert await found("unclaimed", 2, sealed_through_two_processes) == []


@pytest.mark.skipif(not database_servers.is_there(), reason="needs PostgreSQL and Redis")
async def test_the_checker_finds_what_a_replica_that_lagged_has_lost():
    async with Laboratory("servers", CI, "lagging replica") as lab:
        await failovers.failed_over(lab, is_synchronous=False)
        findings = await lab.verdict(is_quiet=False)
    assert "lost" in {finding.kind for finding in findings}
