"""Faults of web processes: killed at the worst moment, redeployed, down for long.

Kills and traps strike the web process, the child of `serve`'s parent, which starts it again; now
and then both die, as when a machine fails.
"""

import asyncio
import json
import time

from tests.faults.clients.game_setup import Wanted
from tests.faults.clients.random_players import share
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.servers.deployments import SiteProcess
from tests.faults.waiting import until

MACHINES = 10  # every tenth blow ends parent and web process
POINTS = ("kill", "before_commit", "after_commit", "after_ack", "mid")


async def killed_mid_submission(lab: Laboratory, blows: int = 0) -> list[Figure]:
    """Kills a process around a submission, again and again: unless told how often, at each of the
    points at least once."""
    return await _killed_again_and_again(lab, POINTS, blows or max(lab.scale.blows, len(POINTS)))


async def killed_at_the_reveal(lab: Laboratory) -> list[Figure]:
    """The same inside the transaction in which both seals become a step."""
    points = ("mid", "before_commit", "after_commit")
    return await _killed_again_and_again(lab, points, lab.scale.blows, is_reveal=True)


async def _killed_again_and_again(
    lab: Laboratory, points: tuple[str, ...], blows: int, is_reveal: bool = False
) -> list[Figure]:
    lab.deployment.is_dying = True
    await lab.deployment.up()
    wanted = [Wanted("blotto")] * lab.scale.games if is_reveal else lab.mixture(lab.scale.games)
    await lab.seat(wanted, watchers=lab.scale.watchers, pace=0.15)
    lab.listen()
    lab.play()
    delays: list[float] = []
    killed: set[int] = set()  # pids of web processes
    machines = 0
    for n in range(blows):
        await lab.refill(wanted)
        point = points[n % len(points)]
        victim = lab.deployment.webs[n % len(lab.deployment.webs)]
        others = [web for web in lab.deployment.webs if web is not victim]
        if n % MACHINES == MACHINES - 1:
            await _next_submission(lab)
            victim.kill()
            machines += 1
        elif point != "kill":
            after = lab.random.randint(1, 10)
            before = victim.sprung()
            victim.arm({"at": point, "after": after, "is_reveal": is_reveal})
            for web in others:
                web.kill()  # so that everybody comes to the victim
            await _struck(lab, victim, n, before)
        else:
            await asyncio.sleep(lab.random.uniform(0.3, 1))
            await _next_submission(lab)
            await asyncio.sleep(lab.random.uniform(0, 0.02))
            killed.add(victim.kill_web())
        died = time.monotonic_ns()
        await asyncio.gather(*(w.start() for w in lab.deployment.webs if not w.is_running))
        await victim.ready()
        delays += await _acked_again(lab, died)
    lab.runs = blows
    await lab.rest()
    return [
        Figure("answered after the restart, p99", share(delays, 0.99), 3.0, " s"),
        Figure("frames under way at a death", len(delays)),
        Figure("web processes killed from outside, their parents not", len(killed)),
        Figure("parents and web processes killed", machines),
    ]


async def _struck(lab: Laboratory, victim: SiteProcess, n: int, before: int) -> None:
    """Waits until the trap has sprung, playing on where the games have come to their ends."""
    for _ in range(10):
        if await until(lambda: victim.sprung() > before, 4, 0.005):
            break
        if all(table.is_over for table in lab.tables):
            lab.play(await lab.seat([Wanted("blotto")] * 4, pace=0.1, is_awaited=False))
    assert victim.sprung() > before, f"planned_end {n} did not strike: {victim.tail()}"


async def _next_submission(lab: Laboratory) -> None:
    """Waits until somebody has sent something."""
    before = sum(len(page.log) for page in lab.pages)
    await until(lambda: sum(len(page.log) for page in lab.pages) > before, 2, 0.002)


async def _acked_again(lab: Laboratory, died: int) -> list[float]:
    """Waits for the answers to frames in flight at a death; returns seconds after the restart."""
    ready = time.monotonic_ns()
    waiting = [(page, id) for page in lab.pages for id in page.unanswered]
    await until(lambda: not any(id in page.unanswered for page, id in waiting), 20)
    found = []
    for page, id in waiting:
        answers = [e["ns"] for e in page.log if e["e"] in ("receipt", "refused") and e["id"] == id]
        if answers and answers[0] > died:
            found.append(max(0.0, (answers[0] - ready) / 1e9))
    return found


async def deployed_anew(lab: Laboratory) -> list[Figure]:
    """Tells each process to end in turn, and starts its successor, under load."""
    await lab.deployment.up()
    await lab.seat(lab.mixture(lab.scale.games), watchers=lab.scale.watchers, pace=0.3)
    lab.play()
    statuses, gaps = [], []
    for web in lab.deployment.webs:
        await asyncio.sleep(min(2.0, lab.scale.seconds / 4))
        began = time.monotonic()
        statuses.append(await web.stop())
        await web.start()
        gaps.append(time.monotonic() - began)
        await asyncio.sleep(2)
    lab.runs = len(gaps)
    await lab.rest()
    away, codes = gone_for(lab), close_codes(lab)
    told = sum(event["e"] == "bye" for page in lab.pages for event in page.log)
    restarts = codes.get(1012, 0) + codes.get(4012, 0)
    figures = [
        Figure("ended with an error", sum(status != 0 for status in statuses), 0),
        Figure("lines that ended without notice", max(0, len(away) - told), 0),
        Figure("lines closed with 1012 or 4012, share", restarts / max(1, len(away)), 1, "", True),
        Figure("reconnect p50", share(away, 0.5), 2.0, " s"),
        Figure("reconnect p99", share(away, 0.99), 8.0, " s"),
    ]
    if len(lab.deployment.webs) == 1:
        figures.append(Figure("time lost by clocks", clock_error(lab, gaps[0]), 0.1, " s"))
    return figures


async def down_for_long(lab: Laboratory) -> list[Figure]:
    """Nobody serves for half a minute in the middle of steps whose clocks would have run out."""
    seconds = max(6.0, 30 * lab.scale.patience)
    await lab.deployment.up()
    ms = int(seconds * 1000)
    clocks = [("fischer", ms, 1_000), ("limit", ms, 0)]
    wanted = [Wanted(key, clocks[n % 2]) for n in range(4) for key in ("blotto", "pincer")]
    tables = await lab.seat(wanted, pace=0.2)
    lab.play()
    await asyncio.sleep(2)
    for web in lab.deployment.webs:
        web.kill()
    died = time.monotonic()
    await asyncio.sleep(seconds)
    await asyncio.gather(*(web.start() for web in lab.deployment.webs))
    gap = time.monotonic() - died
    await lab.connected()
    await asyncio.sleep(1)
    rows = lab.deployment.rows()
    flagged = sum(rows[t.slug].game["reason"] in ("time", "no_show") for t in tables)
    await lab.rest()
    return [
        Figure("flagged by down-time", flagged, 0),
        Figure("error of the credit", clock_error(lab, gap), 1.0, " s"),
    ]


def gone_for(lab: Laboratory) -> list[float]:
    """The seconds until a page was connected again, for each lost connection."""
    found = []
    for page in lab.pages:
        lost = None
        for event in page.log:
            if event["e"] == "closed":
                lost = event["ns"]
            elif event["e"] == "open" and lost is not None:
                found.append((event["ns"] - lost) / 1e9)
                lost = None
    return found


def close_codes(lab: Laboratory) -> dict[int | None, int]:
    """The number of closed connections by close code."""
    codes: dict[int | None, int] = {}
    for page in lab.pages:
        for event in page.log:
            if event["e"] == "closed":
                codes[event["code"]] = codes.get(event["code"], 0) + 1
    return codes


def clock_error(lab: Laboratory, gap: float) -> float:
    """The largest difference in seconds between a clock's credit and the time of a stop.

    The rest of the pause after a reveal is on nobody's clock, and is not credited.
    """
    errors = []
    for table in lab.tables:
        rows = lab.deployment.rows()[table.slug]
        given = sum(json.loads(e["body"])["ms"] for e in rows.entries if e["kind"] == "credit")
        is_counted = rows.game["ended"] is None and rows.game["clock_kind"] != "none"
        if is_counted:
            pause = json.loads(rows.entries[0]["body"])["reveal_pause_ms"] / 1000
            missing = gap - given / 1000
            errors.append(max(-missing, missing - pause))
    return max(errors, default=0.0)
