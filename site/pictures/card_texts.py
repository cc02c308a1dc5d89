"""The sentence on a picture: the result of the game, or its current state."""

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from pictures.card_data import Facts

# (winner, loser, the winner's points, the loser's points) → sentence
WON: Final[Mapping[str, Callable[[], str]]] = {
    "no_moves": lambda: _("{winner} wins: {loser} has no move left."),
    "captured_all": lambda: _("{winner} wins: {loser} has no piece left."),
    "fifty_moves": lambda: _("{winner} wins with more pieces after 50 steps."),
    "stuck": lambda: _("{winner} wins with more pieces: nobody can move."),
    "rounds": lambda: _("{winner} wins, {more} to {less}."),
    "resigned": lambda: _("{winner} wins: {loser} resigned."),
    "time": lambda: _("{winner} wins: {loser} ran out of time."),
    "abandoned": lambda: _("{winner} wins: {loser} left."),
    "decided": lambda: _("{winner} wins: the game was decided."),
    "counted": lambda: _("{winner} wins with more squares."),
    "counted_quiet": lambda: _("{winner} wins with more squares."),
    "counted_long": lambda: _("{winner} wins with more squares."),
}
LEVEL: Final[Mapping[str, Callable[[], str]]] = {
    "one_each": lambda: _("Draw: one piece each."),
    "no_pieces": lambda: _("Draw: no pieces left."),
    "fifty_moves": lambda: _("Draw: level after 50 steps."),
    "rounds": lambda: _("Draw, {more}–{more}."),
    "both_flagged": lambda: _("Draw: both ran out of time."),
    "agreed": lambda: _("Draw by agreement."),
    "no_arrows": lambda: _("Draw: 50 moves without an arrow."),
    "too_long": lambda: _("Draw after 400 moves."),
    "counted": lambda: _("Draw: equally many squares."),
    "counted_quiet": lambda: _("Draw: equally many squares."),
    "counted_long": lambda: _("Draw: equally many squares."),
    "abandoned": lambda: _("Draw: a player left."),
    "aborted": lambda: _("Game aborted. It doesn’t count."),
    "no_show": lambda: _("Aborted: a first move was not made."),
    "idle": lambda: _("Ended without a result."),
}


def sentence(facts: Facts) -> str:
    """Return the result of the game, or whose turn it is."""
    if not facts.is_over:
        return _describe_running(facts)
    names = {"white": facts.white, "black": facts.black}
    if facts.winner is None:
        text = LEVEL.get(facts.reason, lambda: _("Draw."))()
        return text.format(more=facts.goals[0])
    loser = names["black" if facts.winner == "white" else "white"]
    text = WON.get(facts.reason, lambda: _("{winner} wins."))()
    return text.format(
        winner=names[facts.winner], loser=loser, more=max(facts.goals), less=min(facts.goals)
    )


def _describe_running(facts: Facts) -> str:
    view = facts.view
    if "round" in view:
        text = _("Round {number} of {rounds}")
        return text.format(number=view["round"], rounds=view["rounds"])
    names = {"white": facts.white, "black": facts.black}
    return _("{name} to move").format(name=names[view["to_move"]])
