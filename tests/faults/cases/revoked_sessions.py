"""Fault 29: a session ends while its socket is open in the middle of a game."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence

import httpx

from tests.faults.clients.game_setup import FISCHER, PASSWORD, Wanted
from tests.faults.clients.random_players import Table
from tests.faults.laboratory import Figure, Laboratory
from tests.faults.laws.evidence import DEPARTURE, Finding
from tests.faults.laws.stored_rows import Row
from tests.faults.waiting import until
from tests.support.servers.server_process import ROOT

SIGNED_OUT_CODE = 4401
# Each process reads the revocations of others twice a second: until then its pages may act.
CLOSE = 600  # ms
SHELL = {
    "suspended": "from accounts.account_service import suspend; suspend({user})",
    "departed": "from accounts.account_service import delete_user; delete_user({user})",
}


async def ended_sessions(lab: Laboratory) -> list[Figure]:
    """Log-out, another password, suspension and departure, each in the middle of play."""
    await lab.deployment.up()
    delays, late, open_still = [], 0, 0
    kinds = ("logged out", "another password", "suspended", "departed")
    rounds = max(1, int(10 * lab.scale.patience))
    lab.runs = rounds * len(kinds)
    for _ in range(rounds):
        for kind in kinds:
            (table,) = await lab.seat(
                [Wanted("amazons-10x10", FISCHER, is_account=True)], tabs=2, pace=0.02
            )
            lab.play([table])
            await asyncio.sleep(lab.random.uniform(1, 2))
            white = table.seats["white"].tabs
            if kind == "another password":
                white[1].session = table.others["white"]  # the browser in which it is changed
                white[1].cut()
                await until(lambda: white[1].line is not None, 10)  # noqa: B023
            began = time.monotonic_ns()
            await _end(lab, table, kind)
            done = time.monotonic_ns()
            doomed = white[:1] if kind == "another password" else white
            await until(lambda: all(_closed(page, began) for page in doomed), 10)  # noqa: B023
            delays += [max(0.0, (_closed(page, began) - done) / 1e9) for page in doomed]
            open_still += sum(not _closed(page, began) for page in doomed)
            late += _late(lab, table, kind)
            await asyncio.sleep(0.5)
            table.is_paused.clear()
    await lab.rest()
    return [
        Figure("actions after the revocation", late, 0),
        Figure("sockets that stay open", open_still, 0),
        Figure("closed after, slowest", max(delays), 2.0, " s"),
    ]


def _closed(page: object, since: int) -> int:
    """The time (ns) after a moment at which a page was closed as signed out; 0 if never."""
    return next(
        (
            event["ns"]
            for event in page.log  # type: ignore[attr-defined]
            if event["e"] == "closed" and event["ns"] > since and event["code"] == SIGNED_OUT_CODE
        ),
        0,
    )


def _late(lab: Laboratory, table: Table, kind: str) -> int:
    """The number of recorded actions of white that were received after its revocation."""
    if kind == "another password":
        return 0  # the browser that changed it may go on
    (at,) = lab.deployment.ask("select max(at) from accounts_revocation")[0]
    late = late_actions(lab.deployment.rows()[table.slug].entries, "white", at)
    lab.past += [
        Finding("broken", "revocation", f"{kind} at {at}: {each['kind']} at {each['received_at']}")
        for each in late
    ]
    return len(late)


def late_actions(entries: Sequence[Row], role: str, revoked_at: int) -> list[Row]:
    """Return the entries of a role from after the revocation of its sessions (ms).

    The site's own resignation for an account that was deleted is none: it follows the revocation.
    """
    return [
        entry
        for entry in entries
        if entry["role"] == role
        and entry["action_id"] != DEPARTURE
        and entry["received_at"] > revoked_at + CLOSE
    ]


async def _end(lab: Laboratory, table: Table, kind: str) -> None:
    """Ends white's session, by a page or by another process."""
    user = next(
        s["user_id"] for s in lab.deployment.rows()[table.slug].seats if s["role"] == "white"
    )
    if kind in SHELL:
        await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", SHELL[kind].format(user=user)],
            cwd=ROOT,
            env={**os.environ, **lab.deployment.environment},
            check=True,
            timeout=60,
        )
        return
    session = table.others["white"] if kind == "another password" else table.sessions["white"]
    port = lab.random.choice(lab.deployment.ports())
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", cookies={"sessionid": session}, trust_env=False
    ) as browser:
        await browser.get("/new/")
        token = {"X-CSRFToken": browser.cookies["csrftoken"]}
        if kind == "logged out":
            answer = await browser.post("/log-out/", headers=token, timeout=20)
        else:
            new = f"{PASSWORD}-new"
            form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
            answer = await browser.post("/password/", data=form, headers=token, timeout=20)
        assert answer.status_code == 302, (kind, answer.status_code, answer.text[:500])
        if kind == "another password":
            table.seats["white"].tabs[1].session = answer.cookies["sessionid"]
