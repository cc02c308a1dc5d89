"""Result of a game as a sentence, from one of its two sides."""

import msgspec
from django.utils.translation import gettext_lazy as _

from play.models import Game, result_for

WON = {
    "decided": _("Won: the game was decided"),
    "counted": _("Won: more squares"),
    "counted_quiet": _("Won: more squares after 10 moves without an arrow"),
    "counted_long": _("Won: more squares after 400 moves"),
    "no_moves": _("Won: opponent couldn’t move"),
    "captured_all": _("Won: took every piece"),
    "fifty_moves": _("Won: more pieces after 50 steps"),
    "stuck": _("Won: more pieces when nobody could move"),
    "rounds": _("Won, {own} to {other}"),
    "resigned": _("Won: opponent resigned"),
    "time": _("Won on time"),
    "abandoned": _("Won: opponent left"),
}
LOST = {
    "decided": _("Lost: the game was decided"),
    "counted": _("Lost: fewer squares"),
    "counted_quiet": _("Lost: fewer squares after 10 moves without an arrow"),
    "counted_long": _("Lost: fewer squares after 400 moves"),
    "no_moves": _("Lost: no move left"),
    "captured_all": _("Lost: no piece left"),
    "fifty_moves": _("Lost: fewer pieces after 50 steps"),
    "stuck": _("Lost: fewer pieces when nobody could move"),
    "rounds": _("Lost, {own} to {other}"),
    "resigned": _("Lost: resigned"),
    "time": _("Lost on time"),
    "abandoned": _("Lost: left the game"),
}
DRAWN = {
    "counted": _("Draw: equally many squares"),
    "counted_quiet": _("Draw: equally many squares after 10 moves without an arrow"),
    "counted_long": _("Draw: equally many squares after 400 moves"),
    "no_pieces": _("Draw: no pieces left"),
    "one_each": _("Draw: one piece each"),
    "fifty_moves": _("Draw: level after 50 steps"),
    "stuck": _("Draw: level when nobody could move"),
    "rounds": _("Draw, {own}–{other}"),
    "agreed": _("Draw by agreement"),
    "no_arrows": _("Draw: 50 moves without an arrow"),
    "too_long": _("Draw after 400 moves"),
    "both_flagged": _("Draw: both ran out of time"),
    "abandoned": _("Draw (a player left)"),
}
NOTHING = {
    "aborted": _("Aborted"),
    "no_show": _("Aborted: a first move was not made"),
    "idle": _("Aborted: nobody moved for a week"),
}
KINDS = {"won": (WON, _("Won")), "lost": (LOST, _("Lost")), "drawn": (DRAWN, _("Drawn"))}


def result(game: Game, role: str) -> tuple[str, str]:
    """Returns won, drawn, lost, running or void for a role, and the sentence."""
    if game.ended is None:
        return "running", str(_("Being played"))
    kind = result_for(role, game.winner, game.reason)
    if kind == "void":
        return kind, str(NOTHING[game.reason])
    table, plain = KINDS[kind]
    sentence = str(table.get(game.reason, plain))
    if game.reason == "rounds":
        goals = msgspec.json.decode(game.goals, type=dict[str, int])
        own = goals.pop(role)
        sentence = sentence.format(own=own, other=next(iter(goals.values())))
    return kind, sentence
