"""How to play: the index, a page for each rule set, and the answer to a go tried there."""

from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from games.catalogue import RULES, rules_of
from games.text import LONGEST
from lobby.words import figure_of
from pages.cards import CARDS, Card, pictures
from pages.learn import trial
from pages.learn.course import COURSES
from pages.learn.lessons import Lesson

LARGEST = 1_024  # bytes of a request; a go has at most two actions of a few letters


class Attempt(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends: the canonical actions of a whole go."""

    actions: list[str]


@require_safe
@gzip_page
def index(request: HttpRequest) -> HttpResponse:
    """The five games, which of them to begin with, and how the three Amazons differ."""
    courses = {key: [lesson.slug for lesson in course] for key, course in COURSES.items()}
    context = {
        "cards": [(card, len(COURSES[card.key])) for card in CARDS],
        "pictures": pictures(),
        "courses": courses,
    }
    return render(request, "pages/learn.html", context)


@require_safe
@gzip_page
def one(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one game, with positions to try them on."""
    card = _card(key)
    rules = rules_of(key)
    lessons = [
        {
            "slug": lesson.slug,
            "title": str(lesson.title),
            "task": str(lesson.task),
            "solved": str(lesson.solved),
            "missed": str(lesson.missed),
            "snapshot": trial.before(rules, lesson),
        }
        for lesson in COURSES[key]
    ]
    family = "amazons" if key.startswith("amazons") else key
    context = {
        "card": card,
        "cards": CARDS,
        "family": family,
        "words": f"pages/learn_{family}.html",
        "figures": {role: figure_of(key, role) for role in rules.roles},
        "lessons": lessons,
    }
    return render(request, "pages/learn_one.html", context)


@require_POST
def attempt(request: HttpRequest, key: str, number: int) -> JsonResponse:
    """Judges a go tried on a position (from 1); nothing is kept of it."""
    rules, lesson = _lesson(key, number)
    try:
        texts = _actions(request)
    except (ValueError, msgspec.MsgspecError):
        return JsonResponse({"error": "the body is {“actions”: […]}, one go"}, status=400)
    return JsonResponse(trial.answer(rules, lesson, texts))


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
    """The actions of a request, none longer than any action. Raises ValueError, MsgspecError."""
    if int(request.headers.get("Content-Length") or 0) > LARGEST:
        raise ValueError
    texts = msgspec.json.decode(request.body, type=Attempt).actions
    if not 1 <= len(texts) <= trial.MOST_ACTIONS or any(len(text) > LONGEST for text in texts):
        raise ValueError
    return texts
