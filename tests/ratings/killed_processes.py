"""Run code of the site in a process of its own, which forks processes that kill themselves."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.servers import prepared_site
from tests.support.servers.server_process import ROOT, embedded


def prepared(data: Path) -> Mapping[str, str]:
    """Prepare a site on one SQLite file in `data`; return the environment of its processes."""
    environment = {**embedded(), "QUIVER_DATA": str(data)}
    prepared_site.copy_to(data, environment)
    return environment


def last_line_of(code: str, environment: Mapping[str, str], limit_s: float) -> Any:
    """Run Python code; return its last line, read as JSON. Fail if its exit status is not 0."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=limit_s,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
