"""Faults of connections: frozen, half open, one-way, unread, all lost at once."""

import asyncio
import time

from tests.faults.cases.process_kills import gone_for
from tests.faults.clients.game_setup import FISCHER, Wanted
from tests.faults.clients.random_players import latencies, share
from tests.faults.clients.raw_client import TEXT, Raw
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.servers.process_usage import descriptors, memory
from tests.faults.servers.tcp_proxy import Proxy
from tests.faults.waiting import until
from tests.support.page_client import PageClient


async def proxied(lab: Laboratory, each: int = 1) -> list[Proxy]:
    """Puts so many proxies before each process, and sends the clients there."""
    proxies = [Proxy(port) for _ in range(each) for port in lab.deployment.ports()]
    for proxy in proxies:
        await proxy.open()
    lab.ports = lambda: [proxy.port for proxy in proxies]
    return proxies


async def frozen_clients(lab: Laboratory) -> list[Figure]:
    """Some clients stop reading and speaking for half a minute, some for two, then go on."""
    await lab.deployment.up()
    tables = await lab.seat(
        [Wanted("amazons-10x10", ("fischer", 900_000, 2_000))] * 6, watchers=12, pace=0.2
    )
    before = memory(lab.deployment.webs[0].pid)
    lab.play()
    await asyncio.sleep(1)
    frozen = [page for table in tables for page in table.pages if page.role is None]
    frozen += [tables[0].seats["white"].tabs[0], tables[1].seats["black"].tabs[0]]
    for page in frozen:
        page.freeze()
    delays: list[float] = []
    for seconds, pages in ((30, frozen[::2]), (120, frozen[1::2])):
        await asyncio.sleep(max(3, seconds * lab.scale.patience))
        delays += await asyncio.gather(*(_come_back(lab, page) for page in pages))
    grown = memory(lab.deployment.webs[0].pid) - before
    await lab.rest()
    return [
        Figure("all there again, slowest", max(delays), 2.0, " s"),
        Figure("memory of the server", grown, 5, " MiB"),
    ]


async def _come_back(lab: Laboratory, page: PageClient) -> float:
    """Seconds until a thawed page shows what the database had when it went on."""
    rev = {slug: rows.game["rev"] for slug, rows in lab.deployment.rows().items()}[page.slug]
    began = time.monotonic()
    page.thaw()
    await until(lambda: page.rev >= rev, 30)
    return time.monotonic() - began


async def black_hole(lab: Laboratory) -> list[Figure]:
    """Half of the lines swallow everything, both ways; nobody is told."""
    await lab.deployment.up()
    count = len(lab.deployment.webs)
    proxies = await proxied(lab, 2)
    await lab.seat(lab.mixture(lab.scale.games, FISCHER), watchers=lab.scale.watchers, pace=0.5)
    lab.play()
    await asyncio.sleep(2)
    holes = proxies[:count]
    began, began_ns = asyncio.get_running_loop().time(), time.monotonic_ns()
    hit = sum(proxy.lines for proxy in holes)
    for proxy in holes:
        proxy.swallows = {"up", "down"}
        proxy.is_shut = True
    await asyncio.sleep(max(14, 60 * lab.scale.patience))
    noticed = [
        (event["ns"] - began_ns) / 1e9
        for page in lab.pages
        for event in page.log
        if event["e"] == "dead"
    ]
    await until(lambda: sum(len(proxy.server_closed) for proxy in holes) >= hit, 60, 0.2)
    reaped = [at - began for proxy in holes for at in proxy.server_closed if at > began]
    await lab.rest()
    for proxy in proxies:
        await proxy.close()
    lab.ports = lab.deployment.ports
    await lab.connected()
    await lab.rest()
    return [
        Figure("lines swallowed", hit),
        Figure("noticed by the client, slowest", max(noticed, default=0), 12.0, " s"),
        Figure("reaped by the server, slowest", max(reaped, default=0), 45.0, " s"),
        Figure("never reaped", hit - len(reaped), 0),
    ]


async def lost_answer(lab: Laboratory) -> list[Figure]:
    """All messages of the server are lost for three seconds; then the lines break."""
    await lab.deployment.up()
    proxies = await proxied(lab)
    lost = 0
    await lab.seat(lab.mixture(lab.scale.games), watchers=4, pace=0.3)
    lab.listen()
    lab.play()
    for _ in range(max(2, int(lab.scale.blows / 8))):
        await asyncio.sleep(lab.random.uniform(0.5, 1.5))
        for proxy in proxies:
            proxy.swallows = {"down"}
        await asyncio.sleep(3)
        lost += sum(len(page.unanswered) for page in lab.pages)
        for proxy in proxies:
            proxy.cut()
            proxy.swallows = set()
    await lab.rest()
    again = sum(e["e"] == "receipt" and e["again"] for page in lab.pages for e in page.log)
    for proxy in proxies:
        await proxy.close()
    lab.ports = lab.deployment.ports
    await lab.connected()
    await lab.rest()
    return [
        Figure("answers that were lost", lost),
        Figure("receipts given again", again, 1, "", True),
    ]


async def slow_readers(lab: Laboratory) -> list[Figure]:
    """Spectators that take in four kilobytes and read nothing; half of them go on talking."""
    await lab.deployment.up()
    wanted = [Wanted("amazons-10x10", FISCHER)] * 6
    tables = await lab.seat(wanted, pace=0.1)
    lab.play()
    await asyncio.sleep(3)
    calm = share(latencies(lab.pages), 0.99)
    web = lab.deployment.webs[0]
    before, files = memory(web.pid), descriptors(web.pid)
    deaf = [Raw(web.port, tables[n % len(tables)].slug, buffer=4096) for n in range(50)]
    for each in deaf:
        await each.open()
        each.pause()
    began, began_ns = time.monotonic(), time.monotonic_ns()
    talking = asyncio.create_task(_talk(deaf[::2]))
    peak, gone_at = before, None
    for _ in range(120):
        await asyncio.sleep(0.5)
        peak = max(peak, memory(web.pid))
        if gone_at is None and descriptors(web.pid) <= files + 2:
            gone_at = time.monotonic() - began
            break
    left = max(0, descriptors(web.pid) - files - 2) if gone_at is None else 0
    talking.cancel()
    for each in deaf:
        each.cut()
    hurt = share(latencies(lab.pages, began_ns), 0.99)
    await lab.rest()
    return [
        Figure("dropped after", gone_at or 60.0, 30.0, " s"),
        Figure("still connected then", left, 0),
        Figure("memory of the server", peak - before, 50, " MiB"),
        Figure("ack p99 before", calm * 1000, None, " ms"),
        Figure("ack p99 meanwhile", hurt * 1000, max(50.0, calm * 1200), " ms"),
    ]


async def _talk(deaf: list[Raw]) -> None:
    while True:
        for each in deaf:
            if not each.writer.is_closing():
                await each.send(TEXT, b'{"t":"ping","revs":{"game:%s":-1}}' % each.slug.encode())
        await asyncio.sleep(0.1)


async def reconnect_storm(lab: Laboratory) -> list[Figure]:
    """All spectators lose their lines at once and come back."""
    await lab.deployment.up()
    proxies = await proxied(lab)
    players = await lab.seat([Wanted("amazons-8x8", FISCHER)] * 10, pace=0.3)
    watched = await lab.seat([Wanted("pincer", FISCHER)] * 10, watchers=lab.scale.sockets, pace=0.5)
    lab.play()
    await asyncio.sleep(2)
    crowd = [page for table in watched for page in table.pages]
    for page in [p for table in players for p in table.pages]:
        page.ports = lab.deployment.ports
        page.cut()  # the players' lines do not go through what is cut
    await asyncio.sleep(2)
    began = time.monotonic_ns()
    for proxy in proxies:
        proxy.cut()
    await asyncio.sleep(0.2)
    await until(lambda: all(_synced(page, began) for page in crowd), 60, 0.1)
    synced = [at for page in crowd if (at := _synced(page, began))]
    hurt = latencies([p for t in players for p in t.pages], began)
    await lab.rest()
    for proxy in proxies:
        await proxy.close()
    lab.ports = lab.deployment.ports
    await lab.connected()
    await lab.rest()
    return [
        Figure("sockets", len(crowd)),
        Figure("99 % have the state after", share(synced, 0.99), 10.0, " s"),
        Figure("never came back", len(crowd) - len(synced), 0),
        Figure("without a line p99", share(gone_for(lab), 0.99), None, " s"),
        Figure("ack p99 of the others", share(hurt, 0.99), 1.0, " s"),
    ]


def _synced(page: PageClient, since: int) -> float:
    """Seconds until a page knew the state again on a line that it opened after a moment; or 0."""
    opened = False
    for event in reversed(page.log):
        if event["ns"] <= since:
            break
        opened = opened or event["e"] == "open"
    if not opened:
        return 0.0
    reopened = next(e["ns"] for e in page.log if e["e"] == "open" and e["ns"] > since)
    heard = (e["ns"] for e in page.log if e["ns"] > reopened and e["e"] in ("state", "pong"))
    at = next(heard, 0)
    return (at - since) / 1e9 if at else 0.0
