"""Faults of order: races for one step, and duplicate, late or early frames."""

import asyncio
import time

from tests.faults.clients.game_setup import Wanted
from tests.faults.clients.random_players import Seat, latencies, share
from tests.faults.laboratory import Figure, Laboratory
from tests.support.page_client import Frame, PageClient

ROUNDS = 5  # of a game of Blotto: five races


async def last_seal(lab: Laboratory) -> list[Figure]:
    """Both seats seal at the same instant, through different processes where there are two."""
    await lab.deployment.up()
    count = -(-lab.scale.races // ROUNDS)
    batch = min(count, 40)
    while len(lab.tables) < count:
        tables = await lab.seat([Wanted("blotto")] * batch)
        for number in range(ROUNDS):
            await asyncio.gather(*(seal_together(table.seats, number) for table in tables))
        await lab.rest(10)
        await asyncio.gather(*(table.close() for table in tables))
    lab.runs = len(lab.tables) * ROUNDS
    rows = lab.deployment.rows()
    once = sum(
        sum(step["number"] == n and step["undone"] is None for step in rows[t.slug].steps) == 1
        for t in lab.tables
        for n in range(ROUNDS)
    )
    return [
        Figure("reveals per round", once / lab.runs, 1.0, "", True),
        Figure("ack p99", share(latencies(lab.pages), 0.99) * 1000, 150, " ms"),
    ]


async def seal_together(seats: dict[str, Seat], number: int) -> None:
    """Both seats send their troops for a round at the same instant."""
    pages = [(seat, seat.tabs[0]) for seat in seats.values()]
    states = [await tab.until(lambda s: s["step"] == number and s["prompt"]) for _, tab in pages]
    frames = [seat.turn(tab, state) for (seat, tab), state in zip(pages, states, strict=True)]
    asks = [tab.ask(frame) for (_, tab), frame in zip(pages, frames, strict=True)]
    answers = await asyncio.gather(*asks)
    assert all(answer["t"] == "receipt" for answer in answers), answers


async def two_tabs(lab: Laboratory) -> list[Figure]:
    """Two tabs of one seat send different troops at the same instant, under one id or two."""
    await lab.deployment.up()
    count = -(-lab.scale.races // ROUNDS)
    winners, agreed = 0, []
    while len(lab.tables) < count:
        tables = await lab.seat([Wanted("blotto")] * min(count, 40), tabs=2)
        for number in range(ROUNDS):
            for done in await asyncio.gather(
                *(_rival_tabs(lab, table.seats, number) for table in tables)
            ):
                winners += done[0] == 1
                agreed.append(done[1])
        await lab.rest(10)
        await asyncio.gather(*(table.close() for table in tables))
    lab.runs = len(lab.tables) * ROUNDS
    return [
        Figure("races with exactly one winner, share", winners / lab.runs, 1.0, "", True),
        Figure("both tabs agree after, p99", share(agreed, 0.99), 1.0, " s"),
    ]


async def _rival_tabs(lab: Laboratory, seats: dict[str, Seat], number: int) -> tuple[int, float]:
    """The number of winners of two rivals, and the seconds until both tabs showed one seal."""
    white, black = seats["white"], seats["black"]
    states = [await tab.until(lambda s: s["step"] == number and s["prompt"]) for tab in white.tabs]
    frames = [white.turn(tab, state) for tab, state in zip(white.tabs, states, strict=True)]
    if lab.random.random() < 0.5:
        frames[1]["id"] = frames[0]["id"]  # then the loser's body is another than the winner's
    began = time.monotonic()
    asks = [tab.ask(frame) for tab, frame in zip(white.tabs, frames, strict=True)]
    answers = await asyncio.gather(*asks)
    for tab in white.tabs:
        await tab.until(lambda s: s["your_seal"] is not None or s["step"] > number)
    agreed = time.monotonic() - began
    stands = {tuple(tab.state["your_seal"] or ()) for tab in white.tabs if tab.state}
    won = sum(answer["t"] == "receipt" and not answer["again"] for answer in answers)
    explained = {"already_sealed", "conflict", "stale_step"}
    is_clear = all(a["t"] == "receipt" or a["reason"] in explained for a in answers)
    tab = black.tabs[0]
    state = await tab.until(lambda s: s["step"] == number and s["prompt"])
    await tab.ask(black.turn(tab, state))
    return (won if len(stands) == 1 and is_clear else -1), agreed


async def doubled_frames(lab: Laboratory) -> list[Figure]:
    """Every frame comes three times: at once, and again when the game has moved on."""
    await lab.deployment.up()
    echoes = await doubled_play(lab)
    again = sum(
        event["e"] == "receipt" and event["again"] for page in lab.pages for event in page.log
    )
    return [
        Figure("echoes sent", echoes),
        Figure("receipts given again", again, 1, "", True),
    ]


async def doubled_play(lab: Laboratory) -> int:
    """Plays with every frame sent three times; returns the number of echoes."""
    echoes = 0

    async def three_times(seat: Seat, tab: PageClient, frame: Frame) -> None:
        nonlocal echoes
        answer = tab.expect(frame)
        await tab.send(frame, frame)
        await answer
        echoes += 2
        delay = lab.random.choice([0.0, 0.1, lab.random.uniform(0, 2)])
        lab.later(delay, seat.other_tab.send(frame))

    tables = await lab.seat(lab.mixture(lab.scale.games), tabs=2, pace=0.3)
    for table in tables:
        table.way = three_times
    lab.listen()
    lab.play()
    await asyncio.sleep(lab.scale.seconds)
    await lab.rest()
    await lab.all_later()
    return echoes


async def out_of_order(lab: Laboratory) -> list[Figure]:
    """Neighbours change places, and frames come that were made for an earlier step."""
    strange: list[asyncio.Future[Frame]] = []

    async def troubled(seat: Seat, tab: PageClient, frame: Frame) -> None:
        state = await tab.until(lambda state: True)
        first, *rest = frame["actions"]
        early = {**frame, "id": f"{frame['id']}-early", "step": frame["step"] + 1}
        stale = {**frame, "id": f"{frame['id']}-stale", "step": max(0, frame["step"] - 1)}
        if seat.table.key != "blotto" and rest:
            early["actions"] = rest
            frame = {**frame, "actions": [first]}
        elif seat.table.key == "blotto":
            early["actions"] = ["troops 10 0 0"]
            stale["actions"] = ["troops 10 0 0"]
        if state["step"] > 0:
            strange.append(tab.expect(stale))
        strange.append(tab.expect(early))
        answer = tab.expect(frame)
        await tab.send(*([stale] if state["step"] > 0 else []), early, frame)
        await answer

    await lab.deployment.up()
    tables = await lab.seat(lab.mixture(lab.scale.games), pace=0.3)
    for table in tables:
        table.way = troubled
    lab.play()
    await asyncio.sleep(lab.scale.seconds)
    await lab.rest()
    silent = sum(not answer.done() for answer in strange)
    moved = sum((table.pages[0].state or {}).get("step", 0) > 0 for table in tables)
    return [
        Figure("strange frames", len(strange)),
        Figure("without an answer", silent, 0),
        Figure("games that got nowhere", len(tables) - moved, 0),
    ]
