"""The admin's view of ratings: the monthly reports about drift, to read."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ratings.fair_play import admin as fair_play_admin  # noqa: F401 (registers its tables)
from ratings.models import DriftReport


@admin.register(DriftReport)
class DriftReportAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Reports that workers have written; nobody changes them."""

    list_display = ("month", "rules", "points", "people", "games")
    list_filter = ("rules",)
    ordering = ("-month", "rules")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False."""
        return False
