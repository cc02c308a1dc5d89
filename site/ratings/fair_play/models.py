"""Tables of fair play: rulings of staff, comparisons with the engine, digests of devices.

Incidents and pauses have no table: they follow from the log of ratings. Times are milliseconds
since the epoch.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from play.models import Game


class Ruling(models.Model):
    """A decision of staff to annul some games, or to restore them; a worker carries it out.

    Each changed game gets a correction in the log of ratings, and one new generation applies them
    all. `games` are all games of the ruling, including those annulled before.
    """

    is_annulment = models.BooleanField(_("annulment"))
    games = models.JSONField(_("games"))  # their slugs
    reverses = models.ForeignKey(  # the ruling that this one reverses; null if it stands alone
        "self", models.PROTECT, null=True, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=200)  # public, in `ratings.jsonl`
    person = models.ForeignKey(  # whose games they are; null if one game was named
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made = models.BigIntegerField()
    applied = models.BigIntegerField(null=True)  # null while it waits for a worker
    failure = models.CharField(max_length=200, blank=True)  # of the last attempt

    class Meta:
        verbose_name = _("ruling on rated games")
        verbose_name_plural = _("rulings on rated games")
        indexes = [
            models.Index(fields=["id"], name="ruling_waiting", condition=Q(applied=None)),
        ]

    def __str__(self) -> str:
        kind = _("Annulment") if self.is_annulment else _("Restoration")
        return f"{kind} {self.pk}"


class EngineAgreement(models.Model):
    """Agreement of the turns of a rated game with our engine; for moderators, never public."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="+")
    asked = models.BigIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    worker = models.CharField(max_length=64, blank=True)  # with the lease; empty: none
    until = models.BigIntegerField(default=0)  # end of the lease
    tries = models.PositiveSmallIntegerField(default=0)
    made = models.BigIntegerField(null=True)
    failure = models.CharField(max_length=200, blank=True)
    # By role: turns, same, mean_loss; besides level and nodes of the engine.
    result = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("comparison with the engine")
        verbose_name_plural = _("comparisons with the engine")
        indexes = [
            models.Index(fields=["asked"], name="agreement_waiting", condition=Q(made=None)),
        ]

    def __str__(self) -> str:
        return f"comparison of {self.game_id}"


class Sighting(models.Model):
    """A day on which a person of rated play used a device or a network, as a keyed digest.

    A digest reveals only whether two people's digests are equal. Deleted after 30 days.
    """

    class Kind(models.TextChoices):
        """Kind of digest."""

        DEVICE = "device"  # of an id in the cookie of known devices, the same on every day
        NETWORK = "network"  # of an IPv4 address or an IPv6 /64, another one each day

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    day = models.IntegerField()  # since the epoch, UTC
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=32)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "day", "kind", "digest"], name="one_sighting_a_day"
            )
        ]
        indexes = [models.Index(fields=["day"], name="sighting_day")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id} on day {self.day}"
