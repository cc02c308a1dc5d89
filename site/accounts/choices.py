"""The settings that a device keeps itself: names and values as in `static/js/settings.js`."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

ON = pgettext_lazy("a setting", "On")
OFF = pgettext_lazy("a setting", "Off")


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting: its values with their words, and a sentence on what it does."""

    name: str
    label: Any
    values: tuple[tuple[str, Any], ...]
    hint: Any = ""


DEVICE = (
    Choice(
        "theme",
        _("Theme"),
        (
            ("system", _("As the system")),
            ("light", pgettext_lazy("a theme", "Light")),
            ("dark", pgettext_lazy("a theme", "Dark")),
        ),
    ),
    Choice("sounds", _("Sounds"), (("off", OFF), ("on", ON))),
    Choice(
        "send",
        _("A go is sent"),
        (
            ("once", _("At once")),
            ("tap", _("With a second tap")),
            ("button", _("With a button")),
        ),
        _("With the last two you can look at a complete go before anybody else sees it."),
    ),
    Choice("coordinates", _("Coordinates"), (("on", ON), ("off", OFF))),
    Choice(
        "side",
        _("At the bottom of the board"),
        (
            ("own", _("My side")),
            ("white", _("First side")),
            ("black", _("Second side")),
        ),
    ),
    Choice(
        "talk",
        _("Talk"),
        (("on", pgettext_lazy("talk", "Shown")), ("off", pgettext_lazy("talk", "Hidden"))),
    ),
    Choice(
        "notices",
        _("Notices when it is your go"),
        (("off", OFF), ("on", ON)),
        _("From the browser, while a page of Quiver is open but out of sight."),
    ),
)

LANGUAGES = {"en": "English", "tr": _("Türkçe (unreviewed)")}
