"""The lobby. It has two seats; both are columns, so that every change is one swap of one row."""

import secrets
from dataclasses import dataclass
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from lobby.options import RUNNING, Options, Side
from play.clocks import Clock, now

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
CODE_LENGTH = 22  # 58 ** 22 is more than 2 ** 128: a code is a key to the lobby
OTHER = {"white": "black", "black": "white", "lot": "lot"}
SEEN_LIVE = 60 * 1000  # ms since its host was there in which a lobby with a running clock is listed
AWAY_LIVE = 5 * 60 * 1000  # the same, after which it closes
AWAY_SLOW = 14 * 24 * 60 * 60 * 1000  # the same for days and no clock: people leave and return
UNPLAYED_KEPT_MS = 7 * 24 * 60 * 60 * 1000  # ms for which a closed lobby without a game is kept


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


def _is_ready(user: Any, is_ready: bool) -> bool:
    """Whether who sits is ready; a computer player always is."""
    return user is not None and (is_ready or user.is_bot)


class LobbyQuerySet(models.QuerySet["Lobby"]):
    """Questions about lobbies, in words."""

    def open(self) -> Self:
        """Lobbies in which nothing is played now."""
        return self.filter(status=Lobby.Status.OPEN)

    def alive(self) -> Self:
        """Lobbies that wait for their first game, or whose game is being played."""
        waits = Q(status=Lobby.Status.OPEN, game=None)
        return self.filter(waits | Q(game__isnull=False, game__ended=None))

    def chosen(self, options: Options) -> Self:
        """Lobbies that were made with these options; a lot may have been drawn since."""
        clock = options.clock
        side = Q(side=options.side)
        if options.side == "lot":
            side |= Q(status=Lobby.Status.PLAYING, is_lot=True)
        return self.filter(
            side,
            rules=options.rules,
            clock_kind=clock.kind,
            clock_initial=clock.initial,
            clock_increment=clock.increment,
            is_public=options.public,
            watch=options.watch,
        )

    def listed(self, at: int) -> Self:
        """What everybody is offered: open, public, a seat free, and its host not gone."""
        free = Q(one=None) | Q(two=None)
        slow = ~Q(clock_kind__in=RUNNING) & Q(host_seen__gt=at - AWAY_SLOW)
        there = Q(host_seen__gt=at - SEEN_LIVE) | slow
        return self.open().filter(free, there, is_public=True).order_by("-created")

    def forsaken(self, at: int) -> Self:
        """Open lobbies whose host has been away for too long at `at` (epoch ms)."""
        live = Q(clock_kind__in=RUNNING, host_seen__lt=at - AWAY_LIVE)
        return self.open().filter(live | Q(host_seen__lt=at - AWAY_SLOW))

    def unplayed(self, at: int) -> Self:
        """Closed lobbies that never had a game, whose host was last there long before `at` (epoch
        ms)."""
        closed = self.filter(status=Lobby.Status.CLOSED, game=None, previous=None)
        return closed.filter(host_seen__lt=at - UNPLAYED_KEPT_MS)

    def with_people(self) -> Self:
        """The lobbies with host, seats and game read along."""
        return self.select_related("host", "one", "two", "game", "swap_by")

    def with_games(self) -> Self:
        """The lobbies with all that their page shows: people, and who played the last two games."""
        seats = ("game__seats__user", "previous__seats__user")
        return self.with_people().select_related("previous").prefetch_related(*seats)

    def hosted_by(self, user: models.Model) -> Self:
        """Lobbies that a user has made."""
        return self.filter(host=user)

    def of_one(self, user: models.Model) -> Self:
        """Lobbies in which a user sits, and nobody else."""
        return self.filter(Q(one=user, two=None) | Q(one=None, two=user))

    def of(self, user: models.Model) -> Self:
        """Lobbies that a user has made or sits in."""
        return self.filter(Q(host=user) | Q(one=user) | Q(two=user))


class Lobby(models.Model):
    """A place to gather. `rev` grows by one with every change, and every change swaps on it."""

    class Status(models.TextChoices):
        """What a lobby is doing."""

        OPEN = "open"  # seats can be taken and options changed
        PLAYING = "playing"  # its game has started; when that is over, it is open again
        CLOSED = "closed"  # for good; `why` says why

    class Why(models.TextChoices):
        """Why a lobby is closed."""

        HOST = "host"  # the host has closed it
        AWAY = "away"  # the host was away for longer than such a lobby waits
        JOINED = "joined"  # "Play now" has led its host to a lobby that waited for longer

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lobbies")
    rules = models.CharField(max_length=32)
    clock_kind = models.CharField(max_length=8)
    clock_initial = models.BigIntegerField(default=0)
    clock_increment = models.BigIntegerField(default=0)
    side = models.CharField(max_length=5)  # role of seat one; "lot" until that is drawn
    is_lot = models.BooleanField(default=False)  # `side` was drawn for the game that is played
    is_public = models.BooleanField(default=True)
    watch = models.BooleanField(default=True)  # spectators may look on while the game runs
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    why = models.CharField(max_length=8, choices=Why, blank=True)
    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    one_ready = models.BooleanField(default=False)
    two = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    two_ready = models.BooleanField(default=False)
    game = models.ForeignKey("play.Game", models.SET_NULL, null=True, related_name="+")  # newest
    previous = models.ForeignKey("play.Game", models.SET_NULL, null=True, related_name="+")
    # Form values of the options for which the other was last ready; empty if these are the present.
    before = models.JSONField(default=dict)
    swap_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )  # who is seated and asks to swap the sides
    barred = models.JSONField(default=dict)  # user id to the ms until which they may not sit here
    created = models.BigIntegerField(default=now)
    host_seen = models.BigIntegerField(default=now)  # ms; the host had a page of it open then
    rev = models.IntegerField(default=0)

    objects = LobbyQuerySet.as_manager()

    class Meta:
        # Few lobbies are open, of all that there were.
        indexes = [
            models.Index(fields=[column], name=f"lobby_open_{column}", condition=Q(status="open"))
            for column in ("created", "host", "one", "two")
        ]
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
        return Options(self.rules, self.clock, self.side, self.is_public, self.watch)  # type: ignore[arg-type]

    @property
    def is_over(self) -> bool:
        """Whether its game is over: then it is to be opened again."""
        is_playing = self.status == Lobby.Status.PLAYING
        return is_playing and (self.game is None or self.game.ended is not None)

    @property
    def is_live(self) -> bool:
        """Whether its clock runs, so that both have to be there."""
        return self.clock_kind in RUNNING

    def barred_until(self, user_id: int | None) -> int:
        """The moment (ms) until which a user may not sit here; 0 for nearly everybody."""
        return int(self.barred.get(str(user_id), 0))

    @property
    def places(self) -> tuple[Place, Place]:
        """Both seats, the host's first."""
        return (
            Place(1, self.one, _is_ready(self.one, self.one_ready), self.side),  # type: ignore[arg-type]
            Place(2, self.two, _is_ready(self.two, self.two_ready), OTHER[self.side]),  # type: ignore[arg-type]
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
