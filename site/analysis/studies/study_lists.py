"""Lists of studies: their rows for templates, the public ones of a game or of a person."""

import re
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Q
from django.http import Http404

from accounts.models import User
from analysis.studies.models import Study, StudyQuerySet
from games.catalogue import RULES
from play.game_texts import RULES_TEXTS, figure_of, name_of

PAGE_ROWS: Final = 30
PLACE: Final = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})")  # in a list: when changed, and its key
# In the order of the other pages.
BOARDS: Final = tuple(key for key in RULES_TEXTS if not RULES[key].is_simultaneous)


def study_row(study: Study) -> dict[str, Any]:
    """Return a study as lists show it: the study, its game's name and figure, when it changed."""
    is_known = study.rules in RULES
    return {
        "study": study,
        "name": name_of(study.rules) if is_known else study.rules,
        "figure": figure_of(study.rules, "white") if is_known else "",
        "updated": to_datetime(study.updated),
    }


def to_datetime(at: int) -> datetime:
    """Return the time of an epoch ms."""
    return datetime.fromtimestamp(at / 1000, UTC)


def public_of_game(key: str) -> StudyQuerySet:
    """Return the public studies of a rule set."""
    return Study.objects.public().filter(rules=key)


def public_of_person(user: User) -> StudyQuerySet:
    """Return the public studies of a person, except those of withdrawn rules: they have no page."""
    return Study.objects.public().of(user.pk).filter(rules__in=BOARDS)


def newest_rows(found: StudyQuerySet, most: int) -> list[dict[str, Any]]:
    """Return the rows of the studies that were changed last, at most so many. One query."""
    rows = found.without_trees().select_related("owner").order_by("-updated", "-pk")
    return [study_row(study) for study in rows[:most]]


def page_of(found: StudyQuerySet, before: str) -> dict[str, Any]:
    """Return the context of a page of a list, those changed last first. One query.

    `before` is the place that the page before names in `older`, empty on the first page. Raise
    Http404 for another text.
    """
    if before:
        place = PLACE.fullmatch(before)
        if place is None:
            raise Http404
        updated, pk = map(int, place.groups())
        found = found.filter(Q(updated__lt=updated) | Q(updated=updated, pk__lt=pk))
    rows = newest_rows(found, PAGE_ROWS + 1)
    last = rows[PAGE_ROWS - 1]["study"] if len(rows) > PAGE_ROWS else None
    return {
        "rows": rows[:PAGE_ROWS],
        "older": last and f"?before={last.updated}.{last.pk}",
        "is_first": not before,
    }
