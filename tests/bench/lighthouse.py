"""`python -m tests.bench.lighthouse FOLDER [--runs 5]`: run Lighthouse on the site's pages.

FOLDER is a work folder outside the repository, in which npm installs Lighthouse if it is not there.
It audits as it does by default, a phone of the middle class on a slow line, in Debian's Chromium.
The median of the runs is told for each category, and what keeps a page below 100.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.servers.server_process import Server, Visitor, start_game

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 0.95
PATHS = (
    *("/play/online/", "/play/friend/", "/computer/", "/watch/", "/learn/", "/learn/amazons/"),
    *("/players/", "/about/", "/how-it-works/", "/fair-play/", "/privacy/"),
)
FLAGS = "--headless=new --no-sandbox --disable-gpu"
UNINDEXED_PATHS = ("/sign-up/", "/log-in/")  # kept from search engines on purpose
OWN_PATHS = ("/open-games/", "/players/following/", "/settings/")  # so are those of a session


def program(folder: Path) -> Path:
    """Lighthouse, installed if it is not there."""
    path = folder / "node_modules" / ".bin" / "lighthouse"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{ "private": true }')
        subprocess.run(["npm", "install", "--no-audit", "lighthouse"], cwd=folder, check=True)
    return path


def audit(lighthouse: Path, address: str, session: str, is_indexed: bool) -> dict[str, Any]:
    """Make one run on one page; return its report."""
    command = [str(lighthouse), address, "--output=json", "--quiet", f"--chrome-flags={FLAGS}"]
    command += [] if is_indexed else ["--skip-audits=is-crawlable"]
    headers = json.dumps({"Cookie": f"sessionid={session}"}) if session else ""
    command += [f"--extra-headers={headers}"] if headers else []
    environment = {**os.environ, "CHROME_PATH": shutil.which("chromium") or ""}
    done = subprocess.run(command, capture_output=True, env=environment, check=True, timeout=300)
    return json.loads(done.stdout)


def tell(name: str, reports: list[dict[str, Any]]) -> bool:
    """Prints a page's medians; returns whether all reach the goal."""
    scores = {
        each: statistics.median(report["categories"][each]["score"] for report in reports)
        for each in CATEGORIES
    }
    told = "  ".join(f"{each} {round(100 * score)}" for each, score in scores.items())
    print(f"{name:18}{told}", flush=True)
    for each in CATEGORIES:
        for reference in reports[-1]["categories"][each]["auditRefs"]:
            found = reports[-1]["audits"][reference["id"]]
            if reference["weight"] and found["score"] is not None and found["score"] < 0.9:
                value = found.get("displayValue", "")
                print(f"    {each}: {found['id']} {round(100 * found['score'])} {value}")
    return min(scores.values()) >= GOAL


async def pages(server: Server) -> list[tuple[str, str, str, bool]]:
    """Name, address and session of what is audited, and whether search engines are let in.

    Each game is running, a visitor looks on.
    """
    ada, bob = Visitor(server), Visitor(server)
    form = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
    lobby = await ada.post("/lobbies/", **form)
    session = ada.client.cookies["sessionid"]
    found = [("home", "/", "", True), ("lobby", lobby, session, True)]
    found += [(path.strip("/"), path, "", True) for path in PATHS]
    found += [(path.strip("/"), path, "", False) for path in UNINDEXED_PATHS]
    found += [(path.strip("/"), path, session, False) for path in OWN_PATHS]
    with closing(sqlite3.connect(server.database)) as database:
        name = database.execute("SELECT username FROM accounts_user WHERE level = 3").fetchone()[0]
    found.append(("profile", f"/u/{name}/", "", True))
    for key, clock in (("amazons-10x10", "fischer:1800:5"), ("blotto", "days:1")):
        address = await start_game(ada, bob, key, clock)
        found += [(key, address, session, True), (f"{key}, watched", address, "", True)]
    return found


async def main() -> None:
    """Prints the scores; the exit status tells whether all reach the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="a regular expression for names of pages")
    options = parser.parse_args()
    lighthouse = program(options.folder.resolve())
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        await server.start()
        try:
            met = []
            for name, path, session, is_indexed in await pages(server):
                if not re.search(options.only, name):
                    continue
                reports = []
                for _ in range(options.runs):
                    address = server.origin + path
                    reports.append(
                        await asyncio.to_thread(audit, lighthouse, address, session, is_indexed)
                    )
                met.append(tell(name, reports))
        finally:
            await server.stop()
    sys.exit(not all(met))


if __name__ == "__main__":
    asyncio.run(main())
