"""Models of notices, their posts by push and mail, devices and preferences.

Times are milliseconds since the epoch. Nothing here holds a position or a sealed action.
"""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from play.domain.clocks import now


class Kind(models.TextChoices):
    """The event that a notice announces."""

    TURN = "turn"  # a game waits for the user
    HALF = "half"  # half of the time of a turn has gone
    LAST = "last"  # nine tenths of the time of a turn have gone
    ENDED = "ended"  # a game has ended, while its page was closed
    OFFER = "offer"  # the opponent asks for a takeback or a draw
    CHALLENGE = "challenge"  # somebody challenges the user
    JOINED = "joined"  # somebody joined the user's lobby or open game, or declined a challenge
    PLAYS = "plays"  # a followed account plays a public game
    HOLIDAY = "holiday"  # a holiday of the user or of an opponent has begun by itself
    MODERATION = "moderation"  # a moderator decided about the user or their report


TURN_KINDS = (Kind.TURN, Kind.HALF, Kind.LAST)  # withdrawn when the turn has been made


class NoticeQuerySet(models.QuerySet["Notice"]):
    """Named queries for notices."""

    def of(self, user: int) -> Self:
        """Return the notices of a user."""
        return self.filter(user=user)

    def shown(self, at: int) -> Self:
        """Return notices that the bell shows at `at` (epoch ms): not those of a later time."""
        return self.filter(due__lte=at)

    def unread(self) -> Self:
        """Return notices that are neither read nor closed."""
        return self.filter(read=None, closed=None)


class Notice(models.Model):
    """A notification of a user, unique by user, kind, subject and serial.

    `serial` tells apart notices of one kind about one subject: of a turn, the number of the turn
    with takebacks counted (see `derive`); of an offer, its rev; of a challenge or an arrival, the
    user it comes from. A sealed action of the opponent never changes it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.CharField(max_length=64)  # slug of a game, code of a lobby, id of a report
    serial = models.BigIntegerField(default=0)
    data = models.JSONField(default=dict)  # names and figures for its texts, see `inbox.texts`
    created = models.BigIntegerField(default=now)
    due = models.BigIntegerField(default=now)  # when it is first shown; in the future for warnings
    expires = models.BigIntegerField(null=True)  # when it expires: end of the turn
    read = models.BigIntegerField(null=True)  # when the user has seen it
    closed = models.BigIntegerField(null=True)  # when it became obsolete: the turn was made
    is_planned = models.BooleanField(default=False)  # its posts have been made

    objects = NoticeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind", "subject", "serial"], name="one_notice_a_change"
            )
        ]
        indexes = [
            models.Index(fields=["user", "due"], name="notice_of_user"),
            models.Index(fields=["kind", "subject"], name="notice_open", condition=Q(closed=None)),
            models.Index(fields=["due"], name="notice_to_plan", condition=Q(is_planned=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} for {self.user_id}"


class Inbox(models.Model):
    """The rev of a user's notices: it grows by one with every change of them."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    rev = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"inbox of {self.user_id} at rev {self.rev}"


class Cursor(models.Model):
    """The ledger entry up to which notices have been derived; one row."""

    entry = models.BigIntegerField()  # id of an entry; all before it are done

    def __str__(self) -> str:
        return f"derived up to entry {self.entry}"


class PushDevice(models.Model):
    """A browser that takes pushes for one user. It ends with the session it was added in."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    session = models.CharField(max_length=64, blank=True, db_index=True)  # digest of its key
    endpoint = models.TextField()
    endpoint_digest = models.CharField(max_length=64, unique=True)  # SHA-256, hex
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    language = models.CharField(max_length=8)
    created = models.BigIntegerField(default=now)
    last_success = models.BigIntegerField(null=True)
    test_asked = models.BigIntegerField(null=True)  # when its user pressed the test button

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


class VapidKey(models.Model):
    """The site's key for web push, unless QUIVER_VAPID has it; one row."""

    private = models.TextField()  # encrypted, see `push.vapid`
    public = models.CharField(
        max_length=100, default=""
    )  # as pages get it: base64url, uncompressed point

    def __str__(self) -> str:
        return "VAPID key"


class Channel(models.TextChoices):
    """A way by which a notice leaves the site."""

    PUSH = "push"
    MAIL = "mail"


class PostQuerySet(models.QuerySet["Post"]):
    """Named queries for posts."""

    def waiting(self) -> Self:
        """Return posts that are to be sent, also those of a process that has died."""
        return self.filter(state=Post.State.WAITING)


class Post(models.Model):
    """A notice on its way: by push to one device, or by mail.

    A post is claimed by moving `due` behind the claim's end, with a compare-and-swap on `tries`:
    a post whose process dies is due again after that.
    """

    class State(models.TextChoices):
        """State of a post."""

        WAITING = "waiting"  # to be sent at `due`
        SENT = "sent"
        WITHDRAWN = "withdrawn"  # it became obsolete, or a page was visible
        GIVEN_UP = "given_up"  # `error` says why

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="posts")
    channel = models.CharField(max_length=4, choices=Channel)
    device = models.ForeignKey(PushDevice, models.CASCADE, null=True, related_name="posts")
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    due = models.BigIntegerField()
    expires = models.BigIntegerField()
    tries = models.IntegerField(default=0)
    first_try = models.BigIntegerField(null=True)  # when it was first tried
    is_held = models.BooleanField(default=False)  # the user had enough pushes within an hour
    sent = models.BigIntegerField(null=True)
    error = models.CharField(max_length=100, blank=True)

    objects = PostQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["notice", "device"],
                name="one_push_a_device",
                condition=Q(device__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["notice"], name="one_mail_a_notice", condition=Q(channel="mail")
            ),
        ]
        indexes = [
            models.Index(fields=["due"], name="post_due", condition=Q(state="waiting")),
            models.Index(
                fields=["device", "first_try"],
                name="post_tried",
                condition=Q(first_try__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} of notice {self.notice_id}, {self.state}"


class Preferences(models.Model):
    """A user's choices of events, channels and times; a user without a row has the defaults.

    Nothing is mailed before its user chooses to get mails.
    """

    class MailMode(models.TextChoices):
        """Times at which mails are sent."""

        OFF = "off"
        DIGEST = "digest"  # at most one a day, at `digest_hour`
        AT_ONCE = "at_once"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    # Kind to the list of channels among "bell", "push", "mail"; a missing kind has its default.
    channels = models.JSONField(default=dict)
    mail = models.CharField(max_length=8, choices=MailMode, default=MailMode.OFF)
    digest_hour = models.PositiveSmallIntegerField(default=18)  # of the user's day, 0 to 23
    time_zone = models.CharField(max_length=64, default="UTC")  # IANA name
    # Minutes of the user's day between which nothing is posted; null: no quiet hours.
    quiet_from = models.PositiveSmallIntegerField(null=True)
    quiet_until = models.PositiveSmallIntegerField(null=True)
    language = models.CharField(max_length=8, default="en")  # of posts
    mail_bounced = models.BigIntegerField(null=True)  # when the address refused a mail for good
    last_digest = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"
