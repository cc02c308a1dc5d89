"""Views for lessons: the index, a page for each rule set, and the answer to an attempt."""

from functools import cache, partial
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts.restorable import restorable
from games.catalogue import RULES, rules_of
from games.text import MAX_ACTION_CHARS
from pages.game_cards import CARDS, Card
from pages.learn import lesson_attempt
from pages.learn.course import COURSES
from pages.learn.lessons import Lesson
from play.game_texts import figure_of

FIRST_GAME = "amazons-8x8"  # whose lessons are on the index
# The moving picture of each card, as static/js/learn/rule-frames.js names it.
CARD_FRAMES = {
    "amazons-10x10": "move",
    "amazons-8x8": "shoot",
    "amazons": "end",
    "blotto": "reveal",
    "pincer": "between",
}
MAX_REQUEST_BYTES = 1_024  # a turn has at most two short actions


class Attempt(msgspec.Struct, forbid_unknown_fields=True):
    """Request body: the canonical actions of a whole turn."""

    actions: list[str]


@require_safe
@restorable
@gzip_page
def index(request: HttpRequest) -> HttpResponse:
    """Shows a first lesson to play, the five games, and how the three Amazons differ."""
    return render(request, "pages/learn/base.html", {"page": cache(_index_page)})


def _index_page() -> dict[str, Any]:
    courses = {key: [lesson.slug for lesson in course] for key, course in COURSES.items()}
    cards = [(card, len(COURSES[card.key]), CARD_FRAMES[card.key]) for card in CARDS]
    return {"cards": cards, "courses": courses, **_practice(_card(FIRST_GAME))}


@require_safe
@restorable
@gzip_page
def one(request: HttpRequest, key: str) -> HttpResponse:
    """Shows the rules of one game, with positions to try them on."""
    card = _card(key)
    context = {"card": card, "page": cache(partial(_rules_page, card))}  # a template calls it
    return render(request, "pages/learn/one.html", context)


def _rules_page(card: Card) -> dict[str, Any]:
    words = f"pages/learn/{_family(card.key)}.html"
    return {"cards": CARDS, "words": words, **_practice(card)}


@require_POST
def attempt(request: HttpRequest, key: str, number: int) -> JsonResponse:
    """Judges a turn tried in a lesson (`number` from 1); stores nothing."""
    rules, lesson = _lesson(key, number)
    try:
        texts = _actions(request)
    except (ValueError, msgspec.MsgspecError):
        return JsonResponse({"error": "the body is {“actions”: […]}, one turn"}, status=400)
    return JsonResponse(lesson_attempt.answer(rules, lesson, texts))


def _family(key: str) -> str:
    return "amazons" if key.startswith("amazons") else key


def _practice(card: Card) -> dict[str, Any]:
    """Returns the context of the board with the lessons of a game."""
    rules = rules_of(card.key)
    lessons = [
        {
            "slug": lesson.slug,
            "title": str(lesson.title),
            "task": str(lesson.task),
            "solved": str(lesson.solved),
            "missed": str(lesson.missed),
            "snapshot": lesson_attempt.before(rules, lesson),
        }
        for lesson in COURSES[card.key]
    ]
    return {
        "card": card,
        "family": _family(card.key),
        "figures": {role: figure_of(card.key, role) for role in rules.roles},
        "lessons": lessons,
    }


def _card(key: str) -> Card:
    card = next((card for card in CARDS if card.key == key), None)
    if card is None:
        raise Http404
    return card


def _lesson(key: str, number: int) -> tuple[Any, Lesson]:
    if key not in RULES or not 1 <= number <= len(COURSES[key]):
        raise Http404
    return rules_of(key), COURSES[key][number - 1]


def _actions(request: HttpRequest) -> list[str]:
    """Returns the actions of a request, each of bounded length.

    Raises ValueError, MsgspecError.
    """
    if int(request.headers.get("Content-Length") or 0) > MAX_REQUEST_BYTES:
        raise ValueError
    texts = msgspec.json.decode(request.body, type=Attempt).actions
    if not 1 <= len(texts) <= lesson_attempt.MAX_ACTIONS or any(
        len(text) > MAX_ACTION_CHARS for text in texts
    ):
        raise ValueError
    return texts
