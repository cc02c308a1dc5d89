"""Pages of puzzles: the next one, the archive, one puzzle, and the answer to a try."""

from datetime import date
from typing import Any, Final

import msgspec
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.people.guests import user_of
from games.catalogue import RULES
from games.core import BadAction, IllegalAction
from games.puzzles.puzzle import KINDS
from games.puzzles.turns import MAX_ACTIONS, NotOneTurn
from games.rating.standing import START, UNIT
from games.text import MAX_ACTION_CHARS
from play.domain.clocks import now
from play.game_texts import RULES_TEXTS, figure_of, name_of, short_name
from puzzles import attempts, daily
from puzzles.attempts import Outdated, TriedBefore, attempt_of, rating_of
from puzzles.models import DailyPosition, Puzzle, PuzzleAttempt
from puzzles.puzzle_page import Shown, answer_json, page_json, progress_json
from puzzles.puzzle_texts import side_of, task_of, title_of

PAGE_ROWS: Final = 30
MAX_REQUEST_BYTES: Final = 1_024


class Try(msgspec.Struct, forbid_unknown_fields=True):
    """Request body: the canonical actions of a whole turn, and the tries that the page knows of."""

    actions: list[str]
    tries: int


DECODER: Final = msgspec.json.Decoder(Try)


@require_safe
@never_cache
@gzip_page
def index(request: HttpRequest) -> HttpResponse:
    """Show the reader's rating, the way to the next puzzle, and the archive, newest first.

    `?game=` selects a rule set, `?before=` is the key of the page.
    """
    game, today = _asked_game(request), daily.day_of(now())
    rows = Puzzle.objects.listed(today, game)
    before = request.GET.get("before", "")
    if before.isascii() and before.isdecimal() and len(before) < 18:
        rows = rows.filter(pk__lt=int(before))
    page = list(rows.order_by("-pk")[: PAGE_ROWS + 1])
    tried = _attempts(request, [row.pk for row in page])
    user = _reader(request)
    context = {
        "game": game,
        "games": [(key, short_name(key)) for key in RULES_TEXTS if key in KINDS and key in RULES],
        "rows": [(row, *_row(row, tried.get(row.pk))) for row in page[:PAGE_ROWS]],
        "older": page[PAGE_ROWS - 1].pk if len(page) > PAGE_ROWS else None,
        "is_first": not before,
        "is_done": "done" in request.GET,
        "rating": (row := rating_of(user)) and round(row.rating / UNIT),
        "has_daily": DailyPosition.objects.filter(day=today).exists(),
    }
    return render(request, "puzzles/index.html", context)


@require_safe
@never_cache
def following(request: HttpRequest) -> HttpResponse:
    """Redirect to the untried puzzle whose rating is nearest to the reader's; `?game=` as above."""
    game = _asked_game(request)
    puzzle = next_puzzle(_reader(request), daily.day_of(now()), game)
    if puzzle is None:
        return redirect(f"{reverse('puzzles')}?game={game}&done=1")
    return redirect(f"{puzzle.get_absolute_url()}{f'?game={game}' if game else ''}")


def next_puzzle(user: User | None, today: date, game: str = "") -> Puzzle | None:
    """Return the puzzle nearest to the user's rating that the user has not tried, in 3 queries."""
    rows = Puzzle.objects.listed(today, game)
    if user is not None:
        rows = rows.exclude(pk__in=PuzzleAttempt.objects.filter(user=user).values("puzzle"))
    row = rating_of(user)
    own = row.rating if row else START.rating
    above = rows.filter(rating__gte=own).order_by("rating", "pk").first()
    below = rows.filter(rating__lt=own).order_by("-rating", "pk").first()
    found = [each for each in (above, below) if each is not None]
    return min(found, key=lambda each: abs(each.rating - own), default=None)


@require_safe
@never_cache
@gzip_page
def puzzle(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one puzzle; that of today is on the page of the day."""
    row = shown_puzzle(slug)
    if DailyPosition.objects.filter(puzzle=row, day=daily.day_of(now())).exists():
        return redirect("daily")
    return render_puzzle(request, Shown(row, attempt_of(_reader(request), row)))


@require_POST
def try_turn(request: HttpRequest, slug: str) -> JsonResponse:
    """Judge a turn. An illegal one, and one of a page that is outdated, uses no try."""
    row = shown_puzzle(slug)
    try:
        asked = _parse(request)
    except (ValueError, msgspec.MsgspecError):
        text = "the body is {“actions”: […], “tries”: 0}, one turn"
        return JsonResponse({"error": text}, status=400)
    try:
        played = attempts.play(row, asked.actions)
    except IllegalAction as refusal:
        return _refusal(str(refusal.code), str(refusal), refusal.squares)
    except BadAction as refusal:
        return _refusal("bad_action", str(refusal))
    except NotOneTurn:
        return _refusal("unfinished", _("That is not one whole turn."))
    user, at = user_of(request), now()
    try:
        attempt = attempts.enter(user, row, played, asked.tries, daily.day_of(at), at)
    except TriedBefore:
        return _refusal("tried_before", _("You’ve tried that. No try was used."))
    except Outdated:
        shown = Shown(row, attempt_of(user, row))
        say = _("You’ve gone on in another tab. Nothing was saved here.")
        return JsonResponse({"outdated": say, **progress_json(shown)}, status=409)
    return JsonResponse(answer_json(Shown(row, attempt), played))


def shown_puzzle(slug: str) -> Puzzle:
    """Return a puzzle that may be shown. Raises Http404, also for those of later days."""
    today = daily.day_of(now())
    row = Puzzle.objects.shown(today).select_related("game").filter(slug=slug).first()
    if row is None:
        raise Http404
    return row


def render_puzzle(request: HttpRequest, shown: Shown, **more: Any) -> HttpResponse:
    """Return the page of a puzzle."""
    row = shown.puzzle
    context = {
        "puzzle": row,
        "data": page_json(shown),
        "name": name_of(row.rules),
        "title": title_of(row),
        "task": task_of(row),
        "side": side_of(row),
        "family": "amazons" if row.rules.startswith("amazons") else row.rules,
        "figures": {role: figure_of(row.rules, role) for role in ("white", "black")},
        "rating": round(row.rating / UNIT),
        "game": _asked_game(request),
        **more,
    }
    return render(request, "puzzles/puzzle.html", context)


def _row(row: Puzzle, attempt: PuzzleAttempt | None) -> tuple[str, str, int, str]:
    """Return a puzzle's row in the archive: game, kind, rating, the reader's result."""
    result = ""
    if attempt is not None:
        result = _("solved") if attempt.is_solved else _("missed") if attempt.ended else _("begun")
    return short_name(row.rules), title_of(row), round(row.rating / UNIT), result


def _attempts(request: HttpRequest, puzzles: list[int]) -> dict[int, PuzzleAttempt]:
    """Return the reader's attempts by puzzle."""
    user = _reader(request)
    if user is None:
        return {}
    found: QuerySet[PuzzleAttempt] = PuzzleAttempt.objects.filter(user=user, puzzle__in=puzzles)
    return {attempt.puzzle_id: attempt for attempt in found}


def _reader(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def _asked_game(request: HttpRequest) -> str:
    asked = request.GET.get("game", "")
    return asked if asked in KINDS and asked in RULES else ""


def _parse(request: HttpRequest) -> Try:
    """Return a request's turn, each action of bounded length. Raises ValueError, MsgspecError."""
    if int(request.headers.get("Content-Length") or 0) > MAX_REQUEST_BYTES:
        raise ValueError
    asked = DECODER.decode(request.body)
    texts = asked.actions
    if not 1 <= len(texts) <= MAX_ACTIONS or any(len(text) > MAX_ACTION_CHARS for text in texts):
        raise ValueError
    return asked


def _refusal(reason: str, say: str, squares: tuple[str, ...] = ()) -> JsonResponse:
    body = {"verdict": "illegal", "reason": reason, "say": say, "squares": list(squares)}
    return JsonResponse(body)
