"""Moderators' admin pages: reports with their context, and silenced users."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import chat_service
from chat.chat_service import Verdict
from chat.models import FOREVER_MS, ChatMember, Report
from chat.phrases import WORDS
from play.domain.clocks import now

VERDICTS = {
    Verdict.HIDE: gettext_lazy("Hide the line"),
    Verdict.DAY: gettext_lazy("Silence the author for a day"),
    Verdict.GOOD: gettext_lazy("Silence the author for good"),
    Verdict.DISMISS: gettext_lazy("Do nothing"),
}


class StateFilter(admin.SimpleListFilter):
    """Filter by state; shows open reports by default."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*Report.State.choices, ("all", gettext_lazy("all"))]

    def choices(self, changelist: Any) -> Any:
        for value, label in self.lookup_choices:
            yield {
                "selected": (self.value() or Report.State.OPEN) == value,
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": label,
            }

    def queryset(self, request: HttpRequest, rows: QuerySet[Report]) -> QuerySet[Report]:
        state = self.value() or Report.State.OPEN
        return rows if state == "all" else rows.filter(state=state)


class FixedRowsAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Base of admin pages whose rows change only by moderators' decisions."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Report)
class ReportAdmin(FixedRowsAdmin):
    """Reports, with the open ones shown by default."""

    change_form_template = "admin/chat/report/change_form.html"
    list_display = ("when", "reported_line", "author", "reason", "reporter", "state")
    list_filter = (StateFilter, "why", "kind")
    list_select_related = ("author", "reporter")
    search_fields = ("author__username", "reporter__username", "ident")
    ordering = ("-pk",)
    fields = ("when", "place", "author", "reporter", "reason", "state", "decided_by", "talk")
    readonly_fields = fields

    def get_actions(self, request: HttpRequest) -> Any:
        """Returns the verdicts as bulk actions for users with the change permission."""
        if not self.has_change_permission(request):
            return {}
        return {
            verdict.value: (partial(_decide_many, verdict), verdict.value, label)
            for verdict, label in VERDICTS.items()
        }

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Shows a report; applies the verdict whose button was pressed."""
        report = self.get_object(request, object_id) if object_id else None
        pressed = next((v for v in Verdict if f"_{v.value}" in request.POST), None)
        if report and pressed and self.has_change_permission(request, report):
            self.decide(request, report, pressed)
            return redirect(request.path)
        shown = {"verdicts": [(f"_{v.value}", label) for v, label in VERDICTS.items()]}
        context = {**(extra_context or {}), **shown}
        return super().changeform_view(request, object_id, form_url, context)

    def decide(self, request: HttpRequest, report: Report, verdict: Verdict) -> None:
        """Applies a verdict and writes it to the admin's log."""
        chat_service.moderate(report, verdict, request.user)  # type: ignore[arg-type]
        self.log_change(request, report, str(VERDICTS[verdict]))
        self.message_user(request, _("Done: {what}.").format(what=VERDICTS[verdict]))

    @admin.display(description=gettext_lazy("when"), ordering="at")
    def when(self, report: Report) -> str:
        return _moment(report.at)

    @admin.display(description=gettext_lazy("line"))
    def reported_line(self, report: Report) -> str:
        lines = report.context["lines"]
        return next((_words(each) for each in lines if each["id"] == report.shown_line_id), "")

    @admin.display(description=gettext_lazy("reason"), ordering="why")
    def reason(self, report: Report) -> str:
        return report.get_why_display()

    @admin.display(description=gettext_lazy("where"))
    def place(self, report: Report) -> SafeString:
        context = report.context
        return format_html('<a href="{}">{}</a>', context["url"], _place(context))

    @admin.display(description=gettext_lazy("what was said"))
    def talk(self, report: Report) -> SafeString:
        """Returns the context as a table with the reported line marked."""
        rows = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}{}</td></tr>", _rows(report))
        return format_html("<table>{}</table>", rows)


@admin.register(ChatMember)
class ChatMemberAdmin(FixedRowsAdmin):
    """Users who are silenced, with an action that lifts it."""

    list_display = ("user", "silent_for")
    search_fields = ("user__username",)
    fields = ("user", "silent_for")
    readonly_fields = fields
    actions = ("let_write",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatMember]:
        return super().get_queryset(request).filter(silent_until__gt=now()).select_related("user")

    @admin.display(description=gettext_lazy("may not write until"), ordering="silent_until")
    def silent_for(self, member: ChatMember) -> str:
        return _("for good") if member.silent_until == FOREVER_MS else _moment(member.silent_until)

    @admin.action(description=gettext_lazy("Let them write again"), permissions=["change"])
    def let_write(self, request: HttpRequest, members: QuerySet[ChatMember]) -> None:
        """Lets the selected users write again."""
        for member in members:
            chat_service.silence(member.pk, 0)
            self.log_change(request, member, _("May write again"))


def _decide_many(
    verdict: Verdict, page: ReportAdmin, request: HttpRequest, reports: QuerySet[Report]
) -> None:
    for report in reports:
        page.decide(request, report, verdict)


def _rows(report: Report) -> list[tuple[str, str, str, str | SafeString]]:
    rows: list[tuple[str, str, str, str | SafeString]] = []
    for line in report.context["lines"]:
        mark = format_html(" <strong>← {}</strong>", _("reported"))
        is_reported = line["id"] == report.shown_line_id
        who = line["by"] or _("somebody who is gone")
        rows.append((_moment(line["at"]), who, _words(line), mark if is_reported else ""))
    return rows


def _words(line: dict[str, Any]) -> str:
    phrase = WORDS.get(line["phrase"], line["phrase"])
    return str(line["text"] or _("Phrase: {words}").format(words=phrase))


def _place(context: dict[str, Any]) -> str:
    names = {
        "players": _("Players of game {ident}"),
        "watchers": _("Spectators of game {ident}"),
        "lobby": _("Lobby {ident}"),
    }
    return names[context["circle"]].format(ident=context["ident"])


def _moment(at: int) -> str:
    return date_format(datetime.fromtimestamp(at / 1000, UTC), "DATETIME_FORMAT")
