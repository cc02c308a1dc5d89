"""The command line `python -m games`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.games.command_line import run, run_in_process
from tests.games.stories import KEYS, TRACES, recorded


def written(path: Path, *games: object) -> Path:
    path.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    return path


def game(actions: list, key: str = "pincer", name: object = 7) -> dict:
    return {"game": key, "id": name, "actions": actions}


@pytest.mark.processes
@pytest.mark.parametrize("arguments", [("perft", "pincer", "1"), ("perft", "chess", "1"), ("?",)])
def test_a_process_ends_and_prints_as_the_function_does(arguments):
    assert run_in_process(*arguments) == run(*arguments)


def test_replay_prints_a_line_for_every_game_of_every_file():
    status, out, err = run("replay", *(TRACES / f"{key}.jsonl" for key in KEYS))
    lines = [json.loads(line) for line in out.splitlines()]
    references = [record for key in KEYS for record in recorded(key)]
    assert (status, err) == (0, "") and len(lines) == len(references)
    for line, record in zip(lines, references, strict=True):
        assert {name: line[name] for name in line.keys() & record.keys()} == {
            name: record[name] for name in line.keys() & record.keys()
        }
        shown = {"game", "id", "legal_counts", "legal_sha256", "terminal", "goals"}
        assert line.keys() - shown == (
            {"scores"} if record["game"] == "blotto" else {"to_move", "final"}
        )


def test_replay_needs_only_game_id_and_actions(tmp_path):
    path = written(tmp_path / "one.jsonl", game(["move 1 5 2 5"]))
    status, out, _ = run("replay", path)
    line = json.loads(out)
    assert status == 0 and line["legal_counts"] == [10] and line["to_move"] == "white"
    assert line["terminal"] is False and line["goals"] is None and line["id"] == 7


@pytest.mark.parametrize(("command", "status"), [("replay", 0), ("verify", 2)])
def test_a_byte_order_mark_before_a_record_is_no_part_of_it(tmp_path, command, status):
    path = written(tmp_path / "one.jsonl", game(["move 1 5 2 5"]))
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    plain = run(command, path)
    assert plain[0] == status
    said = [text.replace(marked.name, path.name) for text in run(command, marked)[1:]]
    assert said == [*plain[1:]]


def test_a_finished_game_of_pincer_has_nobody_to_move():
    _, out, _ = run("replay", TRACES / "pincer.jsonl")
    assert {json.loads(line)["to_move"] for line in out.splitlines()} == {None}


@pytest.mark.parametrize(
    ("record", "code", "index"),
    [
        (game(["move 1 5 2 5", "move 2 5 2 6"]), "same_piece_twice", 1),
        (game(["noop"]), "must_act", 0),
        (game(["move 1 5 1 4", "move 01 7 2 7"]), "bad_action", 1),
        (game(["play 4 1 4 10 4 1"], "amazons"), "occupied", 0),
        (game([["troops 5 5 0", "troops 5 5 5"]], "blotto"), "sum_not_10", 0),
        (game([["noop", "troops 5 5 0"]], "blotto"), "bad_action", 0),
        (game([*recorded("pincer")[0]["actions"], "move 1 1 1 2"]), "game_over", 50),
        (game([["troops 5 5 0", "troops 5 5 0"]] * 6, "blotto"), "game_over", 5),
    ],
)
def test_an_action_that_is_not_allowed_ends_its_line_and_no_other(tmp_path, record, code, index):
    good = game(["move 1 5 2 5"])
    status, out, err = run("replay", written(tmp_path / "games.jsonl", good, record, good))
    first, line, last = map(json.loads, out.splitlines())
    assert (status, err) == (1, "") and "error" not in first and "error" not in last
    assert line["error"]["code"] == code and line["index"] == index
    assert line["error"]["sentence"].endswith(".")
    played = index + (code != "game_over")
    assert len(line["legal_counts"]) == len(line["legal_sha256"]) == played


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "line 1, is not JSON"),
        (b"[" * 100_000, "line 1, is not JSON"),
        (b"\xff\xfe", "is not a text in UTF-8"),
        (b"5\n", "A game is a JSON object"),
        (b'{"game":"chess","actions":[]}', "no rule set"),
        (b'{"actions":[]}', "no rule set"),
        (b'{"game":"pincer"}', "has to be a list"),
        (b'{"game":"pincer","actions":"move"}', "has to be a list"),
        (b'{"game":"pincer","actions":[5]}', "An action is a string"),
        (b'{"game":"pincer","actions":[["noop","noop"]]}', "An action is a string"),
        (b'{"game":"blotto","actions":["troops 5 5 0"]}', "An action is a string"),
        (b'{"game":"blotto","actions":[["troops 5 5 0"]]}', "An action is a string"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence_and_status_two(tmp_path, content, sentence):
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(content)
    status, out, err = run("replay", path)
    assert status == 2 and out == "" and sentence in err
    assert "Traceback" not in err and len(err.splitlines()) == 1 and len(err) < 400


def test_a_file_that_is_not_there_is_one_sentence_and_status_two(tmp_path):
    for command in ("replay", "positions"):
        for path in (tmp_path / "nothing", tmp_path):
            status, out, err = run(command, path)
            assert status == 2 and out == "" and str(path) in err
            assert "Traceback" not in err and len(err.splitlines()) == 1


def test_positions_prints_what_the_file_expects():
    status, out, err = run("positions", TRACES / "pincer-positions.json")
    expected = json.loads((TRACES / "pincer-positions.json").read_text())
    assert (status, err) == (0, "")
    keys = ("id", "after", "next", "reason", "goals")
    assert [json.loads(line) for line in out.splitlines()] == [
        {key: entry[key] for key in keys} for entry in expected
    ]


def test_positions_says_which_action_is_not_allowed(tmp_path):
    entry = json.loads((TRACES / "pincer-positions.json").read_text())[0]
    entry["actions"] = ["move 1 5 2 5", "move 1 7 1 7"]
    path = tmp_path / "positions.json"
    path.write_text(json.dumps([entry]))
    status, out, _ = run("positions", path)
    line = json.loads(out)
    assert (status, line["index"], line["error"]["code"]) == (1, 1, "same_square")


@pytest.mark.parametrize(
    "content",
    ["{}", "[5]", '[{"board":"x"}]', '[{"board":"W","to_move":"white","moves_before":0}]'],
)
def test_positions_that_are_none_are_one_sentence_and_status_two(tmp_path, content):
    path = tmp_path / "positions.json"
    path.write_text(content)
    status, out, err = run("positions", path)
    assert status == 2 and out == "" and "Traceback" not in err and len(err.splitlines()) == 1


def test_perft_prints_the_count():
    assert run("perft", "amazons-8x8", 1) == (0, "1232\n", "")
    assert run("perft", "pincer", 3) == (0, "672\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "chess", 1),
        ("perft", "pincer", "two"),
        ("perft", "pincer", -1),
        ("perft", "pincer"),
        ("guess",),
        ("replay",),
        (),
    ],
)
def test_a_wrong_command_line_has_status_two(arguments):
    status, out, err = run(*arguments)
    assert status == 2 and out == "" and err and "Traceback" not in err
