"""Reference games of independent programs give the same results here."""

from __future__ import annotations

import pytest

from games.catalogue import rules_of
from games.core import advance, assemble_joint
from games.records import REASONS, replay_line
from tests.games.stories import KEYS, joints, recorded

GAMES = [(key, index) for key in KEYS for index in range(len(recorded(key)))]


@pytest.mark.parametrize(("key", "index"), GAMES)
def test_the_line_of_a_replay_is_the_line_of_the_reference(key, index):
    record = recorded(key)[index]
    line = replay_line({"game": key, "id": record["id"], "actions": record["actions"]})
    shared = {"game", "id", "legal_counts", "legal_sha256", "terminal", "goals"}
    shared |= {"scores"} if key == "blotto" else {"final"}
    shared |= {"to_move"} if key.startswith("amazons") else set()
    assert {name: line[name] for name in shared} == {name: record[name] for name in shared}
    assert len(line["legal_counts"]) == len(record["actions"]) and "error" not in line


@pytest.mark.parametrize("record", recorded("pincer"), ids=lambda record: str(record["id"]))
def test_mover_and_pieces_and_reason_of_pincer_are_those_of_the_reference(record):
    rules = rules_of("pincer")
    movers, pieces = [], []
    for state, joint in joints("pincer", record):
        movers.append(state.to_move[0].upper())
        later = rules.play(state, joint)
        board = rules.view(later, None)["board"]
        pieces.append((board.count("W"), board.count("B")))
    assert "".join(movers) == record["mover"]
    assert pieces == [tuple(pair) for pair in record["pieces_after"]]
    assert REASONS[rules.outcome(later).reason] == record["reason"]


@pytest.mark.parametrize("record", recorded("amazons"), ids=lambda record: str(record["id"]))
def test_the_arrows_left_out_are_counted_as_in_the_reference(record):
    left_out = 0
    for state, joint in joints("amazons", record):
        effects = rules_of("amazons").effects(state, joint, None)
        left_out += len(effects) == 1
    assert left_out == record["arrows_omitted"]


@pytest.mark.parametrize("key", KEYS)
def test_a_record_with_one_action_changed_has_another_line(key):
    record = recorded(key)[0]
    actions = list(record["actions"])
    actions[1:] = [actions[0], *actions[2:]]
    line = replay_line({"game": key, "id": 0, "actions": actions})
    assert line != replay_line({"game": key, "id": 0, "actions": record["actions"]})


@pytest.mark.parametrize("key", KEYS)
def test_every_recorded_step_passes_the_checks_from_its_written_state(key):
    rules = rules_of(key)
    for state, joint in joints(key, recorded(key)[1]):
        again = rules.read(rules.write(state))
        sealed = {role: rules.parse(str(joint[role])) for role in rules.control(again)}
        assert advance(rules, again, assemble_joint(rules, again, sealed)) == rules.play(
            state, joint
        )
