"""Prepare the player of a game in a worker: have its code compiled by a child, then load it.

numba and LLVM keep over 100 MB after compiling. A worker lives for weeks, so a short-lived process
compiles in its place whenever the code is missing or its sources, Python, numba or the processor
have changed.
"""

import logging
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import games
from games.players.levels import ENGINES, has_numba, is_cached, warm

COMMAND: Final = (sys.executable, "-P", "-m", "games.players.compile_code")
ROOT: Final = str(Path(games.__file__).parents[1])
TIMEOUT_S: Final = 600.0
LAST_WORDS_CHARS: Final = 500
log = logging.getLogger("quiver.bots")


def prepare_player(key: str) -> None:
    """Compile or load the player of a game; no time when called again. Takes seconds otherwise.

    If the child fails, this process compiles. Raises UnknownRules.
    """
    if has_numba():
        _fill_cache(ENGINES[key])
    warm(key)


@cache  # a child that failed is not tried again for each turn
def _fill_cache(engine: str) -> None:
    """Have an engine compiled by a child unless its code is on the disk."""
    key = next(key for key, each in ENGINES.items() if each == engine)
    if is_cached(key):
        return
    try:
        _run_child(key)
    except (OSError, subprocess.SubprocessError) as error:
        stderr = getattr(error, "stderr", None) or b""
        log.warning(
            "the players of %s could not be compiled by a process of their own (%s; %s); "
            "this worker compiles them itself, and takes more memory",
            key,
            error,
            stderr.decode(errors="replace").strip()[-LAST_WORDS_CHARS:],
            extra={"event": "compilation_failed"},
        )


def _run_child(key: str) -> None:
    """Compile in a child, which ends if this process does.

    Raises CalledProcessError, TimeoutExpired and OSError.
    """
    path = os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))
    reading, writing = os.pipe()  # the writing end is closed when this process ends
    try:
        subprocess.run(
            [*COMMAND, key],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            timeout=TIMEOUT_S,
            check=True,
        )
    finally:
        os.close(reading)
        os.close(writing)
