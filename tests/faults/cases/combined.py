"""Fault 30: blocked event loops, all faults at once, and a restored backup."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable

from tests.faults.cases.clocks_and_hints import stalled_loop
from tests.faults.cases.sqlite_files import copied
from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.laws.evidence import Evidence
from tests.faults.laws.stored_rows import read_rows
from tests.faults.laws.verdict import SKEW, judged
from tests.faults.servers.deployments import Servers
from tests.faults.servers.tcp_proxy import Proxy

PlannedEnd = Callable[[Laboratory, list[Proxy]], Awaitable[None]]


async def kill(lab: Laboratory, proxies: list[Proxy]) -> None:
    """A web process dies and is started again."""
    web = lab.random.choice(lab.deployment.webs)
    web.kill()
    await asyncio.sleep(lab.random.uniform(0, 1))
    await web.start({"stall": {"seconds": 3.0}})


async def stop(lab: Laboratory, proxies: list[Proxy]) -> None:
    """A web process is told to end and has a successor."""
    web = lab.random.choice(lab.deployment.webs)
    await web.stop()
    await web.start({"stall": {"seconds": 3.0}})


async def stall(lab: Laboratory, proxies: list[Proxy]) -> None:
    """An event loop stands still."""
    lab.random.choice(lab.deployment.webs).signal(signal.SIGUSR2)
    await asyncio.sleep(4)


async def cut(lab: Laboratory, proxies: list[Proxy]) -> None:
    """All lines of a proxy break."""
    lab.random.choice(proxies).cut()


async def swallow(lab: Laboratory, proxies: list[Proxy]) -> None:
    """All messages of the server are lost for two seconds, and then the lines break."""
    proxy = lab.random.choice(proxies)
    proxy.swallows = {"down"}
    await asyncio.sleep(2)
    proxy.cut()
    proxy.swallows = set()


async def crawl(lab: Laboratory, proxies: list[Proxy]) -> None:
    """A line gets slow."""
    proxy = lab.random.choice(proxies)
    proxy.delay = 0.2
    await asyncio.sleep(3)
    proxy.delay = 0.0


async def redis_dies(lab: Laboratory, proxies: list[Proxy]) -> None:
    """Redis dies and comes back empty."""
    assert lab.deployment.redis is not None
    await asyncio.to_thread(lab.deployment.redis.kill)
    await asyncio.sleep(2)
    await asyncio.to_thread(lab.deployment.redis.start)


async def postgres_restarts(lab: Laboratory, proxies: list[Proxy]) -> None:
    """PostgreSQL ends all connections and recovers."""
    assert lab.deployment.postgres is not None
    await asyncio.to_thread(lab.deployment.postgres.restart_at_once)


ANYWHERE: tuple[PlannedEnd, ...] = (kill, stop, stall, cut, swallow, crawl)
WITH_SERVERS: tuple[PlannedEnd, ...] = (*ANYWHERE, redis_dies, postgres_restarts)


async def stalls_and_everything(lab: Laboratory) -> list[Figure]:
    """Stalls; then blows of all kinds at random moments; then the last backup is restored."""
    figures = await stalled_loop(lab)
    proxies = [Proxy(port) for port in lab.deployment.ports()]
    for proxy in proxies:
        await proxy.open()
    lab.ports = lambda: [proxy.port for proxy in proxies]
    blows = WITH_SERVERS if isinstance(lab.deployment, Servers) else ANYWHERE
    began, strikes = time.monotonic(), 0
    for _ in range(1_000):
        if time.monotonic() - began > max(25.0, 600 * lab.scale.patience * lab.scale.patience):
            break
        await lab.refill(lab.mixture(max(8, lab.scale.games // 3)), 0.3)
        await lab.random.choice(blows)(lab, proxies)
        strikes += 1
        await asyncio.sleep(lab.random.uniform(0.5, 3))
    lab.runs = strikes
    restored = await _restored(lab)
    for proxy in proxies:
        await proxy.close()
    lab.ports = lab.deployment.ports
    await lab.rest(60)
    return [
        *figures,
        Figure("blows", strikes),
        Figure("ack p99 in all of it", share(latencies(lab.pages), 0.99), None, " s"),
        Figure("faults in the restored backup", restored, 0),
    ]


async def _restored(lab: Laboratory) -> int:
    """The number of findings in a copy of the database that was made under load."""
    if isinstance(lab.deployment, Servers):
        assert lab.deployment.postgres is not None
        source = await asyncio.to_thread(lab.deployment.postgres.copied)
        rows = await asyncio.to_thread(read_rows, source)
    else:
        to = lab.deployment.folder / "backup.db"
        await asyncio.to_thread(copied, lab.deployment.database, to)
        rows = await asyncio.to_thread(read_rows, to)
    # The clients' logs are not used: the backup lacks actions acknowledged after it.
    games = [Evidence(each, [], skew=SKEW, extra={"is_restored": True}) for each in rows.values()]
    return len(await asyncio.to_thread(judged, games, lab.leak_detector))
