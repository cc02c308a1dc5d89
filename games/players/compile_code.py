"""`python -m games.players.compile_code KEY`: compile a game's player into the cache of code.

Playing processes then load that code: compiling takes over 100 MB, which Python does not return
to the system. This process ends when its standard input is closed, also by its parent's death.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Final

from games.players import levels

ORPHANED: Final = 3  # exit status


def compile_code(key: str) -> None:
    """Compile the player of a game and note that its code is whole.

    Raises UnknownRules, and OSError if the folder cannot be written.
    """
    levels.warm(key)
    levels.note_cached(key)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(ORPHANED)


def main() -> None:
    """Compile the game that the command line names."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_code(sys.argv[1])
    sys.stderr.flush()
    os._exit(0)  # the thread still reads


if __name__ == "__main__":
    main()
