"""What is kept of talk: rooms with their lines, what each user has chosen, and reports.

Times are integers: milliseconds since the epoch.
"""

from typing import Literal

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from talk.cleaning import LONGEST

Kind = Literal["game", "lobby"]
Circle = Literal["players", "watchers", "lobby"]
FOREVER = 2**53 - 1  # ms; the largest integer that every page can hold


class Room(models.Model):
    """The lines of one circle of one game or lobby; made with its first line."""

    kind = models.CharField(max_length=8)
    ident = models.CharField(max_length=32)  # the game's slug or the lobby's code
    circle = models.CharField(max_length=8)
    rev = models.IntegerField(default=0)  # grows with every line and every line hidden
    newest = models.IntegerField(default=0)  # number of the newest line
    changed = models.BigIntegerField(default=0)  # when the newest line was said

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        indexes = [models.Index(fields=["changed"], name="room_changed")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "ident", "circle"], name="one_room_a_circle"),
        ]

    def __str__(self) -> str:
        return f"{self.circle} of {self.kind} {self.ident}"


class Line(models.Model):
    """One thing said: a text, or the key of a phrase that everybody reads in their language."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="lines")
    number = models.IntegerField()  # from 1 on, in its room
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="lines"
    )
    role = models.CharField(max_length=8)  # what the author was there: white, black, host…
    text = models.CharField(max_length=LONGEST, blank=True)
    phrase = models.CharField(max_length=16, blank=True)
    at = models.BigIntegerField()
    said_id = models.CharField(max_length=64)  # the page's id for it: sent twice, said once
    is_hidden = models.BooleanField(default=False)  # by a moderator, from everybody

    class Meta:
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_line_a_number"),
            models.UniqueConstraint(fields=["author", "said_id"], name="one_line_an_id"),
        ]

    def __str__(self) -> str:
        return self.text or self.phrase


class Talker(models.Model):
    """What talk knows of a user; made when it is first needed."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="talker"
    )
    rev = models.IntegerField(default=0)  # grows with each change of what only they may see
    rested = models.BigIntegerField(default=0)  # when they could again say the most at once
    silent_until = models.BigIntegerField(default=0)  # may not write before; FOREVER: never

    class Meta:
        verbose_name = _("talker")
        verbose_name_plural = _("talkers")

    def __str__(self) -> str:
        return self.user.get_username()


class Mute(models.Model):
    """A viewer does not want to read somebody; nobody else learns of it."""

    viewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["viewer", "muted"], name="one_mute_a_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.viewer_id} mutes {self.muted_id}"


class Report(models.Model):
    """A line that somebody finds bad, with what was said around it as it stood then."""

    class State(models.TextChoices):
        """What has become of a report."""

        OPEN = "open", _("open")
        ACTED = "acted", _("acted on")
        DISMISSED = "dismissed", _("looked at, nothing done")

    class Why(models.TextChoices):
        """What is wrong with the line."""

        INSULT = "insult", _("Insulting")
        SPAM = "spam", _("Spam")
        MOVES = "moves", _("Tells moves")
        OTHER = "other", _("Something else")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reported"
    )
    line = models.ForeignKey(Line, models.SET_NULL, null=True, related_name="reports")
    kind = models.CharField(max_length=8)
    ident = models.CharField(max_length=32)
    said = models.IntegerField()  # the line's id on the pages
    why = models.CharField(max_length=8, choices=Why)
    context = models.JSONField()  # see `talk.context.snapshot`
    at = models.BigIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [
            models.Index(fields=["state", "at"], name="report_open"),
            models.Index(fields=["reporter", "at"], name="report_of"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["reporter", "line"], name="one_report_a_line"),
        ]

    def __str__(self) -> str:
        return f"{self.why}: {self.said} of {self.kind} {self.ident}"
