"""Moderators' page of studies: find one, read its comments, hide it, show it again."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from analysis.studies import study_service
from analysis.studies.models import Study
from analysis.studies.study_tree import read_tree

MAX_SHOWN_COMMENTS = 200


@admin.register(Study)
class StudyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Studies that are or were shared; all others stay private to their owners."""

    list_display = ("title", "owner", "rules", "visibility", "is_hidden")
    list_filter = ("is_hidden", "visibility", "rules")
    list_select_related = ("owner",)
    search_fields = ("slug", "title__icontains", "owner__username__istartswith")
    ordering = ("-updated",)
    fields = ("title", "owner", "rules", "visibility", "is_hidden", "comments")
    readonly_fields = fields
    actions = ("hide", "show")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        """Return the studies that are or were shared."""
        rows = super().get_queryset(request)
        return rows.exclude(visibility=Study.Visibility.PRIVATE, is_hidden=False)

    def view_on_site(self, obj: Study) -> str:
        """Return the address of the study's page."""
        return obj.get_absolute_url()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: people keep studies on the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: hiding is enough, and the owner keeps the work."""
        return False

    @admin.display(description=_("comments"))
    def comments(self, study: Study) -> str:
        """Return the comments of the moves, each on lines of its own."""
        found = [node.comment for node in read_tree(study.tree) if node.comment]
        return "\n\n".join(found[:MAX_SHOWN_COMMENTS])

    @admin.action(description=_("Hide from everyone but the owner"), permissions=["change"])
    def hide(self, request: HttpRequest, studies: QuerySet[Study]) -> None:
        """Hide the selected studies."""
        self._set_hidden(request, studies, True)

    @admin.action(description=_("Show again"), permissions=["change"])
    def show(self, request: HttpRequest, studies: QuerySet[Study]) -> None:
        """Show the selected studies again."""
        self._set_hidden(request, studies, False)

    def _set_hidden(self, request: HttpRequest, studies: QuerySet[Study], is_hidden: bool) -> None:
        for study in studies:
            study_service.hide(study, is_hidden)
            self.log_change(request, study, "hidden" if is_hidden else "shown again")
