"""Models of chat: rooms with their lines, members, mutes and reports.

Times are integers: milliseconds since the epoch.
"""

from typing import Literal

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

Kind = Literal["game", "lobby"]
Circle = Literal["players", "watchers", "lobby"]
MAX_TEXT_CHARS = 200
FOREVER_MS = 2**53 - 1  # JavaScript's largest safe integer


class Room(models.Model):
    """The lines of one circle of one game or lobby; created with its first line."""

    kind = models.CharField(max_length=8)
    ident = models.CharField(max_length=32)  # the game's slug or the lobby's code
    circle = models.CharField(max_length=8)
    rev = models.IntegerField(default=0)  # grows with every line and every line hidden
    newest = models.IntegerField(default=0)  # number of the newest line
    changed = models.BigIntegerField(default=0)  # when the newest line was written

    class Meta:
        verbose_name = _("chat room")
        verbose_name_plural = _("chat rooms")
        indexes = [models.Index(fields=["changed"], name="room_changed")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "ident", "circle"], name="one_room_a_circle"),
        ]

    def __str__(self) -> str:
        return f"{self.circle} of {self.kind} {self.ident}"


class Line(models.Model):
    """One line: a text, or the key of a phrase that is translated for each reader."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="lines")
    number = models.IntegerField()  # from 1 on, in its room
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="lines"
    )
    role = models.CharField(max_length=8)  # the author's role there: white, black, host…
    text = models.CharField(max_length=MAX_TEXT_CHARS, blank=True)
    phrase = models.CharField(max_length=16, blank=True)
    at = models.BigIntegerField()
    message_id = models.CharField(max_length=64)  # chosen by the page, for idempotency
    is_hidden = models.BooleanField(default=False)  # by a moderator, from everybody

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_line_a_number"),
            models.UniqueConstraint(fields=["author", "message_id"], name="one_line_an_id"),
        ]

    def __str__(self) -> str:
        return self.text or self.phrase


class ChatMember(models.Model):
    """The chat state of a user; created when first needed."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="chat_member"
    )
    rev = models.IntegerField(default=0)  # grows with each change of the user's private chat state
    bucket_full_at = models.BigIntegerField(default=0)  # when the token bucket is full again
    silent_until = models.BigIntegerField(default=0)  # earliest time to write; FOREVER_MS: never

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        indexes = [
            models.Index(fields=["silent_until"], name="member_muted"),
        ]

    def __str__(self) -> str:
        return self.user.get_username()


class Mute(models.Model):
    """A viewer's mute of another user; no one else learns of it."""

    viewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["viewer", "muted"], name="one_mute_a_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.viewer_id} mutes {self.muted_id}"


class Report(models.Model):
    """A report of a line, with a copy of the lines around it at that time."""

    class State(models.TextChoices):
        """State of a report."""

        OPEN = "open", _("open")
        ACTED = "acted", _("action taken")
        DISMISSED = "dismissed", _("dismissed")

    class Why(models.TextChoices):
        """Reason for a report."""

        INSULT = "insult", _("Insulting")
        SPAM = "spam", _("Spam")
        MOVES = "moves", _("Suggests moves")
        OTHER = "other", _("Something else")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reported"
    )
    line = models.ForeignKey(Line, models.SET_NULL, null=True, related_name="reports")
    kind = models.CharField(_("place"), max_length=8)
    ident = models.CharField(max_length=32)
    shown_line_id = models.IntegerField()  # the line's id on the pages
    why = models.CharField(_("reason"), max_length=8, choices=Why)
    context = models.JSONField()  # see `chat.chat_view.report_snapshot`
    at = models.BigIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.BigIntegerField(null=True)  # when the latest verdict was given

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [
            models.Index(fields=["state", "at"], name="report_open"),
            models.Index(fields=["reporter", "at"], name="report_of"),
            models.Index(
                fields=["decided_at"],
                name="report_decided",
                condition=models.Q(decided_at__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["reporter", "line"], name="one_report_a_line"),
        ]

    def __str__(self) -> str:
        return f"{self.get_why_display()} ({self.pk})"
