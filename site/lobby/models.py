"""Model of a lobby.

Both seats are columns, so that every change is a compare-and-swap on one row.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse

from accounts.models import User
from games.rating.pools import Pool
from lobby.lobby_options import Options, Side
from lobby.offers.models import StandingOffer
from lobby.pairing.models import RefusedPair, Search  # noqa: F401 (Django looks here)
from play.domain.abandonment import (
    AWAY_INVITED_MS,
    AWAY_LIVE_MS,
    AWAY_SLOW_MS,
    SEEN_LIVE_MS,
    UNPLAYED_KEPT_MS,
)
from play.domain.clocks import Clock, now
from play.time_controls import RUNNING
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import NO_RATINGS, PeopleRatings, read_ratings

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
CODE_CHARS = 22  # 58 ** 22 > 2 ** 128: knowing the code gives access to the lobby
OTHER = {"white": "black", "black": "white", "lot": "lot"}


def new_code() -> str:
    """Returns a random code that cannot be guessed."""
    return "".join(secrets.choice(BASE58) for _ in range(CODE_CHARS))


@dataclass(frozen=True, slots=True)
class Place:
    """The state of one of the two seats."""

    number: int  # 1: the seat that the host takes at creation; 2: the other
    user: User | None
    is_ready: bool
    role: Side  # "lot" until the game starts


def _is_ready(user: Any, is_ready: bool) -> bool:
    """Returns whether the user of a seat is ready; a computer player always is."""
    return user is not None and (is_ready or user.is_bot)


class LobbyQuerySet(models.QuerySet["Lobby"]):
    """Named queries for lobbies."""

    def open(self) -> Self:
        """Lobbies without a running game that are not closed."""
        return self.filter(status=Lobby.Status.OPEN)

    def slow(self) -> Self:
        """Open lobbies without a running clock."""
        return self.open().exclude(clock_kind__in=RUNNING)

    def waiting(self) -> Self:
        """Open lobbies that have had no game."""
        return self.open().filter(game=None)

    def alive(self) -> Self:
        """Lobbies that wait for their first game or whose game is running."""
        waits = Q(status=Lobby.Status.OPEN, game=None)
        return self.filter(waits | Q(game__isnull=False, game__ended=None))

    def chosen(self, options: Options) -> Self:
        """Lobbies created with these options, also if random sides have been drawn since."""
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
            is_rated=options.rated,
            is_counted=options.counted,
        )

    def listed(self, at: int) -> Self:
        """Lobbies in the public list at `at`: open, public, with a free seat and a present host.

        Of those that one standing offer keeps open, the first one alone: when it is taken, the next
        one follows. After their game they are for rematches and are not listed again.
        """
        free = Q(one=None) | Q(two=None)
        slow = ~Q(clock_kind__in=RUNNING) & Q(host_seen__gt=at - AWAY_SLOW_MS)
        there = Q(host_seen__gt=at - SEEN_LIVE_MS) | slow
        waits = Lobby.objects.waiting().filter(offer=OuterRef("offer"), pk__lt=OuterRef("pk"))
        fresh = self.open().exclude(offer__isnull=False, game__isnull=False)
        open_to_all = Q(is_public=True, invited=None, host__is_active=True)
        listed = fresh.filter(free, there, open_to_all).exclude(Exists(waits))
        return listed.order_by("-created")

    def with_waiting_hosts(self, at: int) -> Self:
        """Listed lobbies with a running clock whose hosts wait ready, the oldest first."""
        is_ready = Q(one=F("host"), one_ready=True) | Q(two=F("host"), two_ready=True)
        return self.listed(at).filter(is_ready, clock_kind__in=RUNNING).order_by("created", "pk")

    def abandoned(self, at: int) -> Self:
        """Open lobbies whose host has been away for too long at `at` (epoch ms)."""
        live = Q(clock_kind__in=RUNNING)
        listed = Q(is_public=True, host_seen__lt=at - AWAY_LIVE_MS)
        invited = Q(host_seen__lt=at - AWAY_INVITED_MS)
        return self.open().filter(live & (listed | invited) | Q(host_seen__lt=at - AWAY_SLOW_MS))

    def unplayed(self, at: int) -> Self:
        """Closed lobbies without any game whose host was last present long before `at`.

        `at` is in ms since the epoch.
        """
        closed = self.filter(status=Lobby.Status.CLOSED, game=None, previous=None)
        return closed.filter(host_seen__lt=at - UNPLAYED_KEPT_MS)

    def not_kept(self) -> Self:
        """Lobbies except those that a standing offer keeps open for a first game."""
        return self.filter(Q(offer=None) | Q(game__isnull=False))

    def with_people(self) -> Self:
        """Joins host, seats and game."""
        return self.select_related("host", "one", "two", "invited", "game", "swap_by")

    def with_games(self) -> Self:
        """Joins all that the lobby's page shows: people, and the players of the last two games."""
        seats = ("game__seats__user", "previous__seats__user")
        return self.with_people().select_related("previous").prefetch_related(*seats)

    def hosted_by(self, user: models.Model) -> Self:
        """Lobbies created by a user."""
        return self.filter(host=user)

    def of(self, user: models.Model) -> Self:
        """Lobbies that a user has created or sits in."""
        return self.filter(Q(host=user) | Q(one=user) | Q(two=user))

    def of_or_inviting_any(self, users: Collection[int]) -> Self:
        """Lobbies of any of some users, and those that a challenge reserves for one of them."""
        theirs = Q(host__in=users) | Q(one__in=users) | Q(two__in=users) | Q(invited__in=users)
        return self.filter(theirs)


class Lobby(models.Model):
    """A lobby with two seats. `rev` grows by one with every change; changes swap on it."""

    class Status(models.TextChoices):
        """State of a lobby."""

        OPEN = "open"  # seats can be taken and options changed
        PLAYING = "playing"  # its game has started; when that is over, it is open again
        CLOSED = "closed"  # for good; `why` says why

    class Why(models.TextChoices):
        """Reason for which a lobby is closed."""

        HOST = "host"  # the host has closed it
        AWAY = "away"  # the host was absent for too long
        JOINED = "joined"  # "Play now" has moved its host to an older lobby
        DECLINED = "declined"  # the challenged user does not want to play

    code = models.CharField(max_length=CODE_CHARS, unique=True, default=new_code)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lobbies")
    # The standing offer that has opened it.
    offer = models.ForeignKey(StandingOffer, models.SET_NULL, null=True, related_name="lobbies")
    rules = models.CharField(max_length=32)
    clock_kind = models.CharField(max_length=8)
    clock_initial = models.BigIntegerField(default=0)
    clock_increment = models.BigIntegerField(default=0)
    side = models.CharField(max_length=5)  # role of seat one; "lot" until that is drawn
    is_lot = models.BooleanField(default=False)  # `side` was drawn for the game that is played
    is_public = models.BooleanField(default=True)
    was_public = models.BooleanField(default=False)  # it is, or once was, in the public list
    watch = models.BooleanField(default=True)  # spectators are allowed while the game runs
    is_rated = models.BooleanField(default=False, db_default=False)  # both players' ratings change
    # Own squares are counted in Amazons with the free arrow, instead of a draw. Older lobbies keep
    # the draw that their hosts were shown.
    is_counted = models.BooleanField(default=True, db_default=False)
    is_quick = models.BooleanField(default=False)  # a search or the list has filled a seat
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    why = models.CharField(max_length=8, choices=Why, blank=True)
    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    one_ready = models.BooleanField(default=False)
    two = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    two_ready = models.BooleanField(default=False)
    # The only user besides the host who may take a seat; null: everybody. See `challenges`.
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    game = models.ForeignKey("play.Game", models.SET_NULL, null=True, related_name="+")  # newest
    previous = models.ForeignKey("play.Game", models.SET_NULL, null=True, related_name="+")
    # Form values of the options for which the other was last ready; empty if unchanged.
    before = models.JSONField(default=dict)
    swap_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )  # the seated user who asks to swap sides
    barred = models.JSONField(default=dict)  # user id to end of the ban (epoch ms)
    created = models.BigIntegerField(default=now)
    host_seen = models.BigIntegerField(default=now)  # epoch ms; last presence of the host
    rev = models.IntegerField(default=0)

    # Ratings of the host and of those seated, once `load_ratings` has read them.
    ratings: PeopleRatings = NO_RATINGS

    objects = LobbyQuerySet.as_manager()

    class Meta:
        # Partial indexes: few of all lobbies are open.
        indexes = [
            models.Index(fields=[column], name=f"lobby_open_{column}", condition=Q(status="open"))
            for column in ("created", "host", "one", "two", "invited")
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(one=None) | Q(two=None) | ~Q(one=F("two")), name="two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.code}"

    def get_absolute_url(self) -> str:
        """Returns the address of the lobby, which serves as the invitation."""
        return reverse("lobby", args=[self.code])

    @property
    def clock(self) -> Clock:
        """The chosen clock."""
        return Clock(self.clock_kind, self.clock_initial, self.clock_increment)  # type: ignore[arg-type]

    @property
    def options(self) -> Options:
        """The options chosen by the host."""
        return Options(
            self.rules,
            self.clock,
            self.side,  # type: ignore[arg-type]
            self.is_public,
            self.watch,
            self.is_rated,
            self.is_counted,
        )

    @property
    def pool(self) -> Pool:
        """The pool of ratings of its game, rated or not."""
        return pool_of_game(self.rules, self.clock_kind)

    def load_ratings(self, at: int) -> Self:
        """Reads the ratings of its people at a time (epoch ms), in one query; returns the lobby."""
        people = (self.host, self.one, self.two)
        accounts = {user.pk for user in people if user and user.is_account}
        self.ratings = read_ratings(accounts, at, [self.pool])
        return self

    @property
    def is_kept(self) -> bool:
        """Whether a standing offer keeps it open for a first game."""
        is_waiting = self.status == Lobby.Status.OPEN and self.game_id is None
        return is_waiting and self.offer_id is not None

    @property
    def is_over(self) -> bool:
        """Whether the game of a playing lobby is over, so that the lobby must be reopened."""
        is_playing = self.status == Lobby.Status.PLAYING
        return is_playing and (self.game is None or self.game.ended is not None)

    @property
    def met_by_link(self) -> bool:
        """Whether the two seated people met by a link or a challenge.

        The public list and searches do not count.
        """
        people = [place.user for place in self.places]
        is_found = self.is_public or self.was_public or self.is_quick
        return not is_found and all(user and not user.is_bot for user in people)

    @property
    def is_live(self) -> bool:
        """Whether the game has a running clock, so that both players must be present."""
        return self.clock_kind in RUNNING

    @property
    def is_host_waiting(self) -> bool:
        """Whether a public lobby with a running clock waits for one more, its host ready."""
        place = self.place_of(self.host_id)
        is_open = self.status == self.Status.OPEN and self.is_public and self.is_live
        return bool(is_open and self.free and place and place.is_ready)

    def is_reserved_from(self, user_id: int | None) -> bool:
        """Returns whether this is a challenge to somebody else, in which a user may not sit."""
        return self.invited_id is not None and user_id not in {self.host_id, self.invited_id}

    def barred_until(self, user_id: int | None) -> int:
        """Returns the time (epoch ms) until which a user may not sit here; 0 if not barred."""
        return int(self.barred.get(str(user_id), 0))

    @property
    def places(self) -> tuple[Place, Place]:
        """Both seats, the host's first."""
        return (
            Place(1, self.one, _is_ready(self.one, self.one_ready), self.side),  # type: ignore[arg-type]
            Place(2, self.two, _is_ready(self.two, self.two_ready), OTHER[self.side]),  # type: ignore[arg-type]
        )

    def place_of(self, user_id: int | None) -> Place | None:
        """Returns the seat that a user holds, or None."""
        if user_id is None:
            return None
        return next((p for p in self.places if p.user and p.user.pk == user_id), None)

    def shows_game_to(self, user_id: int | None) -> bool:
        """Returns whether a game runs here that a user may see."""
        is_running = self.status == self.Status.PLAYING and self.game is not None
        return is_running and bool(self.watch or self.place_of(user_id))

    @property
    def free(self) -> Place | None:
        """The first free seat, or None."""
        return next((place for place in self.places if place.user is None), None)
