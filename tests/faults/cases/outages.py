"""Faults of Redis and PostgreSQL: killed, frozen, full, overloaded."""

import asyncio
import signal
import time
from contextlib import ExitStack

import httpx
import psycopg

from tests.faults.cases.clocks_and_hints import staleness
from tests.faults.clients.random_players import latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.waiting import until


async def _under_way(lab: Laboratory, pace: float = 0.3) -> None:
    """Games that are played and watched through both processes."""
    await lab.deployment.up()
    wanted = lab.mixture(lab.scale.games)
    await lab.seat(wanted, watchers=lab.scale.watchers, pace=pace)
    lab.listen()
    lab.play()
    await asyncio.sleep(2)


async def redis_killed(lab: Laboratory) -> list[Figure]:
    """Redis dies, stays away for five seconds, and comes back empty."""
    await _under_way(lab)
    redis = lab.deployment.redis
    assert redis is not None
    began = time.monotonic_ns()
    await asyncio.to_thread(redis.kill)
    await asyncio.sleep(5)
    ended = time.monotonic_ns()
    await asyncio.to_thread(redis.start)
    figures = _without_hints(lab, began, ended)
    await asyncio.sleep(3)
    await lab.rest()
    return figures


def _without_hints(lab: Laboratory, began: int, ended: int) -> list[Figure]:
    """The figures of a period without hints from Redis."""
    acks = latencies(lab.pages, began, ended)
    sent = sum(
        e["e"] == "sent" and began <= e["ns"] <= ended - 10**9 for p in lab.pages for e in p.log
    )
    stale = [
        delay for t in lab.tables if not t.is_over for delay in staleness(t.pages, began, ended)
    ]
    return [
        Figure("accepted meanwhile, share", min(1.0, len(acks) / max(1, sent)), 0.99, "", True),
        Figure("ack p99 meanwhile", share(acks, 0.99) * 1000, 500, " ms"),
        Figure("seen by others after, p99", share(stale, 0.99), 2.0, " s"),
    ]


async def redis_hangs(lab: Laboratory) -> list[Figure]:
    """Redis takes connections and says nothing for twenty seconds."""
    await _under_way(lab)
    redis = lab.deployment.redis
    assert redis is not None
    began = time.monotonic_ns()
    redis.signal(signal.SIGSTOP)
    await asyncio.sleep(max(6.0, 20 * lab.scale.patience))
    redis.signal(signal.SIGCONT)
    figures = _without_hints(lab, began, time.monotonic_ns())
    await asyncio.sleep(2)
    await lab.rest()
    return figures


async def redis_full(lab: Laboratory) -> list[Figure]:
    """Everything in Redis is deleted; then it takes no more."""
    await _under_way(lab)
    redis = lab.deployment.redis
    assert redis is not None
    client = redis.client()
    began = time.monotonic_ns()
    await asyncio.to_thread(client.flushall)
    await asyncio.sleep(max(2.0, 5 * lab.scale.patience))
    await asyncio.to_thread(client.config_set, "maxmemory-policy", "noeviction")
    await asyncio.to_thread(client.config_set, "maxmemory", "1mb")
    await asyncio.sleep(max(3.0, 10 * lab.scale.patience))
    figures = _without_hints(lab, began, time.monotonic_ns())
    await asyncio.to_thread(client.config_set, "maxmemory", "0")
    await asyncio.sleep(2)
    rows = lab.deployment.rows()
    await lab.rest()
    deaf = sum(
        page.rev < rows[page.slug].game["rev"] for page in lab.pages if page.line is not None
    )
    return [*figures, Figure("deaf sockets", deaf, 0)]


async def postgres_restarted(lab: Laboratory) -> list[Figure]:
    """PostgreSQL ends all connections without a word and recovers, three times."""
    await _under_way(lab)
    postgres = lab.deployment.postgres
    assert postgres is not None
    back = []
    for _ in range(3):
        await lab.refill(lab.mixture(lab.scale.games))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgres.restart_at_once)
        up = time.monotonic_ns()
        await until(lambda: _receipts(lab, up), 20)  # noqa: B023
        back.append((min(_receipts(lab, up), default=up + 20 * 10**9) - up) / 1e9)
        await asyncio.sleep(1)
    lab.runs = len(back)
    await lab.rest()
    busy = sum(e["e"] == "refused" and e["reason"] == "busy" for p in lab.pages for e in p.log)
    connections = int(postgres.ask("select count(*) from pg_stat_activity")[0][0])
    return [
        Figure("first receipt after it is up, slowest", max(back), 2.0, " s"),
        Figure("refused as busy", busy),
        Figure("connections at the end", connections, 90),
    ]


def _receipts(lab: Laboratory, since: int) -> list[int]:
    """The times of the receipts after a moment (monotonic ns)."""
    return [
        event["ns"]
        for page in lab.pages
        for event in page.log
        if event["e"] == "receipt" and event["ns"] > since
    ]


async def postgres_frozen(lab: Laboratory) -> list[Figure]:
    """Every process of PostgreSQL stops for a quarter of a minute; the sockets stay alive."""
    await _under_way(lab)
    postgres = lab.deployment.postgres
    assert postgres is not None
    postgres.freeze()
    seconds = max(6.0, 15 * lab.scale.patience)
    stalls = await _stalls(lab, seconds)
    postgres.thaw()
    thawed = time.monotonic_ns()
    resumed = await until(lambda: _receipts(lab, thawed), 20)
    await asyncio.sleep(2)
    flagged = sum(rows.game["reason"] == "time" for rows in lab.deployment.rows().values())
    await lab.rest()
    return [
        Figure("a page without the database, slowest", max(stalls) * 1000, 200, " ms"),
        Figure("flagged by it", flagged, 0),
        Figure("never went on", not resumed, 0),
    ]


async def _stalls(lab: Laboratory, seconds: float) -> list[float]:
    """The seconds of repeated requests for a page that needs no database."""
    found = []
    end = time.monotonic() + seconds
    async with httpx.AsyncClient(trust_env=False, timeout=20) as visitor:
        for _ in range(int(seconds / 0.2)):
            began = time.monotonic()
            await visitor.get(f"http://127.0.0.1:{lab.deployment.ports()[0]}/robots.txt")
            found.append(time.monotonic() - began)
            await asyncio.sleep(0.2)
            if time.monotonic() > end:
                break
    return found


async def postgres_crowded(lab: Laboratory) -> list[Figure]:
    """Others hold nearly every connection that PostgreSQL has; then they go."""
    await _under_way(lab)
    postgres = lab.deployment.postgres
    assert postgres is not None
    with ExitStack() as held:
        for _ in range(95):
            try:
                held.enter_context(psycopg.connect(postgres.url))
            except psycopg.OperationalError:
                break
        began = time.monotonic_ns()
        for web in lab.deployment.webs:
            web.kill()
        lab.deployment.webs[1].spawn()  # it has to start while there is hardly any room
        await asyncio.sleep(max(4.0, 10 * lab.scale.patience))
    freed = time.monotonic()
    if not lab.deployment.webs[1].is_running:
        lab.deployment.webs[1].spawn()
    await lab.deployment.webs[0].start()
    await lab.deployment.webs[1].ready()
    since = time.monotonic_ns()
    await until(lambda: _receipts(lab, since), 20)
    recovery = time.monotonic() - freed
    await asyncio.sleep(1)
    await lab.rest()
    crowded = latencies(lab.pages, began)
    return [
        Figure("served again after, processes started anew", recovery, 10.0, " s"),
        Figure("ack p99", share(crowded, 0.99), None, " s"),
    ]
