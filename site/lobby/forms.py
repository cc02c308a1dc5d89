"""The form in which a host chooses."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext as _

from lobby.models import Lobby
from lobby.options import PRESETS, SIDES, Options, bounded, clock_of, fischer, spelled
from lobby.words import name_of
from play.clocks import Clock

VISIBILITY = {"public": True, "link": False}
WATCH = {"yes": True, "no": False}


class OptionsForm(forms.Form):
    """Game, side, clock, visibility and spectators; `options()` gives them when the form is valid.

    `clock` is a preset's value, any other clock spelled like one, or `custom` with both numbers.
    """

    game = forms.ChoiceField(choices=[(key, name_of(key)) for key in PRESETS])
    side = forms.ChoiceField(choices=[(side, side) for side in SIDES])
    visibility = forms.ChoiceField(choices=[(value, value) for value in VISIBILITY])
    watch = forms.ChoiceField(choices=[(value, value) for value in WATCH], required=False)
    clock = forms.CharField(max_length=20)
    minutes = forms.DecimalField(required=False, max_digits=5, decimal_places=2)
    seconds = forms.IntegerField(required=False, min_value=0, max_value=999)

    def clean(self) -> dict[str, object]:
        """Reads the clock; its error is a sentence about the bounds."""
        cleaned = super().clean()
        if "clock" in cleaned and not self.has_error("minutes") and not self.has_error("seconds"):
            try:
                cleaned["read_clock"] = self._clock(cleaned)
            except ValueError as error:
                self.add_error("clock", str(error))
        return cleaned

    def options(self) -> Options:
        """The choices of a valid form."""
        chosen = self.cleaned_data
        return Options(
            chosen["game"],
            chosen["read_clock"],
            chosen["side"],
            VISIBILITY[chosen["visibility"]],
            WATCH[chosen["watch"] or "yes"],
        )

    @property
    def complaint(self) -> str:
        """The first thing that is wrong, as a sentence."""
        errors = self.errors
        if "minutes" in errors or "seconds" in errors:
            return _("The minutes and seconds of the clock have to be plain numbers.")
        if "clock" in errors and "clock" in self.data:
            return str(errors["clock"][0])
        return _("That choice is not one that this page offers.")

    @staticmethod
    def _clock(cleaned: Mapping[str, object]) -> Clock:
        if cleaned["clock"] != "custom":
            return clock_of(str(cleaned["clock"]))
        minutes, seconds = cleaned.get("minutes"), cleaned.get("seconds")
        if minutes is None or seconds is None:
            raise ValueError(_("A clock of your own needs both its minutes and its seconds."))
        return bounded(fischer(float(minutes), int(seconds)))  # type: ignore[arg-type]


def beginning(key: str) -> dict[str, str]:
    """What is chosen before anybody has chosen."""
    return {
        "game": key,
        "side": "white",
        "visibility": "public",
        "watch": "yes",
        "clock": spelled(PRESETS[key][0]),
    }


def values_of(options: Options) -> dict[str, str]:
    """The form values that spell these options."""
    return {
        "game": options.rules,
        "side": options.side,
        "visibility": "public" if options.public else "link",
        "watch": "yes" if options.watch else "no",
        "clock": spelled(options.clock),
    }


def changed(lobby: Lobby, posted: Mapping[str, str]) -> dict[str, str]:
    """A lobby's options as form values, with those that were sent in place of its own.

    Another game without a clock of its own choice comes with that game's first one.
    """
    options = lobby.options
    data = values_of(options)
    key = posted.get("game", options.rules)
    if key != options.rules and key in PRESETS:
        data["clock"] = spelled(PRESETS[key][0])
    return data | {name: posted[name] for name in OptionsForm.base_fields if name in posted}
