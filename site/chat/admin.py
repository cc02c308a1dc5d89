"""Moderators' admin pages: reports with their context and verdicts, and muted users."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from chat import chat_service
from chat.chat_service import Verdict
from chat.models import FOREVER_MS, ChatMember, Report
from chat.phrases import WORDS
from play.domain.clocks import now
from ratings.fair_play.admin import offer_annulment, rated_play_table
from ratings.fair_play.agreement_admin import agreement_table

VERDICTS = {
    Verdict.DISMISS: gettext_lazy("Dismiss"),
    Verdict.HIDE: gettext_lazy("Delete the message"),
    Verdict.DAY: gettext_lazy("Mute for 1 day"),
    Verdict.WEEK: gettext_lazy("Mute for 7 days"),
    Verdict.GOOD: gettext_lazy("Mute for good"),
    Verdict.SUSPEND: gettext_lazy("Suspend the account"),
}
# Verdicts that need a confirmation, with their effects.
CONFIRMED = {
    Verdict.HIDE: gettext_lazy("The message is removed from the chat for everyone."),
    Verdict.GOOD: gettext_lazy("The author can’t chat any more, but can still play."),
    Verdict.SUSPEND: gettext_lazy("The author is logged out everywhere and can’t log in again."),
}
MAX_EARLIER_REPORTS = 10


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

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Shows the list under the plain name of its rows."""
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**title, **(extra_context or {})})

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
    fields = (
        "conversation", "reason", "place", "when", "reporter", "author", "author_state", "earlier",
        "rated_play", "agreement", "state", "decided_by",
    )  # fmt: skip
    readonly_fields = fields

    def get_actions(self, request: HttpRequest) -> Any:
        """Returns the verdicts that need no confirmation as bulk actions."""
        if not self.has_change_permission(request):
            return {}
        return {
            verdict.value: (partial(_decide_many, verdict), verdict.value, label)
            for verdict, label in VERDICTS.items()
            if verdict not in CONFIRMED
        }

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Shows a report; applies the verdict whose button was pressed.

        A verdict of `CONFIRMED` is applied only with the answer of the page that asks for it.
        """
        report = self.get_object(request, object_id) if object_id else None
        allowed = self._allowed_verdicts(request, report) if report else []
        pressed = next((v for v in allowed if f"_{v.value}" in request.POST), None)
        if report and pressed:
            if pressed in CONFIRMED and "confirmed" not in request.POST:
                return self._ask(request, report, pressed)
            self.decide(request, report, pressed)
            return redirect(request.path)
        shown = {
            "verdicts": [(f"_{v.value}", VERDICTS[v], v in CONFIRMED) for v in allowed],
            "title": _("Report"),
            "subtitle": report.get_state_display() if report else "",
            "show_save": False,
        }
        context = {**(extra_context or {}), **shown}
        return super().changeform_view(request, object_id, form_url, context)

    def _allowed_verdicts(self, request: HttpRequest, report: Report) -> list[Verdict]:
        """Returns the verdicts that a moderator may give on a report."""
        if not self.has_change_permission(request, report):
            return []
        author = report.author
        users = self.admin_site.get_model_admin(User)
        may_suspend = (
            author is not None
            and author.is_active
            and author != request.user
            and users.has_change_permission(request, author)
        )
        return [v for v in VERDICTS if v is not Verdict.SUSPEND or may_suspend]

    def _ask(self, request: HttpRequest, report: Report, verdict: Verdict) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": VERDICTS[verdict],
            "report": report,
            "line": self.reported_line(report),
            "effect": CONFIRMED[verdict],
            "button": f"_{verdict.value}",
        }
        return render(request, "admin/chat/report/confirm.html", context)

    def decide(self, request: HttpRequest, report: Report, verdict: Verdict) -> None:
        """Applies a verdict and writes it to the admin's log."""
        chat_service.moderate(report, verdict, request.user)  # type: ignore[arg-type]
        self.log_change(request, report, str(VERDICTS[verdict]))
        self.message_user(request, _("Done: {what}.").format(what=VERDICTS[verdict]))
        if verdict is Verdict.SUSPEND and report.author is not None:
            offer_annulment(request, report.author)

    @admin.display(description=gettext_lazy("when"), ordering="at")
    def when(self, report: Report) -> str:
        return _moment(report.at)

    @admin.display(description=gettext_lazy("author now"))
    def author_state(self, report: Report) -> str:
        """Returns the author's state (guest, suspended, muted) and sign-up time."""
        author = report.author
        if author is None:
            return _("deleted")
        member = ChatMember.objects.filter(pk=author.pk, silent_until__gt=now()).first()
        joined = date_format(author.date_joined, "DATE_FORMAT")
        facts = [(_("guest since %(date)s") if author.is_guest else _("joined %(date)s"))]
        facts[0] %= {"date": joined}
        if not author.is_active:
            facts.append(_("suspended"))
        if member is not None:
            facts.append(_("muted: %(end)s") % {"end": _silence_end(member)})
        return " · ".join(facts)

    @admin.display(description=gettext_lazy("earlier reports"))
    def earlier(self, report: Report) -> SafeString | str:
        """Returns the other reports of the same author as a table with links."""
        if report.author_id is None:
            return _("none")
        others = Report.objects.filter(author=report.author_id).exclude(pk=report.pk)
        rows = others.order_by("-pk")[:MAX_EARLIER_REPORTS]
        if not rows:
            return _("none")
        cells = [
            (
                reverse("admin:chat_report_change", args=[row.pk]),
                _moment(row.at),
                row.get_why_display(),
                row.get_state_display(),
            )
            for row in rows
        ]
        line = '<tr><td><a href="{}">{}</a></td><td>{}</td><td>{}</td></tr>'
        return format_html("<table>{}</table>", format_html_join("", line, cells))

    @admin.display(description=gettext_lazy("rated play, last 30 days"))
    def rated_play(self, report: Report) -> SafeString | str:
        """Returns the author's time-outs, early resignations and first turns missed, with links."""
        return rated_play_table(report.author_id, now())

    @admin.display(description=gettext_lazy("agreement with the engine"))
    def agreement(self, report: Report) -> SafeString | str:
        """Returns the agreement of the author's turns with our engine, where staff asked for it."""
        return agreement_table(report.author_id, report.ident if report.kind == "game" else "")

    @admin.display(description=gettext_lazy("message"))
    def reported_line(self, report: Report) -> str:
        lines = report.context["lines"]
        return next((_words(each) for each in lines if each["id"] == report.shown_line_id), "")

    @admin.display(description=gettext_lazy("reason"), ordering="why")
    def reason(self, report: Report) -> str:
        return report.get_why_display()

    @admin.display(description=gettext_lazy("place"))
    def place(self, report: Report) -> SafeString:
        context = report.context
        return format_html('<a href="{}">{}</a>', context["url"], _place(context))

    @admin.display(description=gettext_lazy("messages"))
    def conversation(self, report: Report) -> SafeString:
        """Returns the context as a table with the reported line marked."""
        rows = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}{}</td></tr>", _rows(report))
        return format_html("<table>{}</table>", rows)


@admin.register(ChatMember)
class ChatMemberAdmin(FixedRowsAdmin):
    """Users muted by moderators, with an action to unmute them."""

    list_display = ("user", "silent_for")
    search_fields = ("user__username",)
    fields = ("user", "silent_for")
    readonly_fields = fields
    actions = ("let_write",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatMember]:
        return super().get_queryset(request).filter(silent_until__gt=now()).select_related("user")

    @admin.display(description=gettext_lazy("muted until"), ordering="silent_until")
    def silent_for(self, member: ChatMember) -> str:
        return _silence_end(member)

    @admin.action(description=gettext_lazy("Unmute"), permissions=["change"])
    def let_write(self, request: HttpRequest, members: QuerySet[ChatMember]) -> None:
        """Lets the selected users write again."""
        for member in members:
            chat_service.silence(member.pk, 0)
            self.log_change(request, member, _("Unmuted"))


def _decide_many(
    verdict: Verdict, page: ReportAdmin, request: HttpRequest, reports: QuerySet[Report]
) -> None:
    for report in reports:
        page.decide(request, report, verdict)


def _silence_end(member: ChatMember) -> str:
    return _("for good") if member.silent_until == FOREVER_MS else _moment(member.silent_until)


def _rows(report: Report) -> list[tuple[str, str, str, str | SafeString]]:
    rows: list[tuple[str, str, str, str | SafeString]] = []
    for line in report.context["lines"]:
        mark = format_html(" <strong>← {}</strong>", _("reported"))
        is_reported = line["id"] == report.shown_line_id
        who = line["by"] or _("deleted user")
        rows.append((_moment(line["at"]), who, _words(line), mark if is_reported else ""))
    return rows


def _words(line: dict[str, Any]) -> str:
    phrase = WORDS.get(line["phrase"], line["phrase"])
    return str(line["text"] or _("Quick chat: {words}").format(words=phrase))


def _place(context: dict[str, Any]) -> str:
    names = {
        "players": _("Players of game {ident}"),
        "watchers": _("Spectators of game {ident}"),
        "lobby": _("Lobby {ident}"),
    }
    return names[context["circle"]].format(ident=context["ident"])


def _moment(at: int) -> str:
    return date_format(datetime.fromtimestamp(at / 1000, UTC), "DATETIME_FORMAT")
