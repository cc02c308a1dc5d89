"""The players' table of few pieces: written by `solve-pincer`, read once by each process."""

from __future__ import annotations

import zlib
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from struct import Struct
from typing import Any, Final

from games.players.compiled import IS_COMPILED
from games.players.pincer.solved.probe import (
    LAYERS,
    TABLE_PIECES,
    UNKNOWN,
    FewPieces,
    nothing_known,
)

if IS_COMPILED:
    import numpy

    from games.players.pincer.solved.families import (
        CHOOSE,
        CODES_AT,
        EVEN,
        INVERSE,
        MAX_PIECES,
        PRODUCT,
        number_sets,
    )
    from games.players.pincer.solved.layers import Shard, family, largest_role, shards
    from games.players.pincer.solved.storage import rules_digest, write_whole

FILE: Final = Path(str(files("games.players.pincer.solved") / "few-pieces.bin"))
_MAGIC: Final = b"PINCERT1"
_CHECKSUM_BYTES: Final = 16
_HEADER: Final = Struct("<8s16s")  # magic, digest of the rules
_ENTRY: Final = Struct("<II")  # bytes of the compressed patterns, of the compressed numbers
_MAX_BYTES: Final = 1 << 26
_PART_BYTES: Final = 1 << 18  # decompressed at once


def number_patterns(layers: list[tuple[int, Any]]) -> tuple[Any, Any]:
    """Return the patterns of a shard and the number of each position's; most frequent first.

    `layers` are pairs of moves left and values, one for each position.
    """
    ids = numpy.zeros(len(layers[0][1]), numpy.int64)
    patterns = numpy.full((1, LAYERS), UNKNOWN, numpy.uint8)
    for left, values in layers:
        keys, ids = numpy.unique(ids * 4 + values, return_inverse=True)
        patterns = patterns[keys >> 2]
        patterns[:, left] = keys & 3
    if len(patterns) > 256:
        raise ValueError("a number of a pattern takes more than a byte")
    order = numpy.argsort(-numpy.bincount(ids), kind="stable")
    place = numpy.empty_like(order)
    place[order] = numpy.arange(len(order))
    return patterns[order], place[ids].astype(numpy.uint8)


def values_of(words: Any, shard: Shard, pieces: int) -> Any:
    """Return the values of a shard, 0 to 2, by class of the other role's set and code."""
    own, theirs = family(shard.own, pieces), family(shard.theirs, pieces)
    planes = words.reshape(-1, 8 * own.classes, 2)
    rows = []
    for number in range(theirs.classes):
        lane = numpy.uint64(number & 63)
        rows.append((planes[number >> 6] >> lane & numpy.uint64(1)).sum(axis=1))
    return numpy.concatenate(rows).astype(numpy.uint8)


def write_table(path: Path, found: dict[Shard, list[tuple[int, Any]]]) -> int:
    """Write the table and return its bytes. Raises StorageError."""
    parts = [_HEADER.pack(_MAGIC, rules_digest())]
    for shard in shards(TABLE_PIECES):
        patterns, ids = number_patterns(found[shard])
        packed = zlib.compress(patterns.tobytes(), 9), zlib.compress(ids.tobytes(), 9)
        parts += [_ENTRY.pack(*(len(part) for part in packed)), *packed]
    body = b"".join(parts)
    checksum = blake2b(body, digest_size=_CHECKSUM_BYTES).digest()
    write_whole(path, [body, checksum])
    return len(body) + _CHECKSUM_BYTES


def read_table(path: Path) -> FewPieces:
    """Return the table. Raises ValueError if it is damaged or of another version, OSError."""
    data = path.read_bytes()
    body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if len(body) < _HEADER.size or body[: _HEADER.size] != _HEADER.pack(_MAGIC, rules_digest()):
        raise ValueError("it is of another version")
    if blake2b(body, digest_size=_CHECKSUM_BYTES).digest() != checksum:
        raise ValueError("it is truncated or damaged")
    ids_at, patterns_at = numpy.zeros(25, numpy.int64), numpy.zeros(25, numpy.int64)
    codes, firsts = number_sets(largest_role(TABLE_PIECES))
    widths = [0] * (MAX_PIECES + 1)
    for size in range(1, largest_role(TABLE_PIECES) + 1):
        widths[size] = 8 * len(firsts[EVEN if size == MAX_PIECES else size])
    del firsts
    found = shards(TABLE_PIECES)
    # Filled part by part: a copy of all would add as much to the peak of a worker's memory.
    all_ids = numpy.empty(sum(widths[s.own] * widths[s.theirs] // 8 for s in found), numpy.uint8)
    all_patterns = []
    ids_total = patterns_total = 0
    at = _HEADER.size
    for shard in found:
        sizes = _ENTRY.unpack_from(body, at)
        at += _ENTRY.size
        patterns = _unpack(body[at : at + sizes[0]])
        packed = body[at + sizes[0] : at + sum(sizes)]
        at += sum(sizes)
        ids_at[5 * shard.own + shard.theirs] = ids_total
        patterns_at[5 * shard.own + shard.theirs] = patterns_total
        all_patterns.append(numpy.frombuffer(patterns, numpy.uint8))
        ids_total = _unpack_into(all_ids, ids_total, packed)
        patterns_total += len(patterns) // LAYERS
    if ids_total != len(all_ids):
        raise ValueError("it has fewer positions than there are")
    return FewPieces(
        TABLE_PIECES,
        all_ids,
        numpy.concatenate(all_patterns),
        ids_at,
        patterns_at,
        numpy.array(widths, numpy.int64),
        codes,
        CODES_AT,
        CHOOSE.reshape(-1),
        PRODUCT.reshape(-1),
        INVERSE,
    )


def _unpack(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _MAX_BYTES)


def _unpack_into(room: Any, at: int, data: bytes) -> int:
    """Write decompressed bytes from a place on; return the place after them. Raises ValueError."""
    stream = zlib.decompressobj()
    while data and not stream.eof:
        part = stream.decompress(data, _PART_BYTES)
        data = stream.unconsumed_tail
        if at + len(part) > len(room):
            raise ValueError("it has more positions than there are")
        room[at : at + len(part)] = numpy.frombuffer(part, numpy.uint8)
        at += len(part)
    return at


@cache
def load(path: Path = FILE) -> tuple[FewPieces, str]:
    """Return the table and an empty text, or an empty table and a sentence that says why."""
    if not IS_COMPILED:
        return nothing_known(), ""
    try:
        return read_table(path), ""
    except (OSError, ValueError, zlib.error) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        return nothing_known(), (
            f"Pincer's table of few pieces, {path.name}, is not used: {why}. Level 8 searches "
            "instead; `python -m games solve-pincer FOLDER --pieces 5 --table FILE` writes it anew."
        )
