"""Data of a puzzle for pages: its board, and its answer only once the puzzle has ended."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.site_links import absolute_url
from analysis.board.position_tree import ROOT, NodeRequest, play_from, snapshot_json
from games.blotto import Blotto, State
from games.catalogue import rules_of
from games.core import OTHER, ROLES
from games.puzzles.blotto import earned_points, opposing_splits, parse_split
from games.rating.standing import UNIT
from play.models import Game
from puzzles.attempts import Played
from puzzles.models import MAX_TRIES, Puzzle, PuzzleAttempt
from puzzles.puzzle_texts import (
    average,
    proof_of,
    result_line,
    shared_result,
    turn_text,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A puzzle on a page, with its reader and the day whose position it is."""

    puzzle: Puzzle
    attempt: PuzzleAttempt | None
    day: date | None = None


def page_json(shown: Shown) -> dict[str, Any]:
    """Return the initial data of the page's script."""
    puzzle, attempt = shown.puzzle, shown.attempt
    return {
        "key": puzzle.rules,
        "role": puzzle.role,
        "url": reverse("puzzle-try", args=[puzzle.slug]),
        "snapshot": snapshot(puzzle),
        **progress_json(shown),
        "last": attempt and attempt.ended and _played(puzzle, attempt.turns[-1], is_over=True),
    }


def is_ended(attempt: PuzzleAttempt | None) -> bool:
    """Return whether a puzzle has ended for a solver, so that its answer may be shown."""
    return attempt is not None and attempt.ended is not None


def progress_json(shown: Shown) -> dict[str, Any]:
    """Return a solver's progress, with the answer if the puzzle has ended for them."""
    attempt = shown.attempt
    return {
        "tries": attempt.tries if attempt else 0,
        "most": MAX_TRIES,
        "tried": [turn_text(shown.puzzle, turn) for turn in attempt.turns] if attempt else [],
        "solved": attempt.is_solved if attempt else False,
        "end": _end_json(shown, attempt) if attempt and is_ended(attempt) else None,
    }


def _end_json(shown: Shown, attempt: PuzzleAttempt) -> dict[str, Any]:
    """Return the answer."""
    puzzle = shown.puzzle
    turns = list(dict.fromkeys(turn_text(puzzle, turn) for turn in puzzle.solution))
    before, after = attempt.rating_before, attempt.rating_after
    share = ""
    if attempt.day is not None:
        url = absolute_url(reverse("daily-of", args=[attempt.day.isoformat()]))
        share = shared_result(attempt, attempt.day, url)
    return {
        "result": result_line(attempt),
        "solution": turns,
        "proof": proof_of(puzzle),
        "rating": None if before is None or after is None else _change(before, after),
        "analysis": analysis_url(puzzle),
        "source": source_of(puzzle),
        "share": share,
    }


def _change(before: int, after: int) -> str:
    """Return the change of a rating as a sentence."""
    change = round(after / UNIT) - round(before / UNIT)
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    words = {"rating": round(after / UNIT), "change": f"{sign}{abs(change)}"}
    return _("Your puzzle rating is %(rating)s (%(change)s).") % words


def analysis_url(puzzle: Puzzle) -> str:
    """Return the address of the position on the analysis board of its game; empty without one."""
    game = _public_game(puzzle)
    rules = rules_of(puzzle.rules)
    if game is None or rules.is_simultaneous:
        return ""
    turns = rules.turns(rules.read(puzzle.position))
    return f"{reverse('game-analysis', args=[game.slug])}#{turns - 1}"


def source_of(puzzle: Puzzle) -> dict[str, str] | None:
    """Return the public game in which the position came up, and its players as it names them."""
    game = _public_game(puzzle)
    if game is None:
        return None
    names = {seat.role: seat.user.username for seat in game.seats.select_related("user")}
    say = _("From a game between %(white)s and %(black)s") % names
    return {"url": game.get_absolute_url(), "say": say}


def _public_game(puzzle: Puzzle) -> Game | None:
    """Return the game of a puzzle if it is public and has ended."""
    game = puzzle.game
    return game if game is not None and game.is_public and game.ended is not None else None


def snapshot(puzzle: Puzzle) -> dict[str, Any]:
    """Return the position, in which the solver's side composes a turn."""
    rules, role = rules_of(puzzle.rules), puzzle.task.role
    state = rules.read(puzzle.position)
    return _drawn(puzzle, state) | {"prompt": msgspec.to_builtins(rules.prompt(state, role))}


def _drawn(puzzle: Puzzle, state: Any) -> dict[str, Any]:
    """Return a position that is shown only."""
    rules, role = rules_of(puzzle.rules), puzzle.task.role
    names = {role: _("You"), OTHER[role]: pgettext("other side of a puzzle", "Opponent")}
    sealed = [OTHER[role]] if rules.is_simultaneous else []
    own = {
        "sealed": sealed,
        "you": role,
        "view": rules.view(state, role),
        "step": 0,
        "prompt": None,
    }
    return snapshot_json(rules, state, names) | own


def _played(puzzle: Puzzle, turn: list[str], is_over: bool) -> dict[str, Any]:
    """Return the position after a turn that was tried, its steps, and what it earns in Blotto."""
    rules = rules_of(puzzle.rules)
    state = rules.read(puzzle.position)
    if isinstance(rules, Blotto):
        return _split_tried(puzzle, state, turn, is_over)
    node = play_from(rules, state, NodeRequest(ROOT, turn))
    steps = node.steps
    drawn = _drawn(puzzle, node.state)
    outcome = drawn["outcome"] or {
        "winner": None,
        "goals": dict.fromkeys(ROLES, 0),
        "reason": "aborted",
    }
    made = {"rev": 1, "step": len(steps), "last": steps, "status": "over", "outcome": outcome}
    return {"snapshot": drawn | made, "steps": steps, "earned": None}


def _split_tried(puzzle: Puzzle, state: State, turn: list[str], is_over: bool) -> dict[str, Any]:
    """Return a split that was tried as the solver's locked one, and its points against each split
    of the opponent; at the end the solution stands on the fields, with its points beside."""
    role = puzzle.task.role
    shown = puzzle.solution[0] if is_over else turn
    drawn = _drawn(puzzle, state) | {"sealed": list(ROLES), "your_seal": shown, "rev": 1}
    tried = earned_points(state, role, parse_split(turn[0]))
    best = earned_points(state, role, parse_split(puzzle.solution[0][0]))
    words = {
        "split": turn_text(puzzle, turn),
        "points": average(sum(tried), len(tried)),
        "best": average(sum(best), len(best)),
    }
    rows = [
        {"split": " ".join(map(str, split)), "tried": own, "best": other if is_over else None}
        for split, own, other in zip(opposing_splits(state, role), tried, best, strict=True)
    ]
    say = _("Your %(split)s earns %(points)s points on average, the best split %(best)s.") % words
    return {"snapshot": drawn, "steps": [], "earned": {"say": say, "rows": rows}}


def answer_json(shown: Shown, played: Played) -> dict[str, Any]:
    """Return the answer to a try that was entered."""
    return {
        "verdict": "solved" if played.is_right else "missed",
        **_played(shown.puzzle, list(played.turn), is_ended(shown.attempt)),
        **progress_json(shown),
    }
