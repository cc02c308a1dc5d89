"""The form of a user's preferences: channels by kind, mails, time zone and quiet hours."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from accounts.models import User
from notices import records
from notices.models import Kind, Preferences
from notices.preferences.preferences import (
    BELL,
    CHANNELS,
    MAIL,
    PUSH,
    channels_of,
    listed_zones,
    zone_names,
)

KIND_LABELS: Mapping[Kind, str | Promise] = {
    Kind.TURN: gettext_lazy("Your turn"),
    Kind.HALF: gettext_lazy("Half your time is gone"),
    Kind.LAST: gettext_lazy("Your time is nearly up"),
    Kind.ENDED: gettext_lazy("A game has ended"),
    Kind.OFFER: gettext_lazy("A draw or takeback is offered"),
    Kind.CHALLENGE: gettext_lazy("Someone challenges you"),
    Kind.JOINED: gettext_lazy("Someone joins your game or declines"),
    Kind.PLAYS: gettext_lazy("Someone you follow is playing"),
    Kind.HOLIDAY: gettext_lazy("A holiday begins"),
    Kind.MODERATION: gettext_lazy("Moderators"),
}
CHANNEL_LABELS: Mapping[str, str | Promise] = {
    BELL: gettext_lazy("Bell"),
    PUSH: gettext_lazy("Push"),
    MAIL: gettext_lazy("Email"),
}
MAIL_LABELS: Mapping[Preferences.MailMode, str | Promise] = {
    Preferences.MailMode.OFF: gettext_lazy("Never"),
    Preferences.MailMode.DIGEST: gettext_lazy("Once a day"),
    Preferences.MailMode.AT_ONCE: gettext_lazy("At once"),
}
UNKNOWN_ZONE = gettext_lazy("Quiver doesn’t know that time zone. Choose one from the list.")
BAD_TIME = gettext_lazy("Enter a time such as 22:30.")
HOURS = tuple((hour, f"{hour:02}:00") for hour in range(24))


class PreferencesForm(forms.Form):
    """The form of a user; guests have no email, so its fields are left out for them."""

    mail = forms.ChoiceField(choices=[*MAIL_LABELS.items()], widget=forms.RadioSelect)
    digest_hour = forms.TypedChoiceField(
        label=gettext_lazy("Hour of the daily email"), choices=HOURS, coerce=int
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        widget=forms.Select,
        error_messages={"required": UNKNOWN_ZONE},
    )
    quiet_from = forms.TimeField(
        label=pgettext_lazy("quiet hours", "From"),
        required=False,
        error_messages={"invalid": BAD_TIME},
    )
    quiet_until = forms.TimeField(
        label=pgettext_lazy("quiet hours", "until"),
        required=False,
        error_messages={"invalid": BAD_TIME},
    )

    def __init__(self, user: User, prefs: Preferences, data: Any = None) -> None:
        super().__init__(data, initial=_initial(prefs), auto_id="notify_%s")
        self.user, self.prefs = user, prefs
        self.channels = CHANNELS if user.is_account else (BELL, PUSH)
        for kind in Kind:
            self.fields[kind] = forms.MultipleChoiceField(
                choices=[(name, CHANNEL_LABELS[name]) for name in CHANNELS],
                required=False,
                initial=sorted(channels_of(prefs, kind)),
            )
        if not user.is_account:
            del self.fields["mail"], self.fields["digest_hour"]
        zones = sorted({*listed_zones(), prefs.time_zone}, key=lambda name: (name != "UTC", name))
        self.fields["time_zone"].widget.choices = [(name, name.replace("_", " ")) for name in zones]
        for name in ("quiet_from", "quiet_until"):
            widget = forms.TimeInput(format="%H:%M", attrs={"type": "time", "class": "field"})
            self.fields[name].widget = widget
        for name in ("digest_hour", "time_zone"):
            if name in self.fields:
                self.fields[name].widget.attrs["class"] = "field"

    def table_head(self) -> list[dict[str, Any]]:
        """Return the channels of the table's columns."""
        return [{"name": name, "label": CHANNEL_LABELS[name]} for name in self.channels]

    def table(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of the table: a kind with a check box for each channel."""
        for kind in Kind:
            chosen = self[kind].value() or []
            boxes = [
                {"name": name, "label": CHANNEL_LABELS[name], "is_checked": name in chosen}
                for name in self.channels
            ]
            yield {"kind": kind.value, "label": KIND_LABELS[kind], "boxes": boxes}

    def has_channel_errors(self) -> bool:
        """Return whether a posted channel is not in the table."""
        return any(kind in self.errors for kind in Kind)

    def clean_time_zone(self) -> str:
        """Return the name of a time zone that this machine knows. Raise ValidationError."""
        name = str(self.cleaned_data["time_zone"])
        if name not in zone_names():
            raise forms.ValidationError(UNKNOWN_ZONE)
        return name

    def clean(self) -> dict[str, Any]:
        """Refuse quiet hours with one border, or with two that are equal."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.has_error("quiet_from") or self.has_error("quiet_until"):
            return cleaned
        begin, end = cleaned.get("quiet_from"), cleaned.get("quiet_until")
        if (begin is None) != (end is None):
            missing = "quiet_from" if begin is None else "quiet_until"
            self.add_error(missing, _("Quiet hours need both times. Leave both empty for none."))
        elif begin is not None and begin == end:
            self.add_error("quiet_until", _("Choose two different times."))
        return cleaned

    def save(self) -> None:
        """Write the preferences, with the language of the page."""
        values = self.cleaned_data
        channels = {kind.value: sorted(values[kind]) for kind in Kind}
        fields: dict[str, Any] = {
            "channels": channels,
            "time_zone": values["time_zone"],
            "quiet_from": _minute(values["quiet_from"]),
            "quiet_until": _minute(values["quiet_until"]),
            "language": get_language() or "en",
        }
        if self.user.is_account:
            fields |= {"mail": values["mail"], "digest_hour": values["digest_hour"]}
        else:
            # Settings that a guest cannot choose keep their defaults for a later account.
            kept = {kind.value: channels_of(self.prefs, kind) & {MAIL} for kind in Kind}
            fields["channels"] = {kind: sorted({*channels[kind], *kept[kind]}) for kind in channels}
        Preferences.objects.update_or_create(user=self.user, defaults=fields)
        records.touch(self.user.pk)


def _initial(prefs: Preferences) -> dict[str, Any]:
    return {
        "mail": prefs.mail,
        "digest_hour": prefs.digest_hour,
        "time_zone": prefs.time_zone,
        "quiet_from": _clock(prefs.quiet_from),
        "quiet_until": _clock(prefs.quiet_until),
    }


def _clock(minute: int | None) -> str | None:
    return None if minute is None else f"{minute // 60:02}:{minute % 60:02}"


def _minute(value: Any) -> int | None:
    return None if value is None else 60 * value.hour + value.minute
