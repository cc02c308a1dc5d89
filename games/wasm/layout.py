"""Arrays and entry points that a page hands to the engine, described for its scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Length = int | Literal["nodes", "edges"]  # of items; of a tree: one for each node or edge


@dataclass(frozen=True, slots=True)
class Array:
    """Memory that the engine works in; a page allocates it and writes its address to a table."""

    name: str
    dtype: str  # numpy's name
    length: Length  # items of all dimensions together


@dataclass(frozen=True, slots=True)
class Entry:
    """Exported function."""

    name: str
    function: Any  # not compiled
    takes: tuple[str, ...]  # "table" (the address of all arrays' addresses), "int32", "int64", …
    returns: str


@dataclass(frozen=True, slots=True)
class Engine:
    """One module of WebAssembly."""

    arrays: tuple[Array, ...]
    entries: tuple[Entry, ...]
    constants: Mapping[str, Any]  # numbers that the scripts need


def array_of(name: str, array: Any, lengths: Mapping[int, Length] | None = None) -> Array:
    """Return the description of a numpy array that the native search works in.

    `lengths` says which lengths are those of a tree, by the number of items.
    """
    return Array(name, str(array.dtype), (lengths or {}).get(array.size, array.size))


def arrays_of(group: Any, lengths: Mapping[int, Length] | None = None) -> tuple[Array, ...]:
    """Return the descriptions of a named tuple of arrays."""
    return tuple(
        array_of(name, array, lengths) for name, array in zip(group._fields, group, strict=True)
    )


def manifest_of(engine: Engine) -> dict[str, Any]:
    """Return what the scripts have to know of an engine, as JSON."""
    arrays = [
        {"name": each.name, "dtype": each.dtype, "length": each.length} for each in engine.arrays
    ]
    return {"arrays": arrays, **engine.constants}
