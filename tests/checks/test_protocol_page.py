"""The page about the protocol and the scripts' types are those of the messages in the code."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, Literal

from django.core.management import call_command
from django.utils.translation import override
from msgspec import UNSET, UnsetType

from games.core import Role
from play import protocol, wire_types_ts
from play.domain.wire_types import Message, Outgoing


def test_the_page_about_the_protocol_has_the_schema_of_the_code():
    page = protocol.PAGE.read_text(encoding="utf-8")
    assert page == protocol.page_with(protocol.schema_text()), "run: manage.py protocol --write"


def test_the_scripts_types_are_those_of_the_messages():
    written = wire_types_ts.FILE.read_text(encoding="utf-8")
    assert written == wire_types_ts.declarations(), "run: manage.py protocol --write"


def test_every_message_and_all_that_it_refers_to_is_declared_for_the_scripts():
    declared = wire_types_ts.declarations()
    for name in protocol.schema()["$defs"]:
        assert re.search(rf"^  (interface|type) {name}\b", declared, re.MULTILINE), name


class Sample(Outgoing, frozen=True, tag="sample"):
    """One field of each kind that messages have."""

    by_role: Mapping[Role, int]
    lines: Sequence[Literal["a", "b"] | None]
    pair: tuple[int, str]
    always: bool = False
    sometimes: str | UnsetType = UNSET


class Asked(Message, frozen=True, tag="asked"):
    """A message with a field that a page may leave out."""

    rev: int = -1


def test_fields_are_declared_by_who_sends_them(monkeypatch):
    messages = {"x:IDENT": protocol.TopicMessages((Asked,), (Sample,))}
    monkeypatch.setattr(protocol, "topic_messages", lambda: messages)
    declared = wire_types_ts.declarations()
    lines = [
        *('t: "sample";', "by_role: Record<Role, number>;", 'lines: ("a" | "b" | null)[];'),
        *("pair: [number, string];", "always: boolean;", "sometimes?: string;", "rev?: number;"),
        *("page: Asked;", "site: Sample;"),
    ]
    for line in lines:
        assert f" {line}\n" in declared, line


def test_the_command_prints_a_schema_of_both_directions_without_loose_ends():
    out = StringIO()
    with override(None):
        call_command("protocol", stdout=out)
    schema = json.loads(out.getvalue())
    assert set(schema["topics"]) == {
        "", "game:SLUG", "replies:SLUG", "lobby:CODE", "lists[:RULES]", "mine", "notices",
        "chat:game|lobby/IDENT",
        "search", "searches", "study:SLUG", "rating:SLUG",
    }  # fmt: skip
    assert all(each["from_site"] for each in schema["topics"].values())
    names = set(schema["$defs"])
    assert set(references(schema)) <= names
    assert {"Act", "GameSnapshot", "Slide", "PathPrompt", "Tree", "ChatState"} <= names
    assert not [name for name in names if "." in name], "two messages of one name"


def references(value: Any) -> Iterator[str]:
    """The names that a schema refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].removeprefix("#/$defs/")
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)
