"""Deliberate attacks: huge frames, floods and all forms of JSON."""

import asyncio
import time

from tests.faults.clients.game_setup import FISCHER, Wanted
from tests.faults.clients.random_players import latencies, share
from tests.faults.clients.raw_client import BINARY, CONTINUED, TEXT, Raw
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.servers.process_usage import memory
from tests.faults.waiting import until

MIB = 2**20
ACT = '{"t":"act","topic":"game:SLUG","id":"%s","step":%s,"actions":%s}'
CORPUS: list[tuple[int, bytes]] = [
    (TEXT, text.encode("utf-8", "surrogatepass"))
    for text in (
        "",
        "null",
        "[]",
        "{",
        '{"t":"act"}',
        '{"t":"nonsense"}',
        '{"t":["act"]}',
        ACT % ("x1", "1" * 5_000, "[]"),
        ACT % ("x1", "true", '["troops 1 2 7"]'),
        ACT % ("x1", "1e400", '["troops 1 2 7"]'),
        ACT % ("x1", "NaN", '["troops 1 2 7"]'),
        ACT % ("x1", "-1", '["troops 1 2 7"]'),
        ACT % ("x1", "2147483648", '["troops 1 2 7"]'),
        ACT % ("x1", "0", '["troops\\u0000 1 2 7"]'),
        ACT % ("x1", "0", '["\\ud800"]'),
        ACT % ("\\u0000", "0", '["troops 1 2 7"]'),
        ACT % ("x1", "0", '["' + "a" * 5_000 + '"]'),
        ACT % ("x1", "0", "[" + '"a",' * 500 + '"a"]'),
        '{"t":"subscribe","t":"act","rev":0}',
        '{"t":"subscribe","topic":"lists","rev":0,"__proto__":{}}',
        '{"t":"subscribe","topic":"game:\\u0000"}',
        '{"t":"ping","revs":{"":-1}}',
        '{"t":"ping","revs":{"game:x":1e400}}',
        "[" * 15_000,
        '{"a":' * 3_000,
        "\ufeff{}",
        '"' + "é" * 7_000 + '"',
        ACT % ("x1", "2000000", '["troops 10 0 0"]'),
    )
] + [
    (TEXT, b"\xff\xfe\xfd"),
    (TEXT, b'{"t":"subscribe","rev":\xc3\x28}'),
    (BINARY, bytes(range(256))),
    (BINARY, b'{"t":"subscribe","rev":0}'),
]


async def huge_frames(lab: Laboratory) -> list[Figure]:
    """A frame of a megabyte, one in fragments, and one that never ends."""
    await lab.deployment.up()
    tables = await lab.seat([Wanted("amazons-8x8", FISCHER)] * 6, pace=0.1)
    lab.play()
    await asyncio.sleep(4)
    calm, began = share(latencies(lab.pages), 0.99), time.monotonic_ns()
    web = lab.deployment.webs[0]
    before = memory(web.pid)
    ended = 0
    for send in (_one_frame, _fragments, _endless):
        line = Raw(web.port, tables[0].slug)
        await line.open()
        reading = asyncio.create_task(line.read())
        await send(line)
        done, _ = await asyncio.wait([reading], timeout=10)
        ended += bool(done)
        reading.cancel()
        line.cut()
    grown = memory(web.pid) - before
    hurt = share(latencies(lab.pages, began), 0.99)
    await lab.rest()
    return [
        Figure("lines cut, of 3", ended, 3, "", True),
        Figure("memory of the server", grown, 2, " MiB"),
        Figure("ack p99 of others, more than before", (hurt - calm) * 1000, 50, " ms"),
    ]


async def _one_frame(line: Raw) -> None:
    await line.send(TEXT, b"a" * (MIB + 1))


async def _fragments(line: Raw) -> None:
    await line.send(TEXT, b"a" * 1_000, is_last=False)
    for _ in range(2_000):
        if not await line.send(CONTINUED, b"a" * 1_000, is_last=False):
            return
    await line.send(CONTINUED, b"", is_last=True)


async def _endless(line: Raw) -> None:
    await line.send(TEXT, b"a", is_last=False)
    for _ in range(50_000):
        if not await line.send(CONTINUED, b"a" * 100, is_last=False):
            return
        await asyncio.sleep(0)


async def floods(lab: Laboratory) -> list[Figure]:
    """Five sockets send all that must not be sent, as fast as they can; others play on."""
    await lab.deployment.up()
    tables = await lab.seat([Wanted("amazons-8x8", FISCHER)] * 4 + [Wanted("blotto")] * 2, pace=0.1)
    lab.play()
    await asyncio.sleep(1)
    web = lab.deployment.webs[0]
    before, began = memory(web.pid), time.monotonic_ns()
    answered = await _one_by_one(lab, tables[-1].slug, tables[-1].sessions["white"])
    sessions = [next(iter(table.sessions.values())) for table in tables]
    ends = await asyncio.gather(
        *(
            _flood(web.port, tables[n % 6].slug, sessions[n % 6], max(3.0, lab.scale.seconds / 2))
            for n in range(5)
        )
    )
    hurt = share(latencies(lab.pages, began), 0.99)
    grown = memory(web.pid) - before
    await lab.rest()
    return [
        Figure("strange frames answered or cut, share", answered, 1.0, "", True),
        Figure("frames of the floods", sum(sent for sent, _ in ends)),
        Figure("floods cut off, of 5", sum(is_cut for _, is_cut in ends), 5, "", True),
        Figure("tracebacks", lab.tracebacks(), 0),
        Figure("ack p99 of others", hurt * 1000, 250, " ms"),
        Figure("memory of the server", grown, 30, " MiB"),
    ]


async def _one_by_one(lab: Laboratory, slug: str, session: str) -> float:
    """Sends each strange frame on a line of its own; returns the share answered or closed."""
    told = 0
    for opcode, payload in CORPUS:
        line = Raw(lab.deployment.webs[0].port, slug, session)
        await line.open()
        reading = asyncio.create_task(line.read())
        await until(lambda: line.states() or reading.done(), 3)  # noqa: B023
        before = len(line.texts)
        await line.send(opcode, payload.replace(b"SLUG", slug.encode()))
        told += await until(lambda: len(line.texts) > before or reading.done(), 3)  # noqa: B023
        line.cut()
        await asyncio.wait([reading], timeout=5)
    return told / len(CORPUS)


async def _flood(port: int, slug: str, session: str, seconds: float) -> tuple[int, bool]:
    """Sends frames without pause; returns their number and whether the server cut the line."""
    sent, end = 0, time.monotonic() + seconds
    line = Raw(port, slug, session)
    await line.open()
    reading = asyncio.create_task(line.read())
    while time.monotonic() < end and not reading.done():
        for opcode, payload in CORPUS[4:20]:
            if not await line.send(opcode, payload.replace(b"SLUG", slug.encode())):
                break
            sent += 1
        await asyncio.sleep(0)
    is_cut = await until(reading.done, 5)
    line.cut()
    await asyncio.wait([reading], timeout=5)
    return sent, is_cut
