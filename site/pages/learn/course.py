"""Table of lessons by rule set."""

from collections.abc import Mapping
from typing import Final

from pages.learn import amazons_lessons, blotto_lessons, pincer_lessons
from pages.learn.lessons import Lesson

COURSES: Final[Mapping[str, tuple[Lesson, ...]]] = {
    "amazons-10x10": amazons_lessons.LARGE,
    "amazons-8x8": amazons_lessons.SMALL,
    "amazons": amazons_lessons.FREE,
    "blotto": blotto_lessons.LESSONS,
    "pincer": pincer_lessons.LESSONS,
}
