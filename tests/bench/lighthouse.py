"""`python -m tests.bench.lighthouse FOLDER [--runs 5]`: run Lighthouse on the site's pages.

FOLDER is a work folder outside the repository, in which npm installs Lighthouse if it is not there.
It audits as it does by default, a phone of the middle class on a slow line, in Debian's Chromium.
The median of the runs is told for each category, and what keeps a page below 100.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "web"))
from tests.support.servers.server_process import Server, Visitor, start_game

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 0.95
FLAGS = "--headless=new --no-sandbox --disable-gpu"


def program(folder: Path) -> Path:
    """Lighthouse, installed if it is not there."""
    path = folder / "node_modules" / ".bin" / "lighthouse"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{ "private": true }')
        subprocess.run(["npm", "install", "--no-audit", "lighthouse"], cwd=folder, check=True)
    return path


def audit(lighthouse: Path, address: str, session: str) -> dict[str, Any]:
    """One run on one page; its report."""
    command = [str(lighthouse), address, "--output=json", "--quiet", f"--chrome-flags={FLAGS}"]
    headers = json.dumps({"Cookie": f"sessionid={session}"}) if session else ""
    command += [f"--extra-headers={headers}"] if headers else []
    environment = {**os.environ, "CHROME_PATH": shutil.which("chromium") or ""}
    done = subprocess.run(command, capture_output=True, env=environment, check=True, timeout=300)
    return json.loads(done.stdout)


def tell(name: str, reports: list[dict[str, Any]]) -> bool:
    """Prints a page's medians; whether all reach the goal."""
    scores = {
        each: statistics.median(report["categories"][each]["score"] for report in reports)
        for each in CATEGORIES
    }
    told = "  ".join(f"{each} {round(100 * score)}" for each, score in scores.items())
    print(f"{name:16}{told}", flush=True)
    for each in CATEGORIES:
        for reference in reports[-1]["categories"][each]["auditRefs"]:
            found = reports[-1]["audits"][reference["id"]]
            if reference["weight"] and found["score"] is not None and found["score"] < 0.9:
                value = found.get("displayValue", "")
                print(f"    {each}: {found['id']} {round(100 * found['score'])} {value}")
    return min(scores.values()) >= GOAL


async def pages(server: Server) -> list[tuple[str, str, str]]:
    """Name, address and session of what is audited; each game is running, a visitor looks on."""
    ada, bob = Visitor(server), Visitor(server)
    form = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
    lobby = await ada.post("/lobbies/", **form)
    session = ada.client.cookies["sessionid"]
    found = [("home", "/", ""), ("lobby", lobby, session)]
    for key, clock in (("amazons-10x10", "fischer:1800:5"), ("blotto", "days:1")):
        address = await start_game(ada, bob, key, clock)
        found += [(key, address, session), (f"{key}, watched", address, "")]
    return found


async def main() -> None:
    """Prints the scores; the exit status tells whether all reach the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    lighthouse = program(options.folder.resolve())
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        await server.start()
        try:
            met = []
            for name, path, session in await pages(server):
                reports = []
                for _ in range(options.runs):
                    address = server.origin + path
                    reports.append(await asyncio.to_thread(audit, lighthouse, address, session))
                met.append(tell(name, reports))
        finally:
            await server.stop()
    sys.exit(not all(met))


if __name__ == "__main__":
    asyncio.run(main())
