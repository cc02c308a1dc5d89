"""Build the modules of WebAssembly with one pinned toolchain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from tempfile import TemporaryDirectory
from typing import Any, Final

from games.wasm.artefacts import ENGINES, ROOT, Built, digest_file
from games.wasm.emit import SETTINGS
from games.wasm.link import CannotLink, link

# numba compiles Python's bytecode, which differs between minor versions.
PYTHON: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
TOOLS: Final = ("numba", "llvmlite", "numpy", "ziglang")
BUILDERS: Final = ("games/wasm/emit.py", "games/wasm/link.py")
TIMEOUT_S: Final = 900  # on a busy machine; 20 s of CPU time


def build_all() -> dict[str, Built]:
    """Build every engine. Raises CannotLink."""
    return {name: build(name) for name in ENGINES}


def build(name: str) -> Built:
    """Build one engine. Raises CannotLink if a tool is missing or the code does not fit."""
    try:
        tools = {"python": PYTHON, **{tool: version(tool) for tool in TOOLS}}
    except PackageNotFoundError as error:
        raise CannotLink(f"this needs the package {error.name}, see games/wasm/README.md") from None
    emitted = _emit(name)
    code = link(emitted["modules"], emitted["exports"])
    paths = [*BUILDERS, *(f"{source.replace('.', '/')}.py" for source in emitted["sources"])]
    paths = [path for path in paths if (ROOT / path).is_file()]  # the others are packages
    return Built(code, emitted["manifest"], {path: digest_file(path) for path in paths}, tools)


def _emit(name: str) -> dict[str, Any]:
    with TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-m", "games.wasm.emit", name],
            cwd=ROOT,
            env={**os.environ, **SETTINGS, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    if done.returncode:
        raise CannotLink(f"numba could not compile {name}:\n{done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
