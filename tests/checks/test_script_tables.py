"""Tables of the pages' scripts hold the words and values of the server."""

import re

from accounts.people.relations import RelationReason
from accounts.settings_views import DEVICE
from chat.models import Report
from chat.permissions import ChatReason
from chat.phrases import PHRASES, WORDS
from games.core import Code
from play.domain.game_refusals import Reason
from tests.checks.project_files import STATIC, text_of

SCRIPTS = STATIC / "js"


def test_the_page_has_words_for_every_refusal_on_the_wire() -> None:
    script = text_of(SCRIPTS / "lib" / "refusals.js")
    known = set(re.findall(r"^  (\w+): ", script, re.MULTILINE))
    assert {str(word) for word in (*Reason, *Code)} <= known


def test_pages_and_server_have_the_same_phrases_and_reasons() -> None:
    words = text_of(SCRIPTS / "chat" / "chat-texts.js")
    tables = dict(re.findall(r"^const (\w+) = \{\n(.*?)^\};", words, re.MULTILINE | re.DOTALL))
    assert dict(re.findall(r'^  (\w+): t\("(.*)"\),$', tables["PHRASES"], re.MULTILINE)) == WORDS
    circles = dict(re.findall(r'^  (\w+): "(.*)",$', tables["PHRASE_KEYS"], re.MULTILINE))
    assert {circle: tuple(keys.split()) for circle, keys in circles.items()} == PHRASES
    for reason in (*ChatReason, *RelationReason):
        assert re.search(rf"^  {reason}: t\(", words, re.MULTILINE), reason
    assert dict(re.findall(r'^  \["(\w+)", t\("(.*)"\)\],$', words, re.MULTILINE)) == dict(
        Report.Why.choices
    )


def test_the_settings_of_the_device_are_those_of_the_page() -> None:
    script = text_of(SCRIPTS / "lib" / "settings.js")
    offered = dict(re.findall(r"^  (\w+): \[([^\]]*)\]", script, re.MULTILINE))
    mine = {choice.name: [value for value, _ in choice.values] for choice in DEVICE}
    assert mine.pop("theme") == ["system", "light", "dark"]
    assert offered.pop("asked")  # remembered by the game page, and nobody's choice
    assert offered.pop("lobbies")  # chosen on the front page, above the list
    assert mine == {name: re.findall(r'"(\w+)"', values) for name, values in offered.items()}


def test_the_worker_stores_the_offline_page_and_its_sheet_alone() -> None:
    source = text_of(SCRIPTS / "sw" / "service-worker.js")
    assert source.count("addAll(") == 1
    assert ".put(" not in source
    assert "cache.add(" not in source
    assert "const files = [SETTINGS.offlinePage, SETTINGS.offlineSheet];" in source
