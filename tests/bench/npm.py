"""npm packages for the load generator and the peers, outside the repository."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.bench.processes import say

LOAD = {"ws": "^8.18"}
PEERS = {
    "boardgame.io": "~0.50.2",
    "@colyseus/core": "^0.18",
    "@colyseus/ws-transport": "^0.18",
    "@colyseus/schema": "^5",
    "@colyseus/sdk": "^0.18",
    "express": "^5",
}
# Later versions are ES modules with another export, which boardgame.io 0.50 cannot load.
HELD = {"koa-compose": "4.1.0"}


def packages(work: Path, wanted: dict[str, str]) -> Path:
    """The folder in which these packages are, installed if they are not there yet."""
    folder = work / "npm"
    missing = [name for name in wanted if not (folder / "node_modules" / name).exists()]
    if missing:
        say(f"npm installs {', '.join(missing)}")
        folder.mkdir(parents=True, exist_ok=True)
        about = {"private": True, "dependencies": LOAD | PEERS, "overrides": HELD}
        (folder / "package.json").write_text(json.dumps(about, indent=1))
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"]
        done = subprocess.run(
            [*command, "--prefix", str(folder)], capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            raise RuntimeError(f"npm install failed:\n{done.stderr[-2_000:]}")
    return folder
