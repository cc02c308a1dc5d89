"""Staff's pages about agreement with the engine: ask for a comparison, and read its figures."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from play.domain.clocks import now
from play.models import Game, Seat
from ratings.fair_play.engine_agreement import NO_VERDICT, ask, figures_text, is_comparable, is_full
from ratings.fair_play.fair_play_texts import moment_text
from ratings.fair_play.models import EngineAgreement

MAX_SHOWN = 10  # games of a person on a report, newest first


class AgreementForm(forms.ModelForm):  # type: ignore[type-arg]
    """Names a game by its address; `cleaned_data` has it as `found`."""

    address = forms.CharField(
        label=gettext_lazy("Game"),
        max_length=200,
        help_text=gettext_lazy("The address of a rated game that is over, or its last part."),
    )

    class Meta:
        model = EngineAgreement
        fields = ("address",)

    def clean(self) -> dict[str, Any]:
        """Find the game, and refuse one that cannot be compared."""
        cleaned = super().clean() or {}
        slug = cleaned.get("address", "").strip().rstrip("/").rpartition("/")[2]
        game = Game.objects.filter(slug=slug).first()
        if game is None or not is_comparable(game):
            raise forms.ValidationError(
                _("There is no such game that is rated, over, and not Blotto.")
            )
        if is_full():
            raise forms.ValidationError(_("Too many games wait already."))
        cleaned["found"] = game
        return cleaned


class AgreementAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Comparisons: staff ask for them, a worker makes them, nobody changes them."""

    form = AgreementForm
    list_display = ("link", "white", "black", "asked_at")
    readonly_fields = ("link", "white", "black", "asked_at", "note")
    list_select_related = ("game",)
    ordering = ("-asked",)

    def get_fields(self, request: HttpRequest, obj: EngineAgreement | None = None) -> Any:
        """Return the form's field for a new comparison, else the displayed fields."""
        return ("address",) if obj is None else self.readonly_fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return no field for a new comparison."""
        return () if obj is None else self.readonly_fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: figures stay as they are."""
        return False

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        """Return the initial values from the query string, which links of reports set."""
        return {"address": request.GET.get("address", "")}

    def save_model(
        self, request: HttpRequest, obj: EngineAgreement, form: Any, change: bool
    ) -> None:
        """Ask for the comparison; an earlier one is made again."""
        row = ask(form.cleaned_data["found"], request.user, now())  # type: ignore[arg-type]
        obj.pk, obj.game = row.pk, row.game
        obj.asked = row.asked

    @admin.display(description=gettext_lazy("game"))
    def link(self, row: EngineAgreement) -> SafeString:
        return format_html('<a href="{}">{}</a>', row.game.get_absolute_url(), row.game.rules)

    @admin.display(description=gettext_lazy("first player"))
    def white(self, row: EngineAgreement) -> str:
        return _side(row, "white")

    @admin.display(description=gettext_lazy("second player"))
    def black(self, row: EngineAgreement) -> str:
        return _side(row, "black")

    @admin.display(description=gettext_lazy("asked for"), ordering="asked")
    def asked_at(self, row: EngineAgreement) -> str:
        return moment_text(row.asked)

    @admin.display(description=gettext_lazy("note"))
    def note(self, row: EngineAgreement) -> str:
        return _(NO_VERDICT)


def _side(row: EngineAgreement, role: str) -> str:
    seat = Seat.objects.select_related("user").get(game=row.game_id, role=role)
    return f"{seat.user.username}: {figures_text(row, role)}"


def agreement_table(user: int | None, game: str) -> SafeString | str:
    """Return the figures of a user's newest compared games, and a link to compare a game (slug)."""
    if user is None:
        return "–"
    own = EngineAgreement.objects.filter(game__seats__user=user).select_related("game")
    rows = list(own.order_by("-asked")[:MAX_SHOWN])
    seats = Seat.objects.filter(user=user, game__in=[row.game_id for row in rows])
    roles = dict(seats.values_list("game", "role"))
    cells = [
        (row.game.get_absolute_url(), row.game.rules, figures_text(row, roles[row.game_id]))
        for row in rows
    ]
    lines = format_html_join("", '<tr><td><a href="{}">{}</a></td><td>{}</td></tr>', cells)
    table = format_html("<table>{}</table>", lines) if rows else ""
    found = Game.objects.filter(slug=game).first() if game else None
    link: SafeString | str = ""
    if found and is_comparable(found):
        address = f"{reverse('admin:ratings_engineagreement_add')}?{urlencode({'address': game})}"
        link = format_html('<p><a href="{}">{}</a></p>', address, _("Compare this game…"))
    return format_html("{}<p>{}</p>{}", table, _(NO_VERDICT), link)
