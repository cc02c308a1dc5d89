"""Audit of an exported record by the rules and the hashes alone."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.audit.record import check_record
from games.catalogue import UnknownRules
from games.ledger import GENESIS, chain_hash, commitment, text_of
from games.records import BadRecord
from tests.games.command_line import run

CLOCK = {"kind": "fischer", "initial": 60_000, "increment": 2_000}
SALTS = {"white": "5a" * 16, "black": "7e" * 16}
SPLITS = {"white": "troops 4 3 3", "black": "troops 10 0 0"}


def entry(rev: int, kind: str, at: int, left: tuple[int, int], **more: Any) -> dict[str, Any]:
    role = more.pop("role", None)
    return {
        "game": "a-game",
        "rev": rev,
        "kind": kind,
        "role": role,
        "id": role and f"id-{rev}",
        "at": at,
        "lag": more.pop("lag", 0),
        "clock": {"white": left[0], "black": left[1]},
        "body": copy.deepcopy(more),
    }


def chain(entries: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The entries as an export has them."""
    ledger, head = [], GENESIS
    for each in entries:
        head = chain_hash(head, text_of(each))
        ledger.append({"text": text_of(each), "hash": head})
    return ledger


def record(key: str, actions: list[Any], entries: list[dict[str, Any]], result: Any) -> Any:
    return {
        "game": key,
        "id": "a-game",
        "actions": actions,
        "white": "ada",
        "black": "bob",
        "result": result,
        "clock": CLOCK,
        "ledger": chain(entries),
    }


def board() -> tuple[str, list[Any], list[dict[str, Any]], Any]:
    """White moves, with 200 ms of lag, and black resigns."""
    turn = ["move 1 5 2 5", "move 1 7 1 6"]
    result = {"winner": "white", "goals": {"white": 100, "black": 0}, "reason": "resigned"}
    white = {"role": "white", "lag": 200, "step": 0, "actions": turn}
    entries = [
        entry(0, "open", 1_000, (60_000, 60_000), format=1, rules="pincer", clock=CLOCK),
        entry(1, "act", 6_000, (57_200, 60_000), **white),
        entry(2, "resign", 9_000, (57_200, 57_000), role="black", result=result),
    ]
    return "pincer", turn, entries, result


def troops() -> tuple[str, list[Any], list[dict[str, Any]], Any]:
    """One round is played and the next one under way."""
    made = {role: commitment("a-game", 0, role, SPLITS[role], SALTS[role]) for role in SALTS}
    reveal = {role: {"action": SPLITS[role], "salt": SALTS[role]} for role in SALTS}
    black = {"role": "black", "step": 0, "commitment": made["black"], "reveal": reveal}
    entries = [
        entry(0, "open", 1_000, (60_000, 60_000), format=1, rules="blotto", clock=CLOCK),
        entry(1, "act", 2_000, (59_000, 59_000), role="white", step=0, commitment=made["white"]),
        entry(2, "act", 4_000, (61_000, 59_000), **black),
        entry(3, "act", 5_000, (60_000, 58_000), role="white", step=1, commitment="0" * 64),
    ]
    return "blotto", [list(SPLITS.values())], entries, None


GAMES = [board, troops]


@pytest.mark.parametrize("game", GAMES)
def test_a_record_that_is_right_has_no_faults(game) -> None:
    key, actions, entries, result = game()
    faults, said = check_record(record(key, actions, entries, result))
    head = chain(entries)[-1]["hash"]
    assert (faults, said) == ([], f"{key} a-game, {len(entries)} entries up to {head}")


def opened_as(rated: Any) -> list[dict[str, Any]]:
    """The entries of `board` whose opening says `rated`."""
    entries = board()[2]
    entries[0]["body"]["rated"] = rated
    return entries


def test_a_rated_game_says_so_in_its_opening_and_its_record() -> None:
    key, actions, entries, result = board()
    rated = record(key, actions, opened_as(True), result)
    assert check_record({**rated, "rated": True})[0] == []
    for wrong in (rated, {**record(key, actions, entries, result), "rated": True}):
        assert check_record(wrong)[0] == [
            "the record and its ledger differ about whether the game is rated"
        ]


@pytest.mark.parametrize("value", [False, None, 1, "true"])
def test_an_opening_that_says_anything_else_about_rating_is_a_fault(value) -> None:
    key, actions, _, result = board()
    for said in (True, False):
        wrong = record(key, actions, opened_as(value), result) | {"rated": said}
        assert "rev 0: it says something else" in check_record(wrong)[0][0]


@pytest.mark.parametrize("given", [0, -1, None, True, "2", 1.5])
def test_an_opening_says_how_many_turns_were_given_or_nothing(given) -> None:
    key, actions, entries, result = board()
    entries[0]["body"]["given"] = 1
    assert check_record(record(key, actions, entries, result))[0] == []
    entries[0]["body"]["given"] = given
    assert "turns are said to be given" in check_record(record(key, actions, entries, result))[0][0]


def test_turns_are_given_in_no_rated_game() -> None:
    key, actions, _, result = board()
    entries = opened_as(True)
    entries[0]["body"]["given"] = 1
    rated = {**record(key, actions, entries, result), "rated": True}
    assert check_record(rated)[0] == ["rev 0: turns are given in a rated game"]


def leaves(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a value that is not a list or an object."""
    if not isinstance(value, dict | list):
        return [way]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return [each for key, part in pairs for each in leaves(part, (*way, key))]


def changed(value: Any, way: tuple[Any, ...]) -> Any:
    """A copy with one leaf changed."""
    root = part = copy.deepcopy(value)
    for key in way[:-1]:
        part = part[key]
    old = part[way[-1]]
    part[way[-1]] = old + 1 if type(old) is int else f"{old or ''}x"
    return root


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_changed_in_the_file_is_found(game) -> None:
    key, actions, entries, result = game()
    right = record(key, actions, entries, result)
    for way in leaves(right):
        if way[0] in ("game", "white", "black"):
            continue  # no rules are called so; and names are in no ledger
        assert check_record(changed(right, way))[0] != [], way


@pytest.mark.parametrize("game", GAMES)
def test_every_flipped_character_of_a_ledger_is_found(game) -> None:
    key, actions, entries, result = game()
    right = record(key, actions, entries, result)
    for each in right["ledger"]:
        for part in ("text", "hash"):
            kept = each[part]
            for n in range(len(kept)):
                each[part] = kept[:n] + ("1" if kept[n] != "1" else "2") + kept[n + 1 :]
                assert check_record(right)[0] != [], each[part]
            each[part] = kept


@pytest.mark.parametrize("game", GAMES)
def test_a_forger_who_makes_the_hashes_anew_is_found(game) -> None:
    key, actions, entries, result = game()
    for rev, each in enumerate(entries):
        for way in leaves(each):
            if (each["role"] and way == ("id",)) or (rev, way) == (3, ("body", "commitment")):
                continue  # an id may be any; and so may a commitment that is not opened yet
            forged = [*entries[:rev], changed(each, way), *entries[rev + 1 :]]
            assert check_record(record(key, actions, forged, result))[0] != [], (rev, way)


def forsaken_game(opening: dict[str, Any], kind: str, gone: object = True) -> list[str]:
    """The faults of a game with one day per turn that ends as nobody returns, before any move."""
    clock = {"kind": kind, "initial": 86_400_000, "increment": 0}
    result = {"winner": None, "goals": {"white": 0, "black": 0}, "reason": "aborted"}
    left, later = (86_400_000, 86_400_000), (86_399_000, 86_400_000)
    entries = [
        entry(0, "open", 1_000, left, format=1, rules="pincer", clock=clock, **opening),
        entry(1, "idle", 2_000, later, gone=gone, result=result),
    ]
    return check_record({**record("pincer", [], entries, result), "clock": clock})[0]


def test_a_game_is_aborted_because_nobody_returns_only_without_a_running_clock() -> None:
    assert forsaken_game({}, "days") == []
    assert any("nobody returns" in fault for fault in forsaken_game({}, "fischer"))
    assert any("ended as idle" in fault for fault in forsaken_game({}, "days", 1))


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ({"first_turn_ms": {"white": 30_000}}, "another time than all turns"),
        ({"first_turn_ms": {"white": 86_400_000}, "begin_wait_ms": 1}, "no allowances"),
        ({"reveal_pause_ms": 5_000}, "no allowances"),
        ({"lag_budget_ms": 2_000}, "the budget of lag"),
    ],
)
def test_a_first_turn_of_a_game_with_days_has_the_time_of_all_turns(opening, words) -> None:
    assert any(words in fault for fault in forsaken_game(opening, "days"))


def test_an_entry_left_out_or_put_elsewhere_is_found() -> None:
    key, actions, entries, result = board()
    for forged in (entries[1:], entries[:-1], [*entries, entries[-1]], entries[::-1], []):
        assert check_record(record(key, actions, forged, result))[0] != []


@pytest.mark.parametrize(
    "record",
    [None, [], {}, {"game": "chess"}, {"game": "pincer"}, {"game": "pincer", "ledger": [1]}],
)
def test_a_malformed_record_is_refused(record: Any) -> None:
    with pytest.raises((BadRecord, UnknownRules)):
        check_record(record)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.data())
def test_nonsense_in_a_record_is_told_and_raises_nothing_else(data: st.DataObject) -> None:
    key, actions, entries, result = data.draw(st.sampled_from(GAMES))()
    each = data.draw(st.sampled_from(entries))
    way = data.draw(st.sampled_from(leaves(each)))
    part: Any = each
    way = way[: data.draw(st.integers(1, len(way)))]
    for name in way[:-1]:
        part = part[name]
    part[way[-1]] = data.draw(json_values)
    try:
        forged = record(key, actions, entries, result)
    except ValueError:
        return  # not even JSON
    try:
        check_record(json.loads(json.dumps(forged)))
    except BadRecord:
        return


def test_nobody_may_claim_in_pincer() -> None:
    key, actions, entries, result = board()
    entries[0]["body"]["format"] = 3
    faults, _ = check_record(record(key, actions, entries, result))
    assert faults == ["rev 0: nobody may claim in a game like this"]


def test_a_win_is_not_claimed_in_a_game_that_was_opened_without_claims() -> None:
    key, actions, entries, _ = board()
    entries[2] = entry(2, "claim-refused", 9_000, (57_200, 57_000), role="black", number=1)
    faults, _ = check_record(record(key, actions, entries, None))
    assert faults == ["rev 2: the win is claimed in a game without claims"]


@pytest.mark.parametrize("format", [0, 4, "1", None])
def test_a_ledger_of_another_format_is_not_read(format: Any) -> None:
    key, actions, entries, result = board()
    entries[0]["body"]["format"] = format
    faults, _ = check_record(record(key, actions, entries, result))
    assert faults == [f"rev 0: the format of the ledger is {format!r}, not one of (1, 2, 3)"]


@pytest.mark.processes
def test_the_command_prints_a_line_for_each_file_and_fails_if_one_is_wrong(tmp_path: Path) -> None:
    key, actions, entries, result = board()
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(record(key, actions, entries, result)))
    wrong.write_text(json.dumps(record(key, actions[:1], entries, result)))
    status, out, err = run("verify", right, wrong)
    assert (status, err) == (1, "")
    first, second = out.splitlines()
    assert first.endswith(": right")
    assert second.endswith(": the actions of the record are not those of its ledger")
    assert run("verify", right)[0] == 0


@pytest.mark.processes
@pytest.mark.parametrize("text", ["", "{", "[]", '{"game":"pincer","id":"x","actions":[]}'])
def test_the_command_refuses_what_is_no_record(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    status, out, err = run("verify", path)
    assert (status, out) == (2, "")
    assert str(path) in err
