"""Users (accounts, guests, computer players), their profiles, relations and sessions."""

from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.login.passwords import ComposedPasswords, ComposingUserManager
from accounts.login.sessions import DIGEST_CHARS, SessionStore
from accounts.people.names import (
    MAX_NAME_CHARS,
    TAKEN,
    NameField,
    normalize_name,
    skeleton,
    validate_name,
)


class User(ComposedPasswords, AbstractUser):
    """A user who may hold a seat: account, guest or computer player.

    `username` is the shown name; nothing else of a person is required. `email` is for a forgotten
    password and is shown to nobody else. `date_joined` is the first click of a guest, and the
    sign-up of an account.
    """

    objects: ClassVar[ComposingUserManager[Self]] = ComposingUserManager()

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = NameField(
        max_length=MAX_NAME_CHARS,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": TAKEN},
    )
    # Of an account: no other one may look like it. See `names.skeleton` and `name_claims`.
    skeleton = models.CharField(max_length=MAX_NAME_CHARS, null=True, unique=True, editable=False)
    is_guest = models.BooleanField(
        default=False
    )  # created by a first click; lives with its session
    # Keyed hash of the nonce that the guest was created for; null once it has expired.
    born_of = models.CharField(max_length=64, unique=True, null=True, editable=False)
    is_bot = models.BooleanField(default=False)  # a computer player
    level = models.PositiveSmallIntegerField(null=True, unique=True, editable=False)  # of one
    # Time of the user's deletion; null for all others, and as soon as the deleted user's games and
    # lobbies are settled.
    leaving = models.DateTimeField(null=True, editable=False)
    renamed = models.DateTimeField(null=True, editable=False)  # when the name was last changed
    # Whether the user of a request blocks somebody or is blocked, read with the user; None: unread.
    has_blocks: bool | None = None
    # Grows when all sessions of the user end, also without a change of the password.
    era = models.PositiveIntegerField(default=0, editable=False)
    # Whether a holiday begins by itself where a clock of the user would fall.
    has_holidays = models.BooleanField(default=True, db_default=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_a_name")]
        indexes = [
            models.Index(fields=["email"], name="user_by_email"),
            models.Index(
                Lower("username"), name="account_by_name", condition=models.Q(is_guest=False)
            ),
            models.Index(
                fields=["leaving"], name="user_leaving", condition=models.Q(leaving__isnull=False)
            ),
            models.Index(
                fields=["date_joined"], name="guest_by_age", condition=models.Q(is_guest=True)
            ),
            models.Index(
                fields=["leaving"],
                name="user_suspended",
                condition=models.Q(is_active=False, is_guest=False),
            ),
        ]

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the stored spelling of a name."""
        return normalize_name(username) if isinstance(username, str) else username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the user; a new account with the skeleton of its name."""
        if self._state.adding and self.is_account:
            self.skeleton = skeleton(self.username)
        super().save(*args, **kwargs)

    @property
    def is_account(self) -> bool:
        """Whether a person can log in to this user with a password."""
        return not (self.is_guest or self.is_bot)

    def get_absolute_url(self) -> str:
        """Return the URL of the profile; empty for guests, who have none."""
        return "" if self.is_guest else reverse("profile", args=[self.username])

    def get_full_name(self) -> str:
        """Return the shown name; Django's version reads fields that this model lacks."""
        return str(self.username)

    def get_short_name(self) -> str:
        """Return the shown name."""
        return str(self.username)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return the hash that a session of this user has to carry; password and era change it."""
        salt = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"
        value = f"{self.password} {self.era}" if self.era else self.password
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()


class NameClaim(models.Model):
    """A name that an account has given up; nobody else may have it, or one like it, until a time.

    Of a deleted account it has neither user nor name, so that nothing leads to the deleted row.
    """

    skeleton = models.CharField(max_length=MAX_NAME_CHARS, unique=True)
    name = NameField(max_length=MAX_NAME_CHARS, blank=True)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"claim {self.pk}"


class PublicProfile(models.Model):
    """Texts of an account on its profile; see `accounts.public_profile`.

    It is no part of the user's row, which each request and each list reads.
    """

    user = models.OneToOneField(
        User, models.CASCADE, primary_key=True, related_name="public_profile"
    )
    bio = models.CharField(max_length=300, blank=True)
    country = models.CharField(max_length=2, blank=True)  # code of ISO 3166-1

    def __str__(self) -> str:
        return f"profile of {self.user_id}"


class Session(AbstractBaseSession):
    """A session; `session_key` holds the digest of its key, see `accounts.login.sessions`.

    Its data are signed, not encrypted. `user` is not a foreign key: a session may outlive its user.
    """

    session_key = models.CharField(max_length=DIGEST_CHARS, primary_key=True)
    user = models.BigIntegerField(null=True, db_index=True)  # null: nobody is logged in

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the engine that reads and writes these rows."""
        return SessionStore


class Revocation(models.Model):
    """The end of one session, of all of a user's sessions but one, or of everybody's sessions.

    Ids come in the order of commits. Sessions are named by digests (see `login.sessions`). There
    are no foreign keys: rows outlive what they name.
    """

    session = models.CharField(max_length=DIGEST_CHARS, blank=True)  # blank: see `user`
    user = models.BigIntegerField(null=True)
    keep = models.CharField(max_length=DIGEST_CHARS, blank=True)  # the session that goes on
    # Of all sessions; the other columns are blank then. `db_default` serves older processes.
    everybody = models.BooleanField(default=False, db_default=False)
    at = models.BigIntegerField()  # ms since the epoch

    def __str__(self) -> str:
        return f"revocation {self.pk}"


class Block(models.Model):
    """A user's block of another user; see `accounts.people.blocks`."""

    blocker = models.ForeignKey(User, models.CASCADE, related_name="+")
    blocked = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    at = models.BigIntegerField()  # ms since the epoch

    class Meta:
        indexes = [models.Index(fields=["blocked", "blocker"], name="block_of")]
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_a_pair"),
            models.CheckConstraint(
                condition=~models.Q(blocker=models.F("blocked")), name="no_block_of_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} blocks {self.blocked_id}"


class Follow(models.Model):
    """An account that follows another; nobody but the follower sees it."""

    follower = models.ForeignKey(User, models.CASCADE, related_name="+")
    followed = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    at = models.BigIntegerField()  # ms since the epoch

    class Meta:
        indexes = [models.Index(fields=["followed", "follower"], name="follow_of")]
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="one_follow_a_pair"),
            models.CheckConstraint(
                condition=~models.Q(follower=models.F("followed")), name="no_follow_of_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id} follows {self.followed_id}"
