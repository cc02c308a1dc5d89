"""View that publishes a review."""

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from accounts.models import User
from analysis.board.views import is_account, load_analysed_game
from analysis.reviews.reviews import ENGINES, MAX_BYTES, SENTENCES, Reason, Refused, parse, publish
from play.domain.clocks import now

STATUSES = {
    Reason.TOO_LONG: 413,
    Reason.MALFORMED: 400,
    Reason.OTHER_ENGINE: 409,
    Reason.NOT_DEEPER: 409,
    Reason.GUEST: 403,
}


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
            raise Refused(Reason.GUEST)
        if int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
            raise Refused(Reason.TOO_LONG)  # before the body is read
        user: User = request.user  # type: ignore[assignment]
        publish(game, parse(request.body), user.pk, now())
    except Refused as refused:
        say = str(SENTENCES[refused.reason])
        answer = {"refused": {"reason": refused.reason, "say": say}}
        return JsonResponse(answer, status=STATUSES[refused.reason])
    return JsonResponse({"refused": None})
