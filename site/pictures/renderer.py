"""Render SVG to PNG by resvg_py, in a process of its own for each picture.

resvg_py holds Python's lock while it renders (60 to 90 ms of CPU), which would stop the event loop
and every game of the process. As a child it costs this process 1 ms, runs at a lower priority and
can be ended when it takes too long. Run as a script, this file is that child.

resvg_py has wheels without dependencies for Linux, macOS and Windows and for Python 3.10 and later.
CairoSVG needs the system's libcairo, which has no wheel, and cairocffi had no release since 2024.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

TIMEOUT_S: Final = 20.0
NICENESS: Final = 10
_one_at_a_time = threading.Lock()


class RenderError(Exception):
    """A picture could not be rendered, or not in time."""


def render_png(svg: str, fonts: Sequence[Path], timeout_s: float = TIMEOUT_S) -> bytes:
    """Return an SVG as PNG; text is set in the given font files only.

    Raises `RenderError`. One picture is rendered at a time; the others wait, for `timeout_s` each.
    """
    if not _one_at_a_time.acquire(timeout=timeout_s):
        raise RenderError(f"busy with other pictures for {timeout_s:g} s")
    try:
        done = subprocess.run(
            [sys.executable, "-I", __file__, *map(str, fonts)],
            input=svg.encode(),
            capture_output=True,
            timeout=timeout_s,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise RenderError(f"took longer than {timeout_s:g} s") from error
    except subprocess.CalledProcessError as error:
        raise RenderError(error.stderr.decode(errors="replace")[-500:]) from error
    finally:
        _one_at_a_time.release()
    return done.stdout


def _main() -> None:
    """Render standard input to standard output; the arguments are font files."""
    import resvg_py

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    svg = sys.stdin.buffer.read().decode()
    png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=sys.argv[1:])
    sys.stdout.buffer.write(png)


if __name__ == "__main__":
    _main()
