"""Staff pages on fair play: rulings on rated games, and the offer to annul after a suspension."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin import UserAdmin
from accounts.models import User
from play.domain.clocks import now
from play.models import Game
from ratings.fair_play.agreement_admin import AgreementAdmin
from ratings.fair_play.fair_play_texts import KIND_TEXTS, moment_text
from ratings.fair_play.incidents import SHOWN_MS
from ratings.fair_play.models import EngineAgreement, Ruling
from ratings.fair_play.rated_log import paused_until, recent_incidents
from ratings.fair_play.ruling_form import ANNUL, RESTORE, RulingForm
from ratings.fair_play.ruling_holds import Decision, is_of_use
from ratings.fair_play.rulings import counted_games, games_in

INITIAL = ("action", "player", "game", "ruling")  # fields that an address may fill in


@admin.register(Ruling)
class RulingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rulings: staff add them, nobody changes or deletes them; another ruling reverses one."""

    form = RulingForm
    add_fields = ("action", "game", "player", "since", "ruling", "reason")
    shown_fields = ("kind", "state", "when", "reason", "whose", "decided_by", "all_games", "undo")
    readonly_fields = tuple(name for name in shown_fields if name != "reason")
    list_display = ("when", "kind", "number", "whose", "reason", "decided_by", "state")
    list_select_related = ("person", "by")
    ordering = ("-pk",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list under the plain name of its rows."""
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**title, **(extra_context or {})})

    def get_fields(self, request: HttpRequest, obj: Ruling | None = None) -> tuple[str, ...]:
        """Return the form's fields for a new ruling, else the displayed fields."""
        return self.add_fields if obj is None else self.shown_fields

    def get_readonly_fields(self, request: HttpRequest, obj: Ruling | None = None) -> Any:
        """Return no field for a new ruling: the form has fields of the same names."""
        return () if obj is None else self.readonly_fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a ruling that was made stays as it is."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rulings are the record of decisions and their reasons."""
        return False

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        """Return the initial values from the query string, which links of other pages set."""
        return {name: request.GET[name] for name in INITIAL if name in request.GET}

    def save_model(self, request: HttpRequest, obj: Ruling, form: Any, change: bool) -> None:
        """Store a ruling with the games that the form has found."""
        chosen = form.cleaned_data
        obj.is_annulment = chosen["action"] == ANNUL
        obj.games, obj.person = chosen["games"], chosen["person"]
        obj.reverses = chosen["reverses"]
        obj.by, obj.made = request.user, now()  # type: ignore[assignment]
        obj.save()

    @admin.display(description=gettext_lazy("action"))
    def kind(self, ruling: Ruling) -> str:
        return _("annulled") if ruling.is_annulment else _("restored")

    @admin.display(description=gettext_lazy("when"), ordering="made")
    def when(self, ruling: Ruling) -> str:
        return moment_text(ruling.made)

    @admin.display(description=gettext_lazy("games"))
    def number(self, ruling: Ruling) -> int:
        return len(ruling.games)

    @admin.display(description=gettext_lazy("player"))
    def whose(self, ruling: Ruling) -> str:
        return ruling.person.username if ruling.person else "–"

    @admin.display(description=gettext_lazy("decided by"))
    def decided_by(self, ruling: Ruling) -> str:
        return ruling.by.username if ruling.by else "–"

    @admin.display(description=gettext_lazy("state"))
    def state(self, ruling: Ruling) -> str:
        """Return whether a worker has carried it out, or why it has not."""
        if ruling.applied is not None:
            return _("done: %(time)s") % {"time": moment_text(ruling.applied)}
        return _("waits for a worker. %(failure)s") % {"failure": ruling.failure}

    @admin.display(description=gettext_lazy("games"))
    def all_games(self, ruling: Ruling) -> SafeString:
        return game_list([(game.get_absolute_url(), game.rules) for game in games_in(ruling)])

    @admin.display(description=gettext_lazy("reverse it"))
    def undo(self, ruling: Ruling) -> SafeString | str:
        """Return a link to a ruling that reverses this one, if that would change anything."""
        undoing = Decision(0, not ruling.is_annulment, ruling.games, ruling.person_id, ruling.pk)
        if ruling.applied is None or not is_of_use(undoing):
            return "–"
        action = RESTORE if ruling.is_annulment else ANNUL
        text = _("Restore these games…") if ruling.is_annulment else _("Annul these games…")
        return format_html('<a href="{}">{}</a>', ruling_address(action, ruling=ruling.pk), text)


def ruling_address(action: str, **named: str | int) -> str:
    """Return the address of the form for a new ruling, filled in."""
    return f"{reverse('admin:ratings_ruling_add')}?{urlencode({'action': action, **named})}"


def game_list(games: list[tuple[str, str]]) -> SafeString:
    """Return addresses and texts of games as a list of links."""
    return format_html("<ul>{}</ul>", format_html_join("", '<li><a href="{}">{}</a></li>', games))


def offer_annulment(request: HttpRequest, user: User) -> None:
    """Offer staff who have suspended somebody to annul that person's rated games."""
    if not request.user.has_perm("ratings.add_ruling"):
        return
    if count := len(counted_games(user.pk)):
        text = ngettext(
            "Annul the %(count)s rated game of %(name)s…",
            "Annul the %(count)s rated games of %(name)s…",
            count,
        ) % {"count": count, "name": user.username}
        link = ruling_address(ANNUL, player=user.username)
        messages.info(request, format_html('<a href="{}">{}</a>', link, text))


def rated_play_table(user: int | None, at: int) -> SafeString | str:
    """Return a user's incidents of the 30 days before a time (epoch ms), as a table with links."""
    incidents = recent_incidents(user, at - SHOWN_MS) if user is not None else []
    if user is None or not incidents:
        return _("nothing")
    games = Game.objects.in_bulk([each.game for each in incidents])
    cells = [
        (
            games[each.game].get_absolute_url(),
            games[each.game].rules,
            KIND_TEXTS[each.incident],
            moment_text(each.ended),
            "" if each.has_counted else _("not rated"),
        )
        for each in incidents
    ]
    line = '<tr><td><a href="{}">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>'
    until = paused_until(user, at)
    pause = pause_for_staff(until) if until else ""
    return format_html("<table>{}</table>{}", format_html_join("", line, cells), pause)


def pause_for_staff(until: int) -> str:
    """Return the sentence about somebody's pause that ends at a time (epoch ms)."""
    return _("Rated play is paused until %(time)s (UTC).") % {"time": moment_text(until)}


admin.site.register(EngineAgreement, AgreementAdmin)
admin.site.unregister(User)


@admin.register(User)
class RatedUserAdmin(UserAdmin):
    """Users, with the offer to annul the rated games of those who were suspended."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save a user as `UserAdmin` does; a suspension is followed by the offer."""
        super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data and not obj.is_active:
            offer_annulment(request, obj)

    @admin.action(
        description=gettext_lazy("Suspend: log out everywhere and block sign-in"),
        permissions=["change"],
    )
    def suspend(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Suspend users as `UserAdmin` does, with the offer for each of them."""
        chosen = list(users)
        super().suspend(request, users)
        for user in User.objects.filter(pk__in=[each.pk for each in chosen], is_active=False):
            offer_annulment(request, user)
