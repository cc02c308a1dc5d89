"""The user: a person with an account, a guest, or a computer player."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower

from accounts.names import LONGEST, normalized, validate_name


class User(AbstractUser):
    """Whoever may hold a seat. The shown name is `username`; nothing else of a person is asked."""

    first_name = None
    last_name = None
    username = models.CharField(
        max_length=LONGEST,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": "That name is taken."},
    )
    is_guest = models.BooleanField(default=False)  # made by a first click; lives with its session
    # Keyed hash of what the forms carried that made a guest; null once he needs it no more.
    born_of = models.CharField(max_length=64, unique=True, null=True, editable=False)
    is_bot = models.BooleanField(default=False)  # a computer player

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_user_a_name")]

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """The stored spelling of a name."""
        return normalized(username) if isinstance(username, str) else username

    def get_full_name(self) -> str:
        """The shown name; Django's own version reads fields that this user does not have."""
        return self.username

    def get_short_name(self) -> str:
        """The shown name."""
        return self.username
