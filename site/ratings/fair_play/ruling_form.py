"""The form of staff for a ruling: one game, a person's games, or those of an earlier ruling."""

from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.plain_text import plain_line
from ratings.fair_play.models import Ruling
from ratings.fair_play.ruling_holds import Decision, is_of_use
from ratings.fair_play.rulings import rated_games, with_entry

ANNUL, RESTORE = "annul", "restore"
NAMES = ("game", "player", "ruling")  # fields, exactly one of which selects the games


class RulingForm(forms.ModelForm):  # type: ignore[type-arg]
    """`cleaned_data` has `games` (slugs) and `person`, the user concerned, or None.

    `reverses` is the ruling that this one reverses, or None.
    """

    action = forms.ChoiceField(
        label=gettext_lazy("Action"),
        choices=[
            (ANNUL, gettext_lazy("Annul: they don’t count")),
            (RESTORE, gettext_lazy("Restore: they count again")),
        ],
    )
    game = forms.CharField(
        label=gettext_lazy("One game"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Its address, or the last part of it."),
    )
    player = forms.CharField(
        label=gettext_lazy("Or all games of a player"),
        required=False,
        max_length=150,
        help_text=gettext_lazy("The player’s name."),
    )
    since = forms.DateField(
        label=gettext_lazy("Since"),
        required=False,
        help_text=gettext_lazy(
            "Of a player: only games that ended on this day (UTC) or later, such as 2026-11-24."
        ),
    )
    ruling = forms.ModelChoiceField(
        label=gettext_lazy("Or the games of an earlier ruling"),
        queryset=Ruling.objects.order_by("-pk"),
        required=False,
    )

    class Meta:
        model = Ruling
        fields = ("action", "game", "player", "since", "ruling", "reason")
        help_texts = {
            "reason": gettext_lazy("Everyone can read it in the file of ratings. Name nobody."),
        }

    def clean_reason(self) -> str:
        """Return the reason as stored. Raise ValidationError if nothing in it is visible."""
        reason = plain_line(self.cleaned_data["reason"])
        if not reason:
            raise forms.ValidationError(
                self.fields["reason"].error_messages["required"], "required"
            )
        return reason

    def clean(self) -> dict[str, Any]:
        """Find the games. Raise ValidationError unless just one of `NAMES` is filled in."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        named = [name for name in NAMES if cleaned.get(name)]
        if len(named) != 1:
            raise forms.ValidationError(_("Name one game, one player or one earlier ruling."))
        if cleaned.get("since") and named != ["player"]:
            self.add_error("since", _("It is for the games of a player."))
            return cleaned
        is_annulment = cleaned["action"] == ANNUL
        cleaned["person"], found = self._find_games(named[0], cleaned)
        cleaned["games"] = with_entry(found)
        earlier = cleaned.get("ruling")
        is_reversal = earlier is not None and earlier.is_annulment != is_annulment
        cleaned["reverses"] = earlier if is_reversal else None
        if not self.errors and not is_of_use(_decision(cleaned, is_annulment)):
            say = _("There is no rated game to annul.") if is_annulment else None
            self.add_error(named[0], say or _("There is no annulled game to restore."))
        return cleaned

    def _find_games(self, name: str, cleaned: dict[str, Any]) -> tuple[User | None, list[str]]:
        """Return the games that a field names, and the person concerned."""
        if name == "game":
            return None, [cleaned["game"].strip().rstrip("/").rpartition("/")[2]]
        if name == "ruling":
            return cleaned["ruling"].person, cleaned["ruling"].games
        person = User.objects.filter(username__iexact=cleaned["player"].strip()).first()
        if person is None:
            self.add_error("player", _("No one has that name."))
            return None, []
        day = cleaned.get("since")
        start = datetime.combine(day, time(), UTC) if day else None
        since = round(start.timestamp() * 1000) if start else 0
        return person, rated_games(person.pk, since)


def _decision(cleaned: dict[str, Any], is_annulment: bool) -> Decision:
    person, reverses = cleaned["person"], cleaned["reverses"]
    return Decision(
        0, is_annulment, cleaned["games"], person and person.pk, reverses and reverses.pk
    )
