"""Which positions belong to which rule set."""

from collections.abc import Mapping
from typing import Final

from pages.learn import amazons, blotto, pincer
from pages.learn.lessons import Lesson

COURSES: Final[Mapping[str, tuple[Lesson, ...]]] = {
    "amazons-10x10": amazons.LARGE,
    "amazons-8x8": amazons.SMALL,
    "amazons": amazons.FREE,
    "blotto": blotto.LESSONS,
    "pincer": pincer.LESSONS,
}
