"""Form for a lobby's options: choices on offer, conversion to and from form values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.refusals import Refused
from lobby.lobby_options import SIDES, Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.domain.clocks import Clock
from play.game_texts import RULES_TEXTS, figure_of, name_of, short_name
from play.time_controls import (
    PRESETS,
    bank_clock,
    check_clock,
    clock_of,
    clock_value,
    fischer_clock,
    time_label,
)

VISIBILITY_TEXTS = {"public": gettext_lazy("Public"), "link": gettext_lazy("Unlisted")}
RATED_TEXTS = {"yes": gettext_lazy("Rated"), "no": gettext_lazy("Casual")}
COUNTING_TEXTS = {"yes": gettext_lazy("Count squares"), "no": gettext_lazy("Draw instead")}
WATCH_TEXTS = {"yes": gettext_lazy("Allowed"), "no": gettext_lazy("Not allowed")}
NUMBERS = ("minutes", "seconds", "days", "hours")  # of custom clocks
VISIBILITY = {"public": True, "link": False}
YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Choice:
    """A value on offer."""

    value: str
    say: str
    short: str = ""  # for rows of several choices
    figure: str = ""


def choices_of(
    key: str, clock: Clock | None = None, sides: Mapping[str, str] | None = None
) -> Mapping[str, tuple[Choice, ...]]:
    """Returns the choices for a game, by option.

    A `clock` that is no preset is offered as well; `sides` replaces the game's texts for who plays
    white.
    """
    clocks = PRESETS[key]
    if clock is not None and clock not in clocks:
        clocks = (clock, *clocks)
    return {
        "game": tuple(Choice(k, name_of(k), short_name(k), figure_of(k, "white")) for k in PRESETS),
        "clock": tuple(Choice(clock_value(c), time_label(c)) for c in clocks),
        "side": tuple(
            Choice(side, str((sides or RULES_TEXTS[key].choices)[side])) for side in SIDES
        ),
        "visibility": tuple(Choice(value, str(say)) for value, say in VISIBILITY_TEXTS.items()),
        "watch": tuple(Choice(value, str(say)) for value, say in WATCH_TEXTS.items()),
        "rated": tuple(Choice(value, str(say)) for value, say in RATED_TEXTS.items()),
        "counted": tuple(Choice(value, str(say)) for value, say in COUNTING_TEXTS.items()),
    }


class OptionsForm(forms.Form):
    """Game, side, clock, visibility, spectators, rated, counted: see `options`.

    `clock` is a preset's value, another clock in the same notation, `custom` with `minutes` and
    `seconds`, or `custom-bank` with `days` and `hours`.
    """

    game = forms.ChoiceField(choices=[(key, name_of(key)) for key in PRESETS])
    side = forms.ChoiceField(choices=[(side, side) for side in SIDES])
    visibility = forms.ChoiceField(choices=[(value, value) for value in VISIBILITY])
    watch = forms.ChoiceField(choices=[(value, value) for value in YES_NO], required=False)
    rated = forms.ChoiceField(choices=[(value, value) for value in YES_NO], required=False)
    counted = forms.ChoiceField(choices=[(value, value) for value in YES_NO], required=False)
    clock = forms.CharField(max_length=20)
    minutes = forms.DecimalField(required=False, max_digits=5, decimal_places=2)
    seconds = forms.IntegerField(required=False, min_value=0, max_value=999)
    days = forms.IntegerField(required=False, min_value=0, max_value=999)
    hours = forms.IntegerField(required=False, min_value=0, max_value=999)

    def clean(self) -> dict[str, object]:
        """Parses the clock, which a rated game needs; an error is a sentence about that."""
        cleaned = super().clean() or {}
        if "clock" in cleaned and not any(map(self.has_error, NUMBERS)):
            try:
                cleaned["read_clock"] = self._clock(cleaned)
            except ValueError as error:
                self.add_error("clock", str(error))
            else:
                if cleaned.get("rated") == "yes" and cleaned["read_clock"].kind == "none":
                    self.add_error("rated", _("A rated game needs a clock."))
        return cleaned

    def options(self) -> Options:
        """Returns the chosen options. Raises Refused for an invalid form."""
        if not self.is_valid():
            raise Refused(LobbyReason.MALFORMED, self.complaint)
        chosen = self.cleaned_data
        return Options(
            chosen["game"],
            chosen["read_clock"],
            chosen["side"],
            VISIBILITY[chosen["visibility"]],
            YES_NO[chosen["watch"] or "yes"],
            YES_NO[chosen["rated"] or "no"],
            YES_NO[chosen["counted"] or "yes"],
        )

    @property
    def complaint(self) -> str:
        """The first error of the form, as a sentence."""
        errors = self.errors
        if "minutes" in errors or "seconds" in errors:
            return _("Enter the minutes and seconds of the clock as plain numbers.")
        if "days" in errors or "hours" in errors:
            return _("Enter the days and hours of the clock as plain numbers.")
        if "clock" in errors and "clock" in self.data:
            return str(errors["clock"][0])
        if "rated" in errors and self.cleaned_data.get("read_clock"):
            return str(errors["rated"][0])
        return _("That isn’t one of the choices on this page.")

    @staticmethod
    def _clock(cleaned: Mapping[str, Any]) -> Clock:
        if cleaned["clock"] == "custom-bank":
            days, hours = cleaned.get("days"), cleaned.get("hours")
            if days is None or hours is None:
                raise ValueError(_("A custom clock needs both days and hours."))
            return check_clock(bank_clock(int(days), int(hours)))
        if cleaned["clock"] != "custom":
            return clock_of(str(cleaned["clock"]))
        minutes, seconds = cleaned.get("minutes"), cleaned.get("seconds")
        if minutes is None or seconds is None:
            raise ValueError(_("A custom clock needs both minutes and seconds."))
        return check_clock(fischer_clock(float(minutes), int(seconds)))


def initial_values(key: str, visibility: str = "public") -> dict[str, str]:
    """Returns the form values that are preselected for a rule set."""
    return {
        "game": key,
        "side": "white" if visibility == "public" else "lot",
        "visibility": visibility,
        "watch": "yes",
        "rated": "no",
        "counted": "yes",
        "clock": clock_value(PRESETS[key][0]),
    }


def values_of(options: Options) -> dict[str, str]:
    """Returns the form values of the given options."""
    return {
        "game": options.rules,
        "side": options.side,
        "visibility": "public" if options.public else "link",
        "watch": "yes" if options.watch else "no",
        "rated": "yes" if options.rated else "no",
        "counted": "yes" if options.counted else "no",
        "clock": clock_value(options.clock),
    }


def changed_values(lobby: Lobby, posted: Mapping[str, str]) -> dict[str, str]:
    """Returns a lobby's options as form values, overridden by the posted ones.

    If the game changes and no clock is posted, the first preset clock of the new game is used.
    """
    options = lobby.options
    data = values_of(options)
    key = posted.get("game", options.rules)
    if key != options.rules and key in PRESETS:
        data["clock"] = clock_value(PRESETS[key][0])
    return data | {name: posted[name] for name in OptionsForm.base_fields if name in posted}
