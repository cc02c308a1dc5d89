"""The solver of Pincer: values, files, and what the players know of them."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep

import numpy
import pytest

from games.catalogue import PINCER
from games.core import NOOP, OTHER
from games.players.core import Allowance
from games.players.levels import player_of
from games.players.pincer.solved import probe
from games.players.pincer.solved.above import search_above
from games.players.pincer.solved.compute import Computation
from games.players.pincer.solved.few_pieces import FILE, load
from games.players.pincer.solved.kernels import transpose
from games.players.pincer.solved.layers import Shard, is_reached, layer_shards, part_of, shards
from games.players.pincer.solved.run import Solver
from games.players.pincer.solved.storage import DamagedFile, StorageError, file_of, read, write
from games.players.pincer.solved.verify import compare, positions, sample, search, state_of

slow = pytest.mark.slow
ROOT = Path(__file__).parents[3]
SOLVE = (sys.executable, "-m", "games", "solve-pincer")


def solved(pieces: int, left: int) -> Computation:
    computation = Computation(pieces)
    for layer in range(1, left + 1):
        for shard in layer_shards(layer, pieces):
            computation.compute(shard, layer)
    return computation


@pytest.mark.nightly
def test_all_positions_of_three_pieces_have_the_value_that_the_rules_give():
    for left in (1, 2, 3):
        computation = solved(3, left)
        for shard in shards(3):
            found = [at for number, at in enumerate(positions(shard)) if number % 5 == left]
            assert len(found) > 100
            assert [*compare(computation, found, left, by_rules=True)] == []


@slow
def test_positions_of_four_and_five_pieces_have_the_value_that_a_search_finds():
    computation = solved(5, 6)
    for shard in shards(5):
        for left in (3, 4, 5, 6):
            if is_reached(shard, left):
                found = [*sample(shard, Random(left), 60)]
                assert [*compare(computation, found, left, by_rules=False)] == []


@slow
def test_a_slow_solver_by_the_rules_agrees_on_four_pieces():
    computation = solved(4, 4)
    for shard in shards(4):
        found = [*sample(shard, Random(4), 15)]
        assert [*compare(computation, found, 4, by_rules=True)] == []


@slow
def test_a_search_above_the_layers_finds_the_values_of_the_layers_above():
    computation = solved(5, 3)
    layers, table = (computation.layer(2), computation.layer(1)), numpy.zeros(1 << 12, numpy.int64)
    higher = solved(5, 6)
    for shard in shards(5):
        for left in (4, 6) if min(shard) > 1 else (4, 5, 6):
            for own, theirs in sample(shard, Random(left), 25):
                below = 2, table, own, theirs, 0, left, 0, 2
                value = search_above(computation.groups, *layers, *below)
                assert value == higher.value(own, theirs, left)


def test_the_transposition_of_a_block_of_bits_moves_each_bit():
    random = Random(1)
    rows = [random.getrandbits(64) for _ in range(64)]
    block = numpy.array(rows, numpy.uint64)
    transpose(block)
    for row, column in ((random.randrange(64), random.randrange(64)) for _ in range(500)):
        assert int(block[column]) >> row & 1 == rows[row] >> column & 1


def test_a_role_whose_pieces_are_not_captured_has_a_second_move():
    # So a turn has two moves on every board that a game reaches: the layers rest on it.
    for shard in (Shard(2, 4), Shard(4, 4), Shard(4, 2)):
        for at in sample(shard, Random(3), 40):
            state = state_of(at, 20)
            for action in PINCER.choices(state, "white"):
                after = PINCER.play(state, {"white": action, "black": NOOP})
                assert PINCER.outcome(after) or after.stepped is not None


def solve(folder: Path, *options: str, limit_bytes: int | None = None):
    def set_limit() -> None:
        if limit_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    return subprocess.run(
        [*SOLVE, str(folder), *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=set_limit,
    )


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.processes
@pytest.mark.nightly
@slow
def test_a_solver_that_is_killed_goes_on_and_ends_with_the_same_files(tmp_path):
    assert solve(tmp_path / "whole", "--pieces", "4").returncode == 0
    killed = tmp_path / "killed"
    process = subprocess.Popen([*SOLVE, str(killed), "--pieces", "4"], cwd=ROOT)
    until = monotonic() + 120
    while not (killed / "left-07" / "2v1.pincer").exists() and monotonic() < until:
        sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(files_in(killed)) < len(files_in(tmp_path / "whole"))
    again = solve(killed, "--pieces", "4")
    assert again.returncode == 0 and "continuing with" in again.stdout
    there = {name: data for name, data in files_in(killed).items() if not name.endswith(".tmp")}
    assert there == files_in(tmp_path / "whole")


@pytest.mark.processes
@pytest.mark.nightly
@slow
def test_a_full_disk_is_told_and_leaves_only_whole_files(tmp_path):
    ended = solve(tmp_path, "--pieces", "4", "--left", "4", limit_bytes=2_000)
    assert ended.returncode == 2
    assert "cannot be written" in ended.stderr and "run the command again" in ended.stderr
    there = files_in(tmp_path)
    assert there and not any(name.endswith(".tmp") for name in there)
    assert solve(tmp_path, "--pieces", "4", "--left", "4").returncode == 0
    assert all(files_in(tmp_path)[name] == data for name, data in there.items())


def test_damaged_files_are_refused_and_computed_again(tmp_path):
    solver = Solver(tmp_path, 3)
    assert [*solver.run(1, 4)]
    path = file_of(tmp_path, 4, Shard(2, 1))
    whole = path.read_bytes()
    words = numpy.zeros_like(part_of(solver.computation.layer(4), Shard(2, 1), 3))
    for data in (whole[:-5], whole[:90] + b"x" + whole[91:], whole[:8] + bytes(16) + whole[24:]):
        path.write_bytes(data)
        with pytest.raises(DamagedFile):
            read(path, 4, Shard(2, 1), words)
        assert Solver(tmp_path, 3).resume() == 4
        assert [*Solver(tmp_path, 3).run(1, 4)]
        assert path.read_bytes() == whole


def test_values_of_another_solver_are_not_overwritten(tmp_path):
    solver = Solver(tmp_path, 3)
    assert [*solver.run(1, 2)]
    words = part_of(solver.computation.layer(2), Shard(2, 1), 3).copy()
    words[0] ^= numpy.uint64(1)
    write(file_of(tmp_path, 2, Shard(2, 1)), 2, Shard(2, 1), words)
    with pytest.raises(StorageError, match="other values"):
        list(Solver(tmp_path, 3).run(1, 2))


@slow
def test_the_table_has_the_values_that_a_search_finds():
    table, fault = load()
    assert fault == "" and table.pieces == probe.TABLE_PIECES
    for shard in shards(5):
        for left in (1, 2, 3, 6, 7):
            if is_reached(shard, left):
                for own, theirs in sample(shard, Random(left), 50):
                    value = probe.value_of(table, own, theirs, 0, 50 - left)
                    assert value == search(own, theirs, 0, left, 0, 2)


def test_the_table_does_not_answer_for_what_it_does_not_hold():
    table, _ = load()
    two_and_two = next(sample(Shard(2, 2), Random(1), 1))
    assert probe.value_of(table, *two_and_two, 0, 13) == probe.UNKNOWN  # an odd number left
    assert probe.value_of(table, *next(sample(Shard(3, 3), Random(1), 1)), 0, 10) == probe.UNKNOWN


@pytest.mark.parametrize("change", ["missing", "truncated", "damaged", "version"])
def test_a_table_that_cannot_be_used_is_left_out_with_a_sentence(tmp_path, change):
    data = FILE.read_bytes()
    path = tmp_path / "few-pieces.bin"
    changed = {
        "truncated": data[:-100],
        "damaged": data[:500] + bytes([data[500] ^ 1]) + data[501:],
        "version": b"PINCERT0" + data[8:],
    }
    if change != "missing":
        path.write_bytes(changed[change])
    table, fault = load(path)
    assert table.pieces == 0
    assert "few-pieces.bin, is not used" in fault and "solve-pincer" in fault


@slow
def test_level_8_keeps_the_value_of_every_position_in_the_table():
    table, _ = load()
    player, checked = player_of("pincer", 8), 0
    for shard in (Shard(2, 3), Shard(3, 2), Shard(2, 2), Shard(1, 4), Shard(2, 1)):
        for own, theirs in sample(shard, Random(sum(shard)), 6):
            state = state_of((own, theirs), 20)
            value = probe.value_of(table, own, theirs, 0, 30)
            while state.to_move == "white" and PINCER.outcome(state) is None:
                choices = PINCER.choices(state, "white")
                view = PINCER.view(state, "white")
                thought = player.choose(view, "white", choices, Allowance(2_000), 1)
                assert thought.value == value - 1 and thought.why == "solved"
                state = PINCER.play(state, {"white": thought.action, OTHER["white"]: NOOP})
            outcome = PINCER.outcome(state)
            if outcome is None:
                mine, other = (bits_of(state, role) for role in ("white", "black"))
                assert 2 - probe.value_of(table, other, mine, 0, state.moves) == value
            else:
                assert outcome.goals["white"] // 50 == value
            checked += 1
    assert checked == 30


def bits_of(state, role: str) -> int:
    """The pieces of a role as bits of `pincer.board`."""
    pieces = state.white if role == "white" else state.black
    return sum(1 << 8 * (s // 16 - 1) + s % 16 - 1 for s in range(256) if pieces >> s & 1)


@pytest.mark.processes
@slow
def test_without_numba_the_solver_says_what_it_needs(tmp_path):
    code = (
        "import sys, importlib.util as u; find = u.find_spec; "
        "u.find_spec = lambda name, *a: None if name == 'numba' else find(name, *a); "
        "sys.modules['numba'] = None; from games.__main__ import main; "
        f"sys.exit(main(['solve-pincer', {str(tmp_path)!r}]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2 and ended.stderr == "This needs numba.\n"
