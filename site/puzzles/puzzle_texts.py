"""Texts of puzzles in the reader's language: tasks, proofs, results to copy."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import notation
from games.catalogue import rules_of
from games.core import assemble_joint
from games.puzzles.puzzle import Kind
from puzzles.models import MAX_TRIES, Puzzle, PuzzleAttempt

TITLES: Final[Mapping[str, str | Promise]] = {
    Kind.FILLING: gettext_lazy("Waste no room"),
    Kind.CUTTING: gettext_lazy("Win the race"),
    Kind.CAPTURE: gettext_lazy("Take the most"),
    Kind.WINNING: gettext_lazy("Win the game"),
    Kind.SAVING: gettext_lazy("Hold the draw"),
    Kind.REPLY: gettext_lazy("Best reply"),
}
TASKS: Final[Mapping[str, str | Promise]] = {
    Kind.FILLING: gettext_lazy(
        "The sides can’t meet any more. Find the move that leaves you the most moves."
    ),
    Kind.CUTTING: gettext_lazy(
        "Find the move that wins by most: you want as many moves left as possible "
        "when your opponent has none."
    ),
    Kind.CAPTURE: gettext_lazy(
        "Find the move that leaves you the most pieces ahead after your opponent’s best reply."
    ),
    Kind.WINNING: gettext_lazy("Find the move that wins against every reply."),
    Kind.SAVING: gettext_lazy("You can’t force a win. Find the move that doesn’t lose."),
    Kind.REPLY: gettext_lazy(
        "It’ll be one of these splits again, each as likely as the others. "
        "Find the split that earns you the most points on average."
    ),
}
ONLY_WIN: Final = gettext_lazy("Find the move that wins. Every other move loses.")
MARKS: Final = ("🟥", "🟩")  # a wrong try, the right one


def title_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle's kind."""
    return str(TITLES[puzzle.kind])


def task_of(puzzle: Puzzle) -> str:
    """Return the task as a sentence."""
    proof = puzzle.proof
    if puzzle.kind == Kind.CUTTING and proof["second"] <= 0:
        return str(ONLY_WIN)
    return str(TASKS[puzzle.kind])


def side_of(puzzle: Puzzle) -> str:
    """Return the solver's side as a sentence; in Blotto the split of the other side."""
    if puzzle.rules == "pincer":
        return (
            _("You play the triangles.") if puzzle.role == "white" else _("You play the circles.")
        )
    if puzzle.rules == "blotto":
        rounds = rules_of(puzzle.rules).read(puzzle.position).rounds
        theirs = [pair[1 if puzzle.role == "white" else 0] for pair in rounds]
        splits = ", ".join(" ".join(map(str, split)) for split in theirs)
        return _("Your opponent placed %(splits)s.") % {"splits": splits}
    return _("You play White.") if puzzle.role == "white" else _("You play Black.")


def proof_of(puzzle: Puzzle) -> str:
    """Return why the solution is right, in one or two sentences."""
    words = {**puzzle.proof, "solutions": len(puzzle.solution)}
    if puzzle.kind == Kind.REPLY:
        rounds = rules_of(puzzle.rules).turns(rules_of(puzzle.rules).read(puzzle.position))
        words |= {name: average(puzzle.proof[name], rounds) for name in ("best", "second")}
    return _PROOFS[Kind(puzzle.kind)](words)


def _filling(words: dict[str, Any]) -> str:
    if words["second"] <= words["other"]:
        return (
            _(
                "All %(turns)s moves were searched to the end. The best leaves room for %(best)s "
                "moves, this one included; your opponent has %(other)s. Every other one leaves at "
                "most %(second)s, and that loses."
            )
            % words
        )
    return (
        _(
            "All %(turns)s moves were searched to the end. The best leaves room for %(best)s "
            "moves, this one included, every other one for at most %(second)s."
        )
        % words
    )


def _cutting(words: dict[str, Any]) -> str:
    if words["second"] <= 0:
        return (
            _(
                "All %(turns)s moves were searched to the end of the game, %(nodes)s positions in "
                "all: only %(solutions)s of them win."
            )
            % words
        )
    return (
        _(
            "All %(turns)s moves were searched to the end of the game, %(nodes)s positions in all. "
            "The best wins by %(best)s moves, every other one by at most %(second)s."
        )
        % words
    )


def _capture(words: dict[str, Any]) -> str:
    text = _(
        "All %(turns)s moves were tried, with every reply. After the best one your lead is "
        "%(best)s at worst, after any other at most %(second)s."
    )
    return text % {**words, "best": _signed(words["best"]), "second": _signed(words["second"])}


def _winning(words: dict[str, Any]) -> str:
    return (
        _(
            "From the table of all positions with up to five pieces: of %(turns)s ways to "
            "play, only %(solutions)s win against every reply."
        )
        % words
    )


def _saving(words: dict[str, Any]) -> str:
    return (
        _(
            "From the table of all positions with up to five pieces: of %(turns)s ways to "
            "play, only %(solutions)s hold the draw. Every other one loses."
        )
        % words
    )


def _reply(words: dict[str, Any]) -> str:
    return (
        _(
            "All %(turns)s splits were compared. The best earns %(best)s points on average, "
            "the next %(second)s."
        )
        % words
    )


_PROOFS: Final = {
    Kind.FILLING: _filling,
    Kind.CUTTING: _cutting,
    Kind.CAPTURE: _capture,
    Kind.WINNING: _winning,
    Kind.SAVING: _saving,
    Kind.REPLY: _reply,
}


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def average(points: int, rounds: int) -> str:
    """Return the points of a round on average, as an exact mixed number: "3 1/4"."""
    whole, rest = divmod(Fraction(points, rounds), 1)
    return str(whole) if not rest else f"{whole} {rest}" if whole else str(rest)


def turn_text(puzzle: Puzzle, turn: list[str]) -> str:
    """Return a turn as people write it: "d1-d7/g7", "a5-b5 c1-c2", "6 4 0"."""
    rules, state = rules_of(puzzle.rules), rules_of(puzzle.rules).read(puzzle.position)
    role = puzzle.task.role
    texts = []
    for text in turn:
        action = rules.parse(text)
        texts.append(notation.write(rules, state, role, action))
        if not rules.is_simultaneous:
            state = rules.play(state, assemble_joint(rules, state, {role: action}))
    return "".join(texts) if puzzle.rules.startswith("amazons") else " ".join(texts)


def result_line(attempt: PuzzleAttempt) -> str:
    """Return the result of an attempt that has ended, in words."""
    if not attempt.is_solved:
        return _("Not solved in %(tries)s tries.") % {"tries": MAX_TRIES}
    if attempt.tries == 1:
        return _("Solved at the first try.")
    return _("Solved at try %(tries)s.") % {"tries": attempt.tries}


def shared_result(attempt: PuzzleAttempt, day: date, url: str) -> str:
    """Return the result of a day as a text to copy; it says nothing about the solution."""
    tries = attempt.tries if attempt.is_solved else "–"
    words = {"day": day.isoformat(), "tries": tries, "most": MAX_TRIES}
    head = _("Quiver daily %(day)s: %(tries)s of %(most)s") % words
    marks = [MARKS[0]] * (attempt.tries - attempt.is_solved) + [MARKS[1]] * attempt.is_solved
    return f"{head} {''.join(marks)}\n{url}"
