"""The committed modules of WebAssembly, and the record of what they were built from."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = ROOT / "static" / "engine"  # NAME.wasm
MANIFEST: Final = ROOT / "static" / "js" / "engine" / "manifest.js"
RECORD: Final = Path(__file__).with_name("built.json")
ENGINES: Final = ("amazons", "pincer")
DIGEST_CHARS: Final = 16
NUMBERS: Final = r"\[((?:\s+[\d.eE+-]+,?)+)\n( *)\]"  # an indented list of numbers in JSON
LINE_CHARS: Final = 90  # of numbers, without the indentation


@dataclass(frozen=True, slots=True)
class Built:
    """A module with what belongs to it."""

    code: bytes
    manifest: Mapping[str, Any]
    sources: Mapping[str, str]  # path below ROOT: digest of its contents
    tools: Mapping[str, str]  # package: version


def digest(data: bytes) -> str:
    """Return the first DIGEST_CHARS of the SHA-256."""
    return sha256(data).hexdigest()[:DIGEST_CHARS]


def digest_file(path: str) -> str:
    """Return the digest of a file named as in a record; empty if it is missing."""
    try:
        return digest((ROOT / path).read_bytes())
    except FileNotFoundError:
        return ""


def files_of(built: Mapping[str, Built]) -> dict[Path, bytes]:
    """Return the contents of all committed files."""
    files = {MODULES / f"{name}.wasm": each.code for name, each in built.items()}
    manifests = {
        name: {"digest": digest(each.code), **each.manifest} for name, each in built.items()
    }
    files[MANIFEST] = (
        "/** Facts of the engines for scripts: made by `python -m games wasm`. Pure. */\n"
        "export const MANIFEST = /** @type {Manifest} */ (\n"
        f"{_indented(manifests)}\n);\n"
    ).encode()
    record = {
        name: {
            "digest": digest(each.code),
            "tools": dict(each.tools),
            "sources": dict(sorted(each.sources.items())),
        }
        for name, each in built.items()
    }
    files[RECORD] = f"{json.dumps(record, indent=2)}\n".encode()
    return files


def _indented(manifests: dict[str, Any]) -> str:
    """Return JSON with lists of numbers filled to LINE_CHARS, so that weights take few lines."""

    def fill(found: re.Match[str]) -> str:
        numbers, indent = " ".join(found[1].split()), found[2]
        lines = textwrap.fill(numbers, LINE_CHARS, break_on_hyphens=False)
        return f"[\n{textwrap.indent(lines, indent + '  ')}\n{indent}]"

    return re.sub(NUMBERS, fill, json.dumps(manifests, indent=2))


def read_record() -> dict[str, Any]:
    """Return what the committed modules were built from, by the engine's name."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def changed_sources() -> list[str]:
    """Return the sources and modules that are not those of the record, by path."""
    record = read_record()
    changed = []
    for name in ENGINES:
        entry = record.get(name, {"digest": "", "sources": {}})
        files = {f"static/engine/{name}.wasm": entry["digest"], **entry["sources"]}
        changed += [path for path, known in files.items() if digest_file(path) != known]
    return changed
