"""Trees of studies: their stored text, and the check of every turn by the rules.

A stored tree holds legal turns only, so a write plays just the turns that it adds, and those that
lead to them. Playing one takes about 0.2 ms: 5,000 of them would block a process for a second,
hence the bound on a save, and a pause after some turns for the process's other threads.
"""

import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from analysis.board.position_tree import ROOT, InvalidTree, NodeRequest, check_nodes, play_turn
from games.core import Rules, assemble_joint

MAX_TURNS: Final = 5_000
MAX_TREE_BYTES: Final = 256 * 1024  # as `write_tree` writes it
MAX_DEPTH: Final = 250  # turns in a row; more than twice the longest games
MAX_PLAYED_IN_SAVE: Final = 1_000  # turns that one save has played; a new one has its line played
TURNS_BEFORE_PAUSE: Final = 20  # about 4 ms
PAUSE_S: Final = 0.001


class StudyNode(NodeRequest, omit_defaults=True, forbid_unknown_fields=True):
    """A turn as it is stored and exported: an empty comment or mark is left out."""


class TreeTooLarge(InvalidTree):
    """A tree with too many turns or bytes, or a save with too many new turns."""


_DECODER: Final = msgspec.json.Decoder(list[StudyNode])


def read_tree(text: str) -> list[StudyNode]:
    """Return the turns of a stored tree."""
    return _DECODER.decode(text)


def write_tree(nodes: Sequence[StudyNode]) -> str:
    """Return a tree as it is stored. Raise TreeTooLarge."""
    text = msgspec.json.encode(nodes)
    if len(text) > MAX_TREE_BYTES:
        raise TreeTooLarge(f"A study has at most {MAX_TREE_BYTES // 1024} KB.")
    return text.decode()


def check_tree(
    rules: Rules[Any],
    nodes: Sequence[NodeRequest],
    known: Sequence[NodeRequest] = (),
    max_played: int = MAX_TURNS,
) -> None:
    """Raise InvalidTree or IllegalTurn unless these turns can be played by the rules.

    `known` are those of a tree that was checked before; at most `max_played` turns are played.
    """
    if len(nodes) > MAX_TURNS:
        raise TreeTooLarge(f"A study has at most {MAX_TURNS:,} turns.")
    check_nodes(nodes)
    _check_depth(nodes)
    new = _find_new(nodes, known)
    path = _with_ancestors(nodes, new)
    if len(path) > max_played:
        raise TreeTooLarge("Too many new turns at once. Save them as a study of their own.")
    states: dict[int, Any] = {ROOT: rules.start()}
    for played, index in enumerate(sorted(path), start=1):
        node, before = nodes[index], states[nodes[index].parent]
        if index in new:
            states[index] = play_turn(rules, index, node, before).state
        else:
            states[index] = _replay(rules, node, before)
        if played % TURNS_BEFORE_PAUSE == 0:
            time.sleep(PAUSE_S)


def line_through(nodes: Sequence[NodeRequest], at: int) -> list[int]:
    """Return the turns that lead to one, that one, and those that follow it first; by index."""
    line = [at]
    while nodes[line[0]].parent != ROOT:
        line.insert(0, nodes[line[0]].parent)
    for index in range(at + 1, len(nodes)):  # a turn comes after the one that it follows
        if nodes[index].parent == line[-1]:
            line.append(index)
    return line


def _check_depth(nodes: Sequence[NodeRequest]) -> None:
    depths: list[int] = []
    for node in nodes:
        depths.append(1 if node.parent == ROOT else depths[node.parent] + 1)
    if max(depths, default=0) > MAX_DEPTH:
        raise InvalidTree(f"A study has at most {MAX_DEPTH} turns in a row.")


def _find_new(nodes: Sequence[NodeRequest], known: Sequence[NodeRequest]) -> set[int]:
    """Return the indices of turns that do not follow the same turns in `known`."""
    places: dict[tuple[int, tuple[str, ...]], int] = {}
    first = {ROOT: ROOT}  # of equal turns after the same one, the first stands for all
    for index, node in enumerate(known):
        first[index] = places.setdefault((first[node.parent], tuple(node.actions)), index)
    same, new = {ROOT: ROOT}, set()
    for index, node in enumerate(nodes):
        parent = same.get(node.parent)
        place = None if parent is None else places.get((parent, tuple(node.actions)))
        if place is None:
            new.add(index)
        else:
            same[index] = place
    return new


def _with_ancestors(nodes: Sequence[NodeRequest], chosen: set[int]) -> set[int]:
    """Return some turns and all that lead to them."""
    found: set[int] = set()
    for index in chosen:
        at = index
        while at != ROOT and at not in found:
            found.add(at)
            at = nodes[at].parent
    return found


def _replay(rules: Rules[Any], node: NodeRequest, state: Any) -> Any:
    """Return the state after a turn that was checked before."""
    for text in node.actions:
        (role,) = rules.control(state)
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(text)}))
    return state
