#!/usr/bin/env python3
"""Build the pages' engines anew with the pinned tools and compare the bytes.

What numba makes of a function depends on Python's bytecode, so the Python of the record is a tool
too. Where this is another one, uv makes an environment with it and with the pinned releases.
"""

import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[1]
RECORD: Final = ROOT / "games" / "wasm" / "built.json"
PINS: Final = ROOT / "requirements-test.txt"
PACKAGES: Final = ("llvmlite", "numba", "numpy", "ziglang")
CHECK: Final = ("-m", "games", "wasm", "--check")


def python_of_record() -> str:
    """Return the version of Python that all engines were built with, like "3.11"."""
    versions = {
        each["tools"]["python"] for each in json.loads(RECORD.read_text(encoding="utf-8")).values()
    }
    if len(versions) != 1:
        raise SystemExit(f"{RECORD.name} names several versions of Python: build all engines anew")
    return str(versions.pop())


def pins(text: str) -> str:
    """Return the entries of PACKAGES, with their hashes, from a file of pinned releases."""
    entries = re.findall(r"^(?:[^\s#].*\\\n(?:    .*\n?)+)", text, re.MULTILINE)
    found = [entry for entry in entries if entry.startswith(tuple(f"{p}==" for p in PACKAGES))]
    if {entry.split("==")[0] for entry in found} != {*PACKAGES}:
        raise SystemExit(f"{PINS.name} does not pin {', '.join(PACKAGES)}")
    return "".join(found)


def check_with(version: str) -> int:
    """Check in a new environment with this Python; return the exit status."""
    uv = str(Path(sysconfig.get_path("scripts"), "uv"))
    with TemporaryDirectory() as folder:
        python = Path(folder, "python", "bin", "python")
        wanted = Path(folder, "requirements.txt")
        wanted.write_text(pins(PINS.read_text(encoding="utf-8")), encoding="utf-8")
        make = [uv, "venv", "--quiet", "--python", version, str(python.parents[1])]
        install = [uv, "pip", "install", "--quiet", "--python", str(python), "--require-hashes"]
        subprocess.run(make, check=True)
        subprocess.run([*install, "-r", str(wanted)], check=True)
        return subprocess.run([str(python), *CHECK], cwd=ROOT, check=False).returncode


def main() -> int:
    """Check with the Python of the record."""
    version = python_of_record()
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return subprocess.run([sys.executable, *CHECK], cwd=ROOT, check=False).returncode
    return check_with(version)


if __name__ == "__main__":
    sys.exit(main())
