"""TypeScript declarations of all messages on the sockets, for the type check of the pages' scripts.

They are generated from the message types, without a list of them here, and keep the roles as the
key type of mappings, which msgspec's JSON schema lacks. json-schema-to-typescript 15.0.4 was tried:
it adds 14 npm packages (23 MB) and Node to a test that needs neither, and gives
`{[k: string]: number}` for values by role.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from django.conf import settings
from msgspec import NODEFAULT, inspect

from games.core import Role
from play import protocol

FILE: Final = Path(settings.BASE_DIR) / "static" / "js" / "lib" / "wire-types.d.ts"
HEAD: Final = """\
/**
 * Messages on the sockets; made by `manage.py protocol --write` from the types in the code.
 *
 * Times are in milliseconds since the epoch by the server's clock, durations in milliseconds.
 */
declare namespace Wire {
  type Role = "white" | "black";
"""
MAX_LINE_CHARS: Final = 100
REF: Final = protocol.REF.format(name="")
UNION: Final = re.compile(r" \| (?![^<(]*[>)])")  # not within brackets
ROLES: Final = frozenset(get_args(Role))
SCALARS: Final[Mapping[type, str]] = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}
Fields = inspect.StructType | inspect.DataclassType


def declarations() -> str:
    """Return the text of wire-types.d.ts: an interface for each message and each of its parts."""
    kinds = tuple(
        dict.fromkeys(k for each in protocol.topic_messages().values() for ks in each for k in ks)
    )
    found: dict[str, Fields] = {}
    for info in inspect.multi_type_info((*kinds, *protocol.rules_values())):
        _collect(info, found)
    from_page = {
        kind.__name__ for each in protocol.topic_messages().values() for kind in each.from_page
    }
    blocks = [_interface(found[name], name in from_page) for name in sorted(found)]
    trees = [f"  type {name} = {_schema_type(each)};\n" for name, each in protocol.TREES.items()]
    return HEAD + "\n" + "\n".join([*blocks, *trees, _topics()]) + "}\n"


def _name(kind: Fields) -> str:
    return kind.cls.__name__


def _collect(info: inspect.Type, found: dict[str, Fields]) -> None:
    """Add all structs and dataclasses within a type; raise ValueError if two share a name."""
    if isinstance(info, inspect.StructType | inspect.DataclassType):
        known = found.setdefault(_name(info), info)
        if known.cls is not info.cls:
            raise ValueError(f"two message types are called {_name(info)}")
        if known is not info:
            return
    for part in _parts(info):
        _collect(part, found)


def _parts(info: inspect.Type) -> Iterator[inspect.Type]:
    match info:
        case inspect.StructType() | inspect.DataclassType():
            yield from (field.type for field in info.fields)
        case inspect.Metadata():
            yield info.type
        case inspect.UnionType():
            yield from info.types
        case inspect.ListType() | inspect.VarTupleType() | inspect.CollectionType():
            yield info.item_type
        case inspect.TupleType():
            yield from info.item_types
        case inspect.DictType():
            yield from (info.key_type, info.value_type)


def _interface(kind: Fields, is_from_page: bool) -> str:
    """Return an interface. The site sends fields with defaults too; a page may leave them out."""
    lines = _comment(kind.cls.__doc__ or "", "  ")
    lines.append(f"  interface {_name(kind)} {{")
    if isinstance(kind, inspect.StructType) and kind.tag_field:
        lines.append(f"    {kind.tag_field}: {json.dumps(kind.tag)};")
    for field in kind.fields:
        defaults = (field.default, field.default_factory)
        is_omitted = not field.required and defaults == (NODEFAULT, NODEFAULT)  # UNSET
        is_optional = is_omitted or (is_from_page and not field.required)
        mark = "?" if is_optional else ""
        lines += _wrap(f"    {field.encode_name}{mark}: {_type(field.type)};")
    return "\n".join([*lines, "  }", ""])


def _comment(doc: str, pad: str) -> list[str]:
    summary = " ".join(doc.split("\n\n")[0].split())
    if not summary:
        return []
    flat = f"{pad}/** {summary} */"
    if len(flat) <= MAX_LINE_CHARS:
        return [flat]
    lines, line = [f"{pad}/**"], f"{pad} *"
    for word in summary.split():
        if len(line) + 1 + len(word) > MAX_LINE_CHARS:
            lines.append(line)
            line = f"{pad} *"
        line += f" {word}"
    return [*lines, line, f"{pad} */"]


def _wrap(line: str) -> list[str]:
    """Break a long union as the formatter of the scripts does."""
    if len(line) <= MAX_LINE_CHARS:
        return [line]
    head, _, union = line.rstrip(";").partition(": ")
    pad = " " * (len(line) - len(line.lstrip()) + 2)
    lines = [f"{pad}| {kind}" for kind in UNION.split(union)]
    return [f"{head}:", *lines[:-1], f"{lines[-1]};"]


def _type(info: inspect.Type) -> str:
    match info:
        case inspect.StructType() | inspect.DataclassType():
            return _name(info)
        case inspect.Metadata():
            extra = info.extra_json_schema or {}
            return _schema_type(extra) if extra.keys() & {"$ref", "anyOf"} else _type(info.type)
        case inspect.LiteralType():
            return _literal(info.values)
        case inspect.UnionType():
            return _union(map(_type, info.types))
        case inspect.ListType() | inspect.VarTupleType() | inspect.CollectionType():
            return _array(_type(info.item_type))
        case inspect.TupleType():
            return f"[{', '.join(map(_type, info.item_types))}]"
        case inspect.DictType():
            return f"Record<{_type(info.key_type)}, {_type(info.value_type)}>"
    return SCALARS[type(info)]


def _literal(values: Iterable[Any]) -> str:
    if frozenset(values) == ROLES:
        return "Role"
    return _union(json.dumps(value) for value in sorted(values))


def _union(kinds: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(kinds))


def _array(kind: str) -> str:
    return f"({kind})[]" if len(UNION.split(kind)) > 1 else f"{kind}[]"


def _schema_type(schema: Mapping[str, Any]) -> str:
    """Return the type of a small schema that stands in for a type msgspec cannot describe."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "anyOf" in schema:
        return _union(map(_schema_type, schema["anyOf"]))
    if schema["type"] == "object":
        return f"{{ [key: string]: {_schema_type(schema['additionalProperties'])} }}"
    return str(schema["type"])


def _topics() -> str:
    lines = [
        "  /** The messages on each kind of topic; the empty one: of every socket. */",
        "  interface Topics {",
    ]
    for topic, each in protocol.topic_messages().items():
        lines.append(f"    {json.dumps(topic)}: {{")
        for way, kinds in (("page", each.from_page), ("site", each.from_site)):
            lines += _wrap(f"      {way}: {_union(kind.__name__ for kind in kinds) or 'never'};")
        lines.append("    };")
    return "\n".join([*lines, "  }", ""])
