"""View that publishes a review."""

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from analysis.board.views import is_account, load_analysed_game
from analysis.reviews.reviews import ENGINES, MAX_BYTES, ReviewReason, parse, publish
from play.domain.clocks import now


@require_POST
def publish_review(request: HttpRequest, slug: str) -> JsonResponse:
    """Publish a review of an ended game; the answer has the reason of a refusal in `refused`.

    Like the analysis, it answers 404 while the game runs.
    """
    game = load_analysed_game(request, slug)
    if game.rules.key not in ENGINES:
        raise Http404
    try:
        if not is_account(request):
            raise Refused(ReviewReason.GUEST)
        if int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
            raise Refused(ReviewReason.TOO_LONG)  # before the body is read
        user: User = request.user  # type: ignore[assignment]
        publish(game, parse(request.body), user.pk, now())
    except Refused as refused:
        return refusal_json(refused)
    return JsonResponse({"refused": None})
