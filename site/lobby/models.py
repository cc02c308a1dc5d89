"""The lobby. It has two seats; both are columns, so that every change is one swap of one row."""

import secrets
from dataclasses import dataclass
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from lobby.options import Options, Side
from play.clocks import Clock, now

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
CODE_LENGTH = 22  # 58 ** 22 is more than 2 ** 128: a code is a key to the lobby
OTHER = {"white": "black", "black": "white", "lot": "lot"}
LISTED_LIVE = 60 * 60 * 1000  # ms for which a lobby with a running clock is offered to everybody
LISTED_SLOW = 14 * 24 * 60 * 60 * 1000  # the same for days and for no clock


def new_code() -> str:
    """An address that cannot be guessed."""
    return "".join(secrets.choice(BASE58) for _ in range(CODE_LENGTH))


@dataclass(frozen=True, slots=True)
class Place:
    """One of the two seats as it is now."""

    number: int  # 1: the seat that the host takes when he makes the lobby; 2: the other
    user: models.Model | None
    is_ready: bool
    role: Side  # "lot" until the game starts


class LobbyQuerySet(models.QuerySet["Lobby"]):
    """Questions about lobbies, in words."""

    def open(self) -> Self:
        """Lobbies in which nothing is played yet."""
        return self.filter(status=Lobby.Status.OPEN)

    def alive(self) -> Self:
        """Lobbies that are open, or whose game is being played."""
        return self.filter(Q(status=Lobby.Status.OPEN) | Q(game__isnull=False, game__ended=None))

    def chosen(self, options: Options) -> Self:
        """Lobbies that were made with these options; a lot may have been drawn since."""
        clock = options.clock
        side = Q(side=options.side)
        if options.side == "lot":
            side |= Q(status=Lobby.Status.PLAYING)
        return self.filter(
            side,
            rules=options.rules,
            clock_kind=clock.kind,
            clock_initial=clock.initial,
            clock_increment=clock.increment,
            is_public=options.public,
        )

    def listed(self, at: int) -> Self:
        """What everybody is offered: open, public, a seat free, and not so old that nobody waits.

        Closing the page does not close a lobby, so age is what takes it off the list.
        """
        free = Q(one=None) | Q(two=None)
        slow = Q(clock_kind__in=["days", "none"])
        fresh = Q(created__gt=at - LISTED_LIVE) | slow & Q(created__gt=at - LISTED_SLOW)
        return self.open().filter(free, fresh, is_public=True).order_by("-created")

    def with_people(self) -> Self:
        """The lobbies with host, seats and game read along."""
        return self.select_related("host", "one", "two", "game")

    def hosted_by(self, user: models.Model) -> Self:
        """Lobbies that a user has made."""
        return self.filter(host=user)


class Lobby(models.Model):
    """A place to gather. `rev` grows by one with every change, and every change swaps on it."""

    class Status(models.TextChoices):
        """What a lobby is doing."""

        OPEN = "open"  # seats can be taken and options changed
        PLAYING = "playing"  # its game has started; stays so when that is over
        CLOSED = "closed"  # the host has closed it

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lobbies")
    rules = models.CharField(max_length=32)
    clock_kind = models.CharField(max_length=8)
    clock_initial = models.BigIntegerField(default=0)
    clock_increment = models.BigIntegerField(default=0)
    side = models.CharField(max_length=5)  # role of seat one; "lot" until that is drawn
    is_public = models.BooleanField(default=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    one_ready = models.BooleanField(default=False)
    two = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    two_ready = models.BooleanField(default=False)
    game = models.ForeignKey("play.Game", models.SET_NULL, null=True, related_name="+")
    created = models.BigIntegerField(default=now)
    rev = models.IntegerField(default=0)

    objects = LobbyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["status", "is_public", "-created"], name="lobby_listed")]
        constraints = [
            models.CheckConstraint(
                condition=Q(one=None) | Q(two=None) | ~Q(one=F("two")), name="two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.code}"

    def get_absolute_url(self) -> str:
        """The address that invites."""
        return reverse("lobby", args=[self.code])

    @property
    def clock(self) -> Clock:
        """The chosen clock."""
        return Clock(self.clock_kind, self.clock_initial, self.clock_increment)  # type: ignore[arg-type]

    @property
    def options(self) -> Options:
        """All that the host has chosen."""
        return Options(self.rules, self.clock, self.side, self.is_public)  # type: ignore[arg-type]

    @property
    def places(self) -> tuple[Place, Place]:
        """Both seats, the host's first."""
        return (
            Place(1, self.one, bool(self.one and self.one_ready), self.side),  # type: ignore[arg-type]
            Place(2, self.two, bool(self.two and self.two_ready), OTHER[self.side]),  # type: ignore[arg-type]
        )

    def place_of(self, user_id: int | None) -> Place | None:
        """The seat that a user holds."""
        if user_id is None:
            return None
        return next((p for p in self.places if p.user and p.user.pk == user_id), None)

    @property
    def free(self) -> Place | None:
        """The first seat that nobody holds."""
        return next((place for place in self.places if place.user is None), None)
