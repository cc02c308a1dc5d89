"""Users (accounts, guests, computer players), their sessions, and revocations of sessions."""

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.fields import NameField
from accounts.names import LONGEST, TAKEN, normalized, validate_name
from accounts.sessions import DIGEST_LENGTH, SessionStore


class User(AbstractUser):
    """Whoever may hold a seat. The shown name is `username`; nothing else of a person is asked.

    `email` serves a forgotten password and is shown to nobody else. `date_joined` is the moment of
    the first click for a guest, of signing up for an account.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = NameField(
        max_length=LONGEST,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": TAKEN},
    )
    is_guest = models.BooleanField(default=False)  # made by a first click; lives with its session
    # Keyed hash of the nonce that a guest was made for; null once nobody needs it any more.
    born_of = models.CharField(max_length=64, unique=True, null=True, editable=False)
    is_bot = models.BooleanField(default=False)  # a computer player
    level = models.PositiveSmallIntegerField(null=True, unique=True, editable=False)  # of one
    # Since when somebody who has deleted himself is being seen out; null for everybody else, and
    # for him too as soon as his games and lobbies are settled.
    leaving = models.DateTimeField(null=True, editable=False)
    renamed = models.DateTimeField(null=True, editable=False)  # when the name was last changed
    # Grows when all sessions of the user have to end, whatever the password.
    era = models.PositiveIntegerField(default=0, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_a_name")]
        indexes = [
            models.Index(fields=["email"], name="user_by_email"),
            models.Index(
                fields=["leaving"], name="user_leaving", condition=models.Q(leaving__isnull=False)
            ),
            models.Index(
                fields=["date_joined"], name="guest_by_age", condition=models.Q(is_guest=True)
            ),
        ]

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """The stored spelling of a name."""
        return normalized(username) if isinstance(username, str) else username

    @property
    def is_account(self) -> bool:
        """Whether a person can come back to this user with a password."""
        return not (self.is_guest or self.is_bot)

    def get_absolute_url(self) -> str:
        """The address of the profile; guests have none."""
        return "" if self.is_guest else reverse("profile", args=[self.username])

    def get_full_name(self) -> str:
        """The shown name; Django's own version reads fields that this user does not have."""
        return str(self.username)

    def get_short_name(self) -> str:
        """The shown name."""
        return str(self.username)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must carry to be this user's: changes with the password and the era."""
        salt = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"
        value = f"{self.password} {self.era}" if self.era else self.password
        return salted_hmac(salt, value, secret=secret, algorithm="sha256").hexdigest()


class Session(AbstractBaseSession):
    """A session; `session_key` holds the digest of its key, see `accounts.sessions`.

    Its data are signed, not encrypted. `user` is not a foreign key: a session may outlive its user.
    """

    session_key = models.CharField(max_length=DIGEST_LENGTH, primary_key=True)
    user = models.BigIntegerField(null=True, db_index=True)  # null: nobody is logged in

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the engine that reads and writes these rows."""
        return SessionStore


class Revocation(models.Model):
    """The end of one session, of all of a user's sessions but one, or of everybody's sessions.

    Ids come in the order of commits. Sessions are named by digests (see `accounts.sessions`). There
    are no foreign keys: rows outlive what they name.
    """

    session = models.CharField(max_length=DIGEST_LENGTH, blank=True)  # blank: see `user`
    user = models.BigIntegerField(null=True)
    keep = models.CharField(max_length=DIGEST_LENGTH, blank=True)  # the session that goes on
    # Of all sessions; the other columns are blank then. `db_default` serves older processes.
    everybody = models.BooleanField(default=False, db_default=False)
    at = models.BigIntegerField()  # ms since the epoch

    def __str__(self) -> str:
        return f"revocation {self.pk}"
