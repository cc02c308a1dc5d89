"""Log format: one line each, with allowed fields and without secrets."""

import json
import logging
import sys
from collections.abc import Iterator

import pytest
from channels.testing import WebsocketCommunicator
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config.env import read_environment
from config.logs import logging_settings, make_formatter
from config.routing import protocols  # sets logging up, once
from tests.chat.test_chat_socket import Panel
from tests.support.chat_people import account
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service

TROOPS = ("troops 7 2 1", "troops 1 8 1")
WORD, PASSWORD, MAIL = "kumquat-marmalade", "xylophone-quarantine-77", "canary@kiwi.example"


def record(name: str = "quiver.play", message: str = "%s", *args: object, **extra: object):
    about = (name, logging.INFO, "f.py", 1, message, args, None)
    return logging.getLogger(name).makeRecord(*about, extra=extra)


def as_json(made: logging.LogRecord) -> dict:
    text = make_formatter("json").format(made)
    assert "\n" not in text
    return json.loads(text)


def test_only_fields_on_the_list_are_told() -> None:
    told = as_json(record("quiver.play", "%s is over", "a game", user=7, session="s3cret"))
    assert set(told) == {"time", "level", "logger", "message", "user"}
    assert (told["message"], told["user"]) == ("a game is over", 7)


def test_of_other_libraries_only_the_template_is_told() -> None:
    told = as_json(record("django.db.backends", "(%.3f) %s; args=%s", 0.1, "SELECT", [MAIL]))
    assert told["message"] == "(%.3f) %s; args=%s"


def test_of_an_error_its_kind_and_place_are_told_but_not_its_words() -> None:
    try:
        raise ValueError(MAIL)
    except ValueError:
        made = logging.getLogger("quiver.play").makeRecord(
            "quiver.play", logging.ERROR, "f.py", 1, "broken", (), sys.exc_info()
        )
    told = as_json(made)
    kind, *places = told["exception"].splitlines()
    assert kind == "Traceback: ValueError" and "test_logs.py" in places[-1]
    assert MAIL not in json.dumps(told)


@pytest.mark.parametrize("formatter", [make_formatter("line"), make_formatter("json")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\x1b", "\x9b", "\x85", "\u2028", "\x00"])
def test_nobody_begins_a_line_of_his_own(formatter, end) -> None:
    text = formatter.format(record("quiver.play", "%s", f"one{end}two"))
    assert not set(end) & set(text)
    assert "one" in text and "two" in text


def test_an_unknown_way_of_logging_is_said() -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_LOG is json or line"):
        read_environment({"QUIVER_LOG": "xml"})
    assert logging_settings("json", True)["formatters"]["redacted"]["style"] == "json"


class Everything(logging.Handler):
    """Keeps what would be written."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def logged() -> Iterator[tuple[Everything, Everything]]:
    """Everything as JSON, and what our own loggers say as lines for people, from DEBUG on."""
    all_json, ours = Everything(make_formatter("json")), Everything(make_formatter("line"))
    root, quiver = logging.getLogger(), logging.getLogger("quiver")
    levels = root.level, quiver.level
    root.addHandler(all_json)
    quiver.addHandler(ours)
    root.setLevel(logging.DEBUG)
    quiver.setLevel(logging.DEBUG)
    yield all_json, ours
    root.removeHandler(all_json)
    quiver.removeHandler(ours)
    root.setLevel(levels[0])
    quiver.setLevel(levels[1])


@pytest.mark.django_db
async def test_no_secret_is_logged_by_a_sealed_round_talk_and_refusals(table, people, logged):
    game = await table("blotto")
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        await ada.act(TROOPS[0])
        await ada.act(TROOPS[1], step=0)
        await bob.say(t="act", id="x", step=0, actions=[WORD])
        await bob.next("refused")
    talker = await game_service().run_in_db_thread(account, "talker")
    async with Panel(game, talker) as panel:
        await panel.until()
        assert (await panel.say(f"{WORD} for you"))["t"] == "receipt"
    for told in logged:
        for canary in (WORD, *TROOPS, "[7, 2, 1]"):
            assert not [line for line in told.lines if canary in line], canary


@pytest.mark.django_db
def test_coming_and_going_is_logged_without_names_words_or_addresses(logged) -> None:
    client = Client()
    form = {"username": "pomelo", "password1": PASSWORD, "password2": PASSWORD, "email": MAIL}
    assert client.post("/sign-up/", form).status_code == 302
    session = client.session.session_key
    client.post("/log-out/")
    client.post("/log-in/", {"login": "pomelo", "password": f"not-{PASSWORD}"})
    client.post("/log-in/", {"login": MAIL, "password": PASSWORD})
    events = [json.loads(line).get("event") for line in logged[0].lines]
    events = [event for event in events if event]
    assert sorted(events[:2]) == ["log-in", "sign-up"]
    assert sorted(events[2:4]) == ["log-out", "revocation"]
    assert events[4:] == ["login_failed", "log-in"]
    for told in logged:
        for canary in (PASSWORD, MAIL, session, "pomelo"):
            assert not [line for line in told.lines if canary in line], canary


@pytest.mark.django_db
async def test_a_refused_origin_is_logged(logged, people, at_work) -> None:
    socket = WebsocketCommunicator(protocols(), "/ws/")
    socket.scope["headers"] = [(b"origin", b"https://evil.example")]
    assert not (await socket.connect(timeout=5))[0]
    told = [json.loads(line) for line in logged[0].lines if "evil" in line]
    assert [each["event"] for each in told] == ["origin"]
