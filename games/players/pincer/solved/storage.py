"""Files of the solver: one for each number of moves left and material, written as a whole.

A file is a header, the length of each compressed part, and the parts: those of the words of one
chunk of 64 classes. It ends with the BLAKE2b checksum of all that is before it. It is written under
a temporary name, synced and renamed; so a file with its final name is complete.
"""

from __future__ import annotations

import os
import zlib
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import Any, Final

import numpy

from games.players.pincer.solved.layers import Shard, chunks, family, words_of

VERSION: Final = 1
_MAGIC: Final = b"PINCERv1"
_CHECKSUM_BYTES: Final = 16
# Magic, digest of the rules, moves left, own and other pieces, number of parts, words.
_HEADER: Final = Struct("<8s16sBBBxIQ")
_COMPRESSION: Final = 1  # level 6 takes ten times as long for a tenth of the size
# What the values depend on; change it with the rules or the order of the sets.
_RULES: Final = (
    "pincer 7x7, 4 against 4, two different pieces a turn, captures after each move, 50 moves; "
    "codes 8 c + g, words of 64 classes, WON and SAFE"
)


class StorageError(Exception):
    """A file of the solver cannot be read or written; `str` is an English sentence."""


class DamagedFile(StorageError):
    """A file is truncated, damaged or of another version, and has to be computed again."""


def rules_digest() -> bytes:
    """Return what marks files of the same rules and order of sets."""
    return blake2b(_RULES.encode(), digest_size=16).digest()


def file_of(folder: Path, left: int, shard: Shard) -> Path:
    """Return the file of a shard."""
    return folder / f"left-{left:02}" / f"{shard}.pincer"


def write(path: Path, left: int, shard: Shard, words: Any) -> int:
    """Write a shard and return the file's bytes. Raises StorageError."""
    parts = [zlib.compress(row, _COMPRESSION) for row in _rows(shard, words)]
    header = _HEADER.pack(_MAGIC, rules_digest(), left, *shard, len(parts), len(words))
    lengths = numpy.array([len(part) for part in parts], "<u4").tobytes()
    checksum = blake2b(header, digest_size=_CHECKSUM_BYTES)
    for part in (lengths, *parts):
        checksum.update(part)
    write_whole(path, [header, lengths, *parts, checksum.digest()])
    return path.stat().st_size


def write_whole(path: Path, parts: list[bytes]) -> None:
    """Write a file under a temporary name, sync it and rename it. Raises StorageError."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            temporary.rename(path)
            _sync_folder(path.parent)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}. The files before it are "
            "complete: run the command again to continue."
        ) from None


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read(path: Path, left: int, shard: Shard, words: Any) -> None:
    """Read a shard into `words`. Raises DamagedFile, StorageError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.") from None
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if len(body) < _HEADER.size or not is_ours(data[: _HEADER.size], left, shard, len(words)):
        raise DamagedFile(f"{path} is of another version or of another shard.")
    if blake2b(body, digest_size=_CHECKSUM_BYTES).digest() != checksum:
        raise DamagedFile(f"{path} is truncated or damaged.")
    rows = _rows(shard, words)
    at = _HEADER.size + 4 * len(rows)
    for row, length in zip(
        rows, numpy.frombuffer(body, "<u4", len(rows), _HEADER.size).tolist(), strict=True
    ):
        row[:] = numpy.frombuffer(zlib.decompress(body[at : at + length]), numpy.uint64)
        at += length


def is_ours(header: bytes, left: int, shard: Shard, words: int) -> bool:
    """Return whether a file begins like one of this version, rules, shard and size."""
    if len(header) < _HEADER.size:
        return False
    magic, rules, *place, _, size = _HEADER.unpack(header[: _HEADER.size])
    return (magic, rules, size) == (_MAGIC, rules_digest(), words) and place == [left, *shard]


def is_there(path: Path, left: int, shard: Shard, pieces: int) -> bool:
    """Return whether the file exists with the right header; its data are checked by `read`."""
    try:
        with path.open("rb") as file:
            return is_ours(file.read(_HEADER.size), left, shard, words_of(shard, pieces))
    except OSError:
        return False


def _rows(shard: Shard, words: Any) -> Any:
    """Return the words of each chunk, as views."""
    return words.reshape(chunks(family(shard.theirs, sum(shard))), -1)
