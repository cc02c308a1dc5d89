"""Trees of turns from the start of a rule set, played by the rules; nothing is stored.

A tree is a flat list of nodes, each a whole turn after its parent, which comes earlier in the list:
so no tree has a cycle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from accounts.plain_text import plain_text
from games import notation
from games.core import (
    ROLES,
    BadAction,
    IllegalAction,
    Role,
    Rules,
    advance,
    assemble_joint,
)
from games.text import MAX_ACTION_CHARS

MAX_NODES: Final = 500  # more than twice the turns of the longest games
MAX_ACTIONS: Final = 3  # of a turn; more than any has
MAX_COMMENT_CHARS: Final = 500
MARKS: Final = ("", "!", "!!", "!?", "?!", "?", "??")  # of a turn, as in chess notation
ROOT: Final = -1  # the parent of turns from the start
NO_CLOCK: Final = {
    "kind": "none",
    "label": "",
    "initial": 0,
    "increment": 0,
    "left": dict.fromkeys(ROLES),
    "since": 0,
    "running": [],
}


class NodeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A turn: its canonical actions, and the index of the node that it follows, -1 the start.

    `comment` is plain text, `mark` one of MARKS; both are empty where nobody has added any.
    """

    parent: int
    actions: list[str]
    comment: str = ""
    mark: str = ""

    def __post_init__(self) -> None:
        self.comment = plain_text(self.comment)


class InvalidTree(ValueError):
    """The nodes are no tree: `str` is an English sentence."""


class IllegalTurn(ValueError):
    """The actions of a node are not one whole turn. `index` is that of the node."""

    def __init__(self, index: int, cause: Exception | None = None) -> None:
        super().__init__(str(cause or "That is not one whole turn."))
        self.index = index
        self.squares = list(getattr(cause, "squares", ()))


@dataclass(frozen=True, slots=True)
class Node:
    """A played turn and the state after it."""

    parent: int
    actions: list[str]
    role: Role
    steps: list[dict[str, Any]]
    state: Any
    comment: str = ""
    mark: str = ""


def play_tree(rules: Rules[Any], requests: Sequence[NodeRequest]) -> list[Node]:
    """Play the turns of a tree of a game in which one role acts at a time.

    Raise InvalidTree, or IllegalTurn for the first node that cannot be played.
    """
    if len(requests) > MAX_NODES:
        raise InvalidTree(f"A tree has at most {MAX_NODES} turns.")
    check_nodes(requests)
    nodes: list[Node] = []
    for index, request in enumerate(requests):
        state = rules.start() if request.parent == ROOT else nodes[request.parent].state
        nodes.append(play_turn(rules, index, request, state))
    return nodes


def check_nodes(requests: Sequence[NodeRequest]) -> None:
    """Raise InvalidTree unless each turn follows an earlier one and its notes are valid."""
    for index, request in enumerate(requests):
        if not ROOT <= request.parent < index:
            raise InvalidTree(f"Turn {index} does not follow an earlier one.")
        _check_notes(index, request)


def _check_notes(index: int, request: NodeRequest) -> None:
    """Raise InvalidTree for a comment or a mark that a turn cannot have."""
    if request.mark not in MARKS:
        raise InvalidTree(f"Turn {index} has an unknown mark.")
    if len(request.comment) > MAX_COMMENT_CHARS:
        raise InvalidTree(f"A comment has at most {MAX_COMMENT_CHARS} characters.")


def play_turn(rules: Rules[Any], index: int, request: NodeRequest, state: Any) -> Node:
    """Play one turn on a state; `index` is its place in a tree. Raise IllegalTurn."""
    turn, texts = rules.turns(state), request.actions
    if not 1 <= len(texts) <= MAX_ACTIONS or any(len(text) > MAX_ACTION_CHARS for text in texts):
        raise IllegalTurn(index)
    deciding = rules.control(state)
    if len(deciding) != 1:
        raise IllegalTurn(index)  # the game is over
    (role,) = deciding
    steps: list[dict[str, Any]] = []
    for text in texts:
        if rules.turns(state) > turn or rules.control(state) != deciding:
            raise IllegalTurn(index)
        try:
            joint = assemble_joint(rules, state, {role: rules.parse(text)})
            after = advance(rules, state, joint)
        except (BadAction, IllegalAction) as refusal:
            raise IllegalTurn(index, refusal) from refusal
        steps.append(
            {
                "n": len(steps),
                "turn": turn,
                "role": role,
                "text": {role: notation.write(rules, state, role, joint[role])},
                "effects": msgspec.to_builtins(rules.effects(state, joint, None)),
            }
        )
        state = after
    if rules.turns(state) == turn and rules.outcome(state) is None:
        raise IllegalTurn(index)
    return Node(request.parent, texts, role, steps, state, request.comment, request.mark)


def play_from(rules: Rules[Any], state: Any, request: NodeRequest) -> Node:
    """Play one turn from any position. Raise IllegalTurn."""
    return play_turn(rules, 0, request, state)


def node_json(rules: Rules[Any], node: Node) -> dict[str, Any]:
    """Return a node as pages get it, with the view after it and the end of the game, if any."""
    return {
        "parent": node.parent,
        "actions": node.actions,
        "role": node.role,
        "steps": node.steps,
        "comment": node.comment,
        "mark": node.mark,
        **position_json(rules, node.state),
    }


def position_json(rules: Rules[Any], state: Any) -> dict[str, Any]:
    """Return a position as pages get it: view, text, and the winner if the game is over."""
    outcome = rules.outcome(state)
    return {
        "view": rules.view(state, None),
        "position": rules.write(state),
        "ending": outcome and {"winner": outcome.winner, "reason": outcome.reason},
    }


def snapshot_json(rules: Rules[Any], state: Any, names: dict[Role, str]) -> dict[str, Any]:
    """Return a snapshot for a board on which the role in control composes a turn."""
    outcome = rules.outcome(state)
    control = [role for role in ROLES if role in rules.control(state)]
    own = control[0] if control else None
    return {
        "t": "game",
        "game": "",
        "rev": 0,
        "key": rules.key,
        "name": rules.name,
        "now": 0,
        "step": rules.turns(state),
        "turns": rules.turns(state),
        "takebacks": 0,
        "status": "live" if outcome is None else "over",
        "seats": {
            role: {"name": names[role], "guest": False, "bot": False, "url": None} for role in ROLES
        },
        "you": own,
        "control": control,
        "sealed": [],
        "view": rules.view(state, own),
        "last": [],
        "clock": NO_CLOCK,
        "offers": {"draw": None, "takeback": None},
        "may": [],
        "outcome": None
        if outcome is None
        else {
            "winner": outcome.winner,
            "goals": dict(outcome.goals),
            "reason": outcome.reason,
        },
        "prompt": msgspec.to_builtins(rules.prompt(state, own)) if own else None,
        "your_seal": None,
        "public": False,
        "watch": False,
        "lobby": None,
        "started": None,
        "ended": None,
    }
