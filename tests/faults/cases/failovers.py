"""Faults that take all of a kind: every back-end of the proxy, the primary database."""

import asyncio
import time

import httpx

from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import SETTLE, Figure, Laboratory
from tests.faults.servers.deployments import Servers
from tests.faults.waiting import until
from tests.support.servers.nginx import PlainNginx

WRITES_AGAIN_S = 5.0  # limit, after a promotion; the pool waits as long for a connection
TIMELINE_SQL = "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"  # hexadecimal
TOO_MANY = 429  # by nginx: all pages come from one address here, and are back twice a second each
PROXY_BACK_S = 1.0  # limit, for the proxy to find a back-end that answers again


async def back_ends_down(lab: Laboratory) -> list[Figure]:
    """All web processes are killed at once, so that the proxy has no back-end for some seconds."""
    away_s = max(4.0, 12 * lab.scale.patience)
    await lab.deployment.up()
    ports = lab.deployment.ports()
    proxy = PlainNginx(lab.deployment.folder / "nginx", (ports[0], ports[-1]))
    await asyncio.to_thread(proxy.start)
    try:
        lab.ports = lambda: [proxy.port]
        await lab.seat(lab.mixture(lab.scale.games), watchers=lab.scale.watchers)
        lab.play()
        await asyncio.sleep(2)
        for web in lab.deployment.webs:
            web.kill()
        refused = await _answers(proxy.port, away_s)
        await asyncio.gather(*(web.start() for web in lab.deployment.webs))
        served_after_s = await _served_after(proxy.port)
        back_ns = time.monotonic_ns()
        is_back = await until(lambda: all(page.line is not None for page in lab.pages), 30)
        pages_s = (time.monotonic_ns() - back_ns) / 1e9
        await until(lambda: _receipts(lab, back_ns), 20)
        acked = sorted(_receipts(lab, back_ns))
        flagged = sum(rows.game["reason"] == "time" for rows in lab.deployment.rows().values())
        await lab.rest()
    finally:
        await asyncio.to_thread(proxy.stop)
        lab.ports = lab.deployment.ports
    return [
        Figure("answers of the proxy without a back-end, not 429, 502 or 504", _wrong(refused), 0),
        Figure("of them 429", sum(status == TOO_MANY for status, _ in refused)),
        Figure("such an answer, slowest", max(s for _, s in refused), 2.5, " s"),
        Figure("page through the proxy after a process answers", served_after_s, PROXY_BACK_S, "s"),
        Figure("all pages back after", pages_s, 10.0, " s"),
        Figure("pages that stay away", not is_back, 0),
        Figure("next accepted action after", _since(acked, back_ns), 3.0, " s"),
        Figure("flagged by it", flagged, 0),
    ]


async def _answers(port: int, seconds: float) -> list[tuple[int, float]]:
    """Asks for a page again and again: status and seconds of each answer."""
    found = []
    end = time.monotonic() + seconds
    async with httpx.AsyncClient(trust_env=False, timeout=10) as visitor:
        for _ in range(int(seconds / 0.2)):
            if time.monotonic() > end:
                break
            began = time.monotonic()
            answer = await visitor.get(f"http://127.0.0.1:{port}/robots.txt")
            found.append((answer.status_code, time.monotonic() - began))
            await asyncio.sleep(0.2)
    return found


def _wrong(answers: list[tuple[int, float]]) -> int:
    return sum(status not in (TOO_MANY, 502, 504) for status, _ in answers)


async def _served_after(port: int) -> float:
    """Seconds until the proxy serves a page again."""
    began = time.monotonic()
    async with httpx.AsyncClient(trust_env=False, timeout=10) as visitor:
        for _ in range(300):
            if (await visitor.get(f"http://127.0.0.1:{port}/robots.txt")).status_code == 200:
                break
            await asyncio.sleep(0.1)
    return time.monotonic() - began


async def failed_over(lab: Laboratory, is_synchronous: bool = True) -> list[Figure]:
    """The primary loses its power; a replica is promoted after a moment, at another address.

    With `is_synchronous` unset, the replica lags when the primary dies: then acknowledged actions
    are lost, which the laws have to find.
    """
    deployment = lab.deployment
    assert isinstance(deployment, Servers)
    await deployment.foundations()
    replica = await deployment.add_replica(is_synchronous)
    await deployment.webs_up(dict.fromkeys("AB"[: deployment.count]))
    await lab.seat(lab.mixture(lab.scale.games), watchers=lab.scale.watchers)
    lab.listen()
    lab.play()
    await asyncio.sleep(max(1.0, lab.scale.seconds / 4))
    if not is_synchronous:
        replica.stop_receiving()
        await asyncio.sleep(1)
    primary = deployment.postgres
    assert primary is not None
    died_ns = time.monotonic_ns()
    before = lab.acknowledged
    await asyncio.to_thread(primary.power_off)
    await asyncio.sleep(lab.random.uniform(0.5, 3))  # until somebody notices
    await deployment.fail_over()
    promoted_ns = time.monotonic_ns()
    await until(lambda: _receipts(lab, promoted_ns), 30)
    acked = sorted(_receipts(lab, promoted_ns))
    first_s = _since(acked, promoted_ns)
    await asyncio.sleep(max(2.0, lab.scale.seconds / 4))
    flagged = sum(rows.game["reason"] == "time" for rows in deployment.rows().values())
    await lab.rest(SETTLE if is_synchronous else 5)  # pages that have seen more do not settle
    timeline = int(replica.ask(TIMELINE_SQL)[0][0], 16)
    return [
        Figure("acknowledged before", before, 1, "", True),
        Figure("without a primary", (promoted_ns - died_ns) / 1e9, None, " s"),
        Figure("first receipt after the promotion", first_s, WRITES_AGAIN_S, " s"),
        Figure("ack p99 after it", share(latencies(lab.pages, promoted_ns), 0.99), None, " s"),
        Figure("flagged by it", flagged, 0),
        Figure("timeline of the new primary", timeline, 2, "", True),
    ]


def _receipts(lab: Laboratory, since_ns: int) -> list[int]:
    """The times of the receipts after a moment (monotonic ns)."""
    return [
        event["ns"]
        for page in lab.pages
        for event in page.log
        if event["e"] == "receipt" and event["ns"] > since_ns
    ]


def _since(moments: list[int], since_ns: int) -> float:
    """Seconds to the first of some moments; infinite if there is none."""
    return (moments[0] - since_ns) / 1e9 if moments else float("inf")
