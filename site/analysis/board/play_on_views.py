"""Games against the computer from a position of an analysis."""

from typing import Annotated, Final

import msgspec
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from msgspec import Meta

from accounts.people.guests import user_of
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from analysis.board.position_tree import IllegalTurn, InvalidTree, NodeRequest, play_tree
from analysis.board.views import MAX_REQUEST_BYTES, board_rules
from bots import thought_log
from lobby import computer_seats
from lobby.lobby_refusals import LobbyReason
from play.domain.game_refusals import Reason
from play.runtime.game_commands import GameIsOver


class PlayRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The turns from the start to the position, and the level of the computer."""

    turns: Annotated[list[list[str]], Meta(min_length=1)]
    level: int


DECODER: Final = msgspec.json.Decoder(PlayRequest)


@require_POST
def play_on(request: HttpRequest, key: str) -> JsonResponse:
    """Begin a game from a position, with the role to move as the visitor's; return its address.

    It counts for nothing. A visitor without a session becomes a guest if the turns are legal.
    """
    rules = board_rules(key)
    if int(request.headers.get("Content-Length") or 0) > MAX_REQUEST_BYTES:
        return JsonResponse({"error": "the body is too long"}, status=413)
    try:
        asked = DECODER.decode(request.body)
        turns = [NodeRequest(at - 1, actions) for at, actions in enumerate(asked.turns)]
        state = play_tree(rules, turns)[-1].state
    except (msgspec.MsgspecError, InvalidTree, IllegalTurn) as error:
        return JsonResponse({"error": str(error)}, status=400)
    if rules.outcome(state) is not None:
        return _over()
    (role,) = rules.control(state)
    try:
        if asked.level in thought_log.state()["off"][key]:
            raise Refused(LobbyReason.NO_LEVEL)  # before `user_of` creates a guest in vain
        game = computer_seats.play_on(user_of(request), key, asked.level, role, asked.turns)
    except Refused as refused:
        return refusal_json(refused)
    except GameIsOver:
        return _over()
    return JsonResponse({"game": game.get_absolute_url()})


def _over() -> JsonResponse:
    return refusal_json(Refused(Reason.OVER, _("The game is over here.")))
