"""URL routes of puzzles and of the position of the day."""

from datetime import date

from django.urls import path, register_converter

from puzzles import daily_views, views


class DayConverter:
    """A day as 2026-11-26."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)  # ValueError: no such address

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(DayConverter, "day")

urlpatterns = [
    path("puzzles/", views.index, name="puzzles"),
    path("puzzles/next/", views.following, name="puzzle-next"),
    path("puzzles/<slug:slug>/", views.puzzle, name="puzzle"),
    path("puzzles/<slug:slug>/try", views.try_turn, name="puzzle-try"),
    path("daily/", daily_views.today, name="daily"),
    path("daily/archive/", daily_views.archive, name="daily-archive"),
    path("daily/<day:day>/", daily_views.of_day, name="daily-of"),
]
