"""Notices of games that have begun: somebody joined, and a followed account plays."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Q

from accounts.models import Follow
from accounts.people.blocks import blocked_pairs
from games.core import OTHER
from lobby.models import Lobby
from notices.derive.game_notices import waiting_roles
from notices.derive.game_view import GameView, SeatView
from notices.models import Kind, Notice
from notices.records import Batch, Draft, may_be_told
from play.domain.clocks import HOUR_MS
from play.models import FRESH_MS

PLAYS_PAUSE_MS = HOUR_MS  # between two notices of one followed account
MAX_FOLLOWERS = 2_000  # told of one game


def draft_joins(games: Collection[GameView]) -> Batch:
    """Return the notices of hosts whose game began while they were away.

    A host who is to move gets the notice of the turn instead.
    """
    begun = {game.lobby: game for game in games if game.lobby and game.ended is None}
    batch = Batch()
    if not begun:
        return batch
    lobbies = Lobby.objects.filter(code__in=begun)
    for code, host, host_seen, offer in lobbies.values_list("code", "host", "host_seen", "offer"):
        game = begun[code]
        role = next((role for role, seat in game.seats.items() if seat.user == host), None)
        if role is None or role in waiting_roles(game) or not game.seats[role].is_told:
            continue
        joiner = game.seats[OTHER[role]]
        is_away = offer is not None or host_seen < game.created - FRESH_MS
        if joiner.is_bot or not is_away:
            continue
        data = {"rules": game.key, "name": joiner.name, "game": game.slug}
        at = game.created
        is_read = game.seats[role].visible > at - FRESH_MS
        batch.drafts.append(
            Draft(host, Kind.JOINED, code, joiner.user, data, at, at, is_read=is_read)
        )
    return batch


def draft_plays(games: Collection[GameView], at: int) -> Batch:
    """Return the notices of followers of the players of public games that have begun.

    One of an hour for each follower and followed account; the serial is the followed user.
    """
    batch = Batch()
    for game in games:
        if game.is_watchable and game.ended is None and not _has_computer(game):
            batch.drafts += _drafts_for_followers(game, at)
    return batch


def _has_computer(game: GameView) -> bool:
    return any(seat.is_bot for seat in game.seats.values())


def _drafts_for_followers(game: GameView, at: int) -> list[Draft]:
    players = {seat.user: seat for seat in game.seats.values()}
    followed = [user for user, seat in players.items() if seat.is_account]
    rows = Follow.objects.filter(followed__in=followed).exclude(follower__in=players)
    pairs = rows.order_by("pk").values_list("follower", "followed")[:MAX_FOLLOWERS]
    by_follower: dict[int, list[int]] = defaultdict(list)
    for follower, user in pairs:
        by_follower[follower].append(user)
    if not by_follower:
        return []
    known = Notice.objects.filter(user__in=by_follower, kind=Kind.PLAYS)
    told_lately = known.filter(Q(created__gt=at - PLAYS_PAUSE_MS) | Q(subject=game.slug))
    recent = set(told_lately.values_list("user", "serial"))
    told = may_be_told(by_follower) - _blocked(by_follower, players)
    drafts = []
    for follower, users in by_follower.items():
        user = users[0]  # one notice if a follower follows both players
        if follower in told and (follower, user) not in recent:
            drafts.append(_plays_draft(game, follower, players[user], players))
    return drafts


def _blocked(followers: Collection[int], players: Collection[int]) -> set[int]:
    """Return the followers who block a player or are blocked by one."""
    pairs = blocked_pairs({*followers, *players})
    return {user for pair in pairs if pair & set(players) for user in pair} - set(players)


def _plays_draft(
    game: GameView, follower: int, player: SeatView, players: Mapping[int, SeatView]
) -> Draft:
    (other,) = (seat for user, seat in players.items() if user != player.user)
    data = {"rules": game.key, "name": player.name, "opponent": other.name}
    at = game.created
    return Draft(follower, Kind.PLAYS, game.slug, player.user, data, at, at)
