"""Nothing that anybody receives before the reveal depends on what is sealed.

The same game is played twice, everything alike but the sealed troops, and all that others received
up to the reveal is compared byte by byte: frames, pages with their headers, exports, lists, logs.
The commitment, and the hashes of the ledger that rest on it, have to differ: they are compared by
name, and looked at apart.
"""

import gc
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from difflib import unified_diff
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest
from django.core.cache import caches
from msgspec import to_builtins
from msgspec.structs import replace

from accounts.limits import networks
from games.catalogue import BLOTTO
from games.ledger import commitment
from play import views
from play.domain import commands, decide, visibility
from tests.support.eavesdropping import (
    OTHER,
    SECRETS,
    Eavesdropping,
    Heard,
    Overheard,
    Script,
    Watch,
    of_others,
)
from tests.support.run.gates import nightly

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SCRIPTS = [
    Script(1, "white", "troops 10 0 0"),
    Script(2, "black", "troops 0 7 3"),
    Script(3, "white", "troops 4 3 3", ending="resign"),
    Script(4, "black", "troops 10 0 0", ending="resign"),
]
REVEALED = [SCRIPTS[0], *nightly(SCRIPTS[1])]
RESIGNED = [*nightly(SCRIPTS[2]), SCRIPTS[3]]
LIBRARIES = {"redis", "psycopg"}
BRACKETS = [("[", "]"), ('"', '"'), ("'", "'"), ("(", ")")]
Play = Callable[[Script], Awaitable[Overheard]]
played: dict[Script, Overheard] = {}  # a script gives the same game whenever it is played


@pytest.fixture(autouse=True)
def no_warning_once(monkeypatch) -> None:
    """A warning that a process logs once would stand in the first of two games alone."""
    monkeypatch.setattr(networks, "_warn_of_missing_address", lambda: None)


@pytest.fixture
def play_anew(db, monkeypatch, caplog) -> Play:
    """Plays a script and tells what was heard, logs of every level included."""
    watch = Watch(monkeypatch)
    for name in ("", "django", "quiver", "asyncio", "daphne"):
        caplog.set_level(logging.DEBUG, logger=name)

    def logs() -> list[tuple[str, str]]:
        return [(log_of(record), caplog.handler.format(record)) for record in caplog.records]

    async def play(script: Script) -> Overheard:
        caches["template_fragments"].clear()  # each game draws its pages
        gc.collect()  # of what earlier tests have left, complaints are logged now
        caplog.clear()
        return await Eavesdropping(script, watch, logs).play()

    return play


@pytest.fixture
def play(play_anew) -> Play:
    """The same, but a script that another test has played is not played again."""

    async def play(script: Script) -> Overheard:
        if script not in played:
            played[script] = await play_anew(script)
        return played[script]

    return play


def log_of(record: logging.LogRecord) -> str:
    """The category of a log record: "lines" for the state of connections to Redis and PostgreSQL
    and for limited logs, which depend on load and on earlier tests; "logs" for all others."""
    is_of_lines = (
        record.name.split(".")[0] in LIBRARIES
        or record.module == "cache"
        or getattr(record, "event", "") == "log_limit"
    )
    return "lines" if is_of_lines else "logs"


def another(script: Script) -> Script:
    """The same script with another secret, of another length where there is one."""
    length = len(script.secret)
    others = sorted(SECRETS - {script.secret}, key=lambda text: (len(text) == length, text))
    return script.with_secret(others[0])


def differences(one: Heard, two: Heard) -> dict[tuple[str, str], list[str]]:
    """Return by listener and kind the lines of one game only: "-" of the first, "+" of the other.

    Records of the category "lines" are not compared, only searched.
    """
    keys = sorted((one.keys() | two.keys()) - {("nobody", "lines")})
    differ = [key for key in keys if one.get(key) != two.get(key)]
    return {key: differing_lines(one.get(key, ()), two.get(key, ())) for key in differ}


def differing_lines(one: Sequence[str], two: Sequence[str]) -> list[str]:
    """Return the lines of two lists of texts that are not in both, in their order."""
    diff = unified_diff("\n".join(one).splitlines(), "\n".join(two).splitlines(), n=0, lineterm="")
    return [line for line in islice(diff, 2, None) if not line.startswith("@@")]


def hidden(script: Script, heard: Overheard) -> list[Heard]:
    """The messages to others while the secret was hidden, with digests replaced by names."""
    times = [heard.before, heard.after] if script.ending == "resign" else [heard.before]
    return [of_others(heard.masked(each), script.sealer) for each in times]


def spellings(secret: str) -> list[str]:
    """All the ways in which a leak might spell troops."""
    troops = secret.split()[1:]
    lists = [gap.join(troops) for gap in (" ", ",", ", ", ":", "-", "/")]
    return [secret, *(f"{left}{text}{right}" for text in lists for left, right in BRACKETS)]


def every_split() -> list[str]:
    """All legal splits."""
    return list(map(str, BLOTTO.choices(BLOTTO.start(), "white")))


async def test_the_same_game_twice_is_the_same_to_the_byte(play, play_anew):
    one, two = await play(SCRIPTS[0]), await play_anew(SCRIPTS[0])
    assert differences(one.before, two.before) == {}
    assert differences(one.after, two.after) == {}


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_nobody_hears_anything_that_depends_on_a_sealed_action(play, script):
    one, two = await play(script), await play(another(script))
    for mine, theirs in zip(hidden(script, one), hidden(script, two), strict=True):
        assert differences(mine, theirs) == {}


@pytest.mark.parametrize("script", REVEALED, ids=str)
async def test_everybody_hears_of_the_reveal(play, script):
    one, two = await play(script), await play(another(script))
    differ = differences(of_others(one.after, script.sealer), of_others(two.after, script.sealer))
    other = OTHER[script.sealer]
    ears = (f"{other} one", f"{other} two", "watcher", "nobody", "nobody else")
    assert {(ear, "game") for ear in ears} <= set(differ)
    assert ("nobody at the lists", "lists") in differ
    game = f"/g/{one.slug}"
    pages = (f"{game}/", f"{game}/steps?from=0", f"{game}/record.json", "/", "/watch/")
    assert {(who, page) for who in (other, "watcher", "nobody") for page in pages} <= set(differ)


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_the_sealed_troops_are_spelled_nowhere(play, script):
    for heard in hidden(script, await play(script)):
        texts = [text for texts in heard.values() for text in texts]
        assert len(texts) > 30
        assert [each for each in spellings(script.secret) for text in texts if each in text] == []


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_the_ledger_holds_the_commitment_alone_of_what_is_sealed(play, script):
    heard = await play(script)
    secret = [body for body in heard.ledger if body.get("step") == 1]
    made = commitment(heard.slug, 1, script.sealer, script.secret, heard.salt)
    assert secret == [{"step": 1, "commitment": made}]
    figures = {"first_turn_ms", "begin_wait_ms", "reveal_pause_ms", "lag_budget_ms"}
    assert heard.ledger[0].keys() == {"format", "rules", "clock"} | figures


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_everybody_is_told_the_commitment_and_nobody_the_salt(play, script):
    heard = await play(script)
    made = commitment(heard.slug, 1, script.sealer, script.secret, heard.salt)
    for ear in ("white two", "black two", "watcher", "nobody"):
        shown = json.loads(heard.before[ear, "game"][-1])
        assert shown["commitments"] == {script.sealer: made}
    for texts in heard.before.values():
        assert [text for text in texts if heard.salt in text] == []
    spelled = [text for texts in heard.after.values() for text in texts if heard.salt in text]
    assert bool(spelled) == (script.ending == "reveal")


@pytest.mark.parametrize("script", REVEALED, ids=str)
async def test_the_reveal_opens_what_was_committed_to(play, script):
    heard = await play(script)
    before = json.loads(heard.before["watcher", "game"][-1])["commitments"]
    (step,) = json.loads(heard.after["watcher", "game"][-1])["last"]
    (seal,) = [step["seals"][role] for role in before]
    assert seal["commitment"] == before[script.sealer]
    action = f"troops {step['text'][script.sealer]}"
    assert commitment(heard.slug, 1, script.sealer, action, seal["salt"]) == seal["commitment"]


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_no_digest_is_heard_that_could_be_guessed(play, script):
    heard = await play(script)
    known = {commitment(heard.slug, 1, role, text, "") for role in OTHER for text in every_split()}
    known |= {sha256(text.encode()).hexdigest() for text in every_split()}
    for texts in heard.before.values():
        found = {each for text in texts for each in re.findall(r"[0-9a-f]{64}", text)}
        assert found & known == set()
        assert found <= heard.digests.keys()


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_both_tabs_of_the_sealer_show_his_seal_and_those_of_the_other_role_do_not(
    play, script
):
    before = (await play(script)).before
    for tab in ("one", "two"):
        own = json.loads(before[f"{script.sealer} {tab}", "game"][-1])
        assert (own["your_seal"], own["prompt"]) == ([script.secret], None)
        theirs = json.loads(before[f"{OTHER[script.sealer]} {tab}", "game"][-1])
        assert (theirs["your_seal"], theirs["sealed"]) == (None, [script.sealer])
        assert theirs["prompt"] is not None


@pytest.mark.parametrize("script", [*REVEALED, *RESIGNED], ids=str)
async def test_even_the_sealers_own_frames_differ_in_his_seal_alone(play, script):
    two = another(script)
    one, other = await play(script), await play(two)
    before, other = one.masked(one.before), other.masked(other.before)
    own = [key for key in before if key[0].startswith(f"{script.sealer} ")]
    assert (f"{script.sealer} two", "game") in own
    for key in own:
        blanked = [text.replace(two.secret, script.secret) for text in other[key]]
        assert before[key] == blanked


def sealed_text(live: Any) -> str:
    """The sealed actions as the text that a leak would contain."""
    return " ".join(str(seal.action) for seal in live.sealed.values())


def leak_the_length(monkeypatch: Any) -> None:
    """A snapshot that is a little longer for longer actions."""
    own = visibility.audience_part

    def leaky(live: Any, audience: str, at: int) -> dict[str, object]:
        return {**to_builtins(own(live, audience, at)), "pad": "." * len(sealed_text(live))}

    monkeypatch.setattr(visibility, "audience_part", leaky)


def leak_a_clock(monkeypatch: Any) -> None:
    """Clocks that depend on what was sealed, by a millisecond."""
    clock = visibility._show_clock

    def leaky(live: Any) -> Any:
        since = live.times.since + sum(map(ord, sealed_text(live))) % 97
        return replace(clock(live), since=since)

    monkeypatch.setattr(visibility, "_show_clock", leaky)


def leak_in_a_plan(monkeypatch: Any) -> None:
    """A plan that knows of more than the role that asks for it."""
    monkeypatch.setattr(visibility, "_premove_prompt", lambda live, role: {"x": sealed_text(live)})


def leak_to_the_lists(monkeypatch: Any) -> None:
    """A list of games that is drawn from more than the view."""
    summary = visibility.summary

    def leaky(live: Any) -> dict[str, object]:
        return {**summary(live), "x": sealed_text(live)}

    monkeypatch.setattr(visibility, "summary", leaky)


def leak_in_a_header(monkeypatch: Any) -> None:
    """An ETag over everything that is known of a game."""
    render = views.render

    def leaky(request: Any, template: str, context: dict[str, Any]) -> Any:
        answer = render(request, template, context)
        answer["ETag"] = f'"{sum(map(ord, sealed_text(context["game"])))}"'
        return answer

    monkeypatch.setattr(views, "render", leaky)


def leak_to_the_logs(monkeypatch: Any) -> None:
    """A log line with the command in it."""
    act = decide.DECIDERS[commands.Act]

    def leaky(live: Any, envelope: Any) -> Any:
        text = "judging %s: %s"
        logging.getLogger("quiver.play").debug(text, envelope, envelope.command.actions)
        return act(live, envelope)

    monkeypatch.setitem(decide.DECIDERS, commands.Act, leaky)


def leak_without_salt(monkeypatch: Any) -> None:
    """A commitment that 66 guesses would open."""
    own = visibility.audience_part

    def leaky(live: Any, audience: str, at: int) -> dict[str, object]:
        made = {
            role: commitment(live.slug, live.step, role, str(seal.action), "")
            for role, seal in live.sealed.items()
        }
        return {**to_builtins(own(live, audience, at)), "commitments": made}

    monkeypatch.setattr(visibility, "audience_part", leaky)


# Leaks that nobody hears in the same place are planted together.
LEAKS = [
    {leak_without_salt: ("watcher", "game")},
    {leak_the_length: ("watcher", "game")},
    {leak_a_clock: ("black two", "game")},
    {
        leak_in_a_header: ("nobody", "/g/{}/"),
        leak_in_a_plan: ("watcher", "plan"),
        leak_to_the_lists: ("nobody at the lists", "lists"),
        leak_to_the_logs: ("nobody", "logs"),
    },
]


@pytest.mark.parametrize(
    "leaks",
    [LEAKS[-1], *nightly(*LEAKS[:-1])],
    ids=lambda all: "-".join(leak.__name__ for leak in all),
)
async def test_a_planted_leak_is_found(play_anew, monkeypatch, leaks):
    for leak in leaks:
        leak(monkeypatch)
    one, two = await play_anew(SCRIPTS[0]), await play_anew(another(SCRIPTS[0]))
    (mine,), (theirs,) = hidden(SCRIPTS[0], one), hidden(another(SCRIPTS[0]), two)
    found = differences(mine, theirs)
    assert {(who, what.format(one.slug)) for who, what in leaks.values()} <= set(found)
