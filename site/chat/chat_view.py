"""Visibility of chat lines: frames for viewers as an allow-list, and context of reports.

The hub's topics of chat are `("chat", "kind/ident/circle")` and `("chat-member", "user")`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.urls import reverse

from chat import permissions
from chat.chat_messages import ChatState
from chat.models import Circle, Kind, Line, Room
from chat.permissions import Venue, Viewer, permission_of
from play.domain.clocks import now
from play.domain.wire_types import Frame, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource, topic_name
from play.storage.batched_reads import BatchedReads

MAX_SHOWN_LINES = 60  # in a frame
MAX_READ_LINES = 240  # for a frame, so that lines remain after muting a frequent writer
CONTEXT_LINES = 10  # before the reported line, and after it
RoomKey = tuple[Kind, str, Circle]  # the place of a room, and its circle
_viewer = msgspec.json.Decoder(Viewer)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line as cached by a process."""

    id: int
    user: int | None
    name: str | None
    role: str
    circle: Circle
    text: str
    phrase: str
    at: int


@dataclass(frozen=True, slots=True)
class ChatView:
    """The chat that one circle of a place may read, at one rev."""

    place: Venue
    circle: Circle
    rev: str
    lines: tuple[ChatLine, ...]  # oldest first


def wire_id(circle: Circle, number: int) -> int:
    """Returns a line's public id, unique in its place.

    It does not reveal how many lines other circles have.
    """
    return 2 * number + (circle == "watchers")


def from_wire(kind: Kind, id: int) -> tuple[Circle, int]:
    """Returns the circle and number of a line from its public id."""
    if kind == "lobby":
        return "lobby", id // 2
    return ("watchers" if id % 2 else "players"), id // 2


def load_chat(kind: Kind, ident: str, circle: Circle) -> ChatView | None:
    """Returns the chat of a circle from the database; None if the place has no such circle."""
    ident = f"{kind}/{ident}/{circle}"
    return load_chats([ident]).get(ident)


def load_chats(idents: Collection[str]) -> dict[str, ChatView]:
    """Returns chats by `kind/ident/circle`, without those of circles that a place does not have.

    Visible circles are determined first, and only their lines are queried.
    """
    split = {each: _split(each) for each in idents}
    places = {
        (kind, place.ident): place
        for kind in {kind for kind, _, _ in split.values()}
        for place in permissions.find_peopled_venues(
            kind, {ident for each, ident, _ in split.values() if each == kind}
        ).values()
    }
    seen: dict[str, tuple[Venue, Circle, list[RoomKey]]] = {}
    for each, (kind, ident, circle) in split.items():
        place = places.get((kind, ident))
        if place is not None and (circle != "watchers" or place.is_watched):
            keys = [(kind, ident, other) for other in place.circles_for(circle)]
            seen[each] = place, circle, keys
    rooms = _rooms({key for _, _, keys in seen.values() for key in keys})
    lines = _newest_lines([room.pk for room in rooms.values()])
    found = {}
    for each, (place, circle, keys) in seen.items():
        revs = (rooms[key].rev if key in rooms else 0 for key in keys)
        read = [line for key in keys if key in rooms for line in lines[rooms[key].pk]]
        newest = sorted(read, key=lambda row: row.pk)[-MAX_READ_LINES:]
        rev = rev_text(place.stage_word, revs)
        found[each] = ChatView(place, circle, rev, tuple(_line_of(row) for row in newest))
    return found


def _split(ident: str) -> RoomKey:
    """Returns the kind, the place and the circle in the ident of a topic."""
    return tuple(ident.split("/"))  # type: ignore[return-value]


def _rooms(keys: Collection[RoomKey]) -> dict[RoomKey, Room]:
    """Returns the rooms with at least one line, by kind, place and circle."""
    kinds, idents = {kind for kind, _, _ in keys}, {ident for _, ident, _ in keys}
    rows = Room.objects.filter(kind__in=kinds, ident__in=idents)
    return {
        key: room
        for room in rows
        if (key := _split(f"{room.kind}/{room.ident}/{room.circle}")) in keys
    }


def _newest_lines(rooms: Collection[int]) -> Mapping[int, list[Line]]:
    """Returns the newest lines of each room, `MAX_READ_LINES` at most."""
    found: dict[int, list[Line]] = defaultdict(list)
    if rooms:
        place = Window(RowNumber(), partition_by=F("room"), order_by=F("pk").desc())
        rows = Line.objects.filter(room__in=rooms, is_hidden=False).annotate(place=place)
        for row in rows.filter(place__lte=MAX_READ_LINES).select_related("room", "author"):
            found[row.room_id].append(row)
    return found


def rev_text(stage: str, revs: Iterable[int]) -> str:
    """Returns the rev of a chat: its stage and the revs of its visible rooms."""
    return ".".join([stage, *map(str, revs)])


def frame(chat: ChatView, viewer: Viewer, at: int) -> dict[str, object]:
    """Returns the frame for one viewer at `at` (epoch ms)."""
    place = chat.place
    may = permission_of(place, viewer, at)
    unseen = {*viewer.muted, *viewer.blocked}
    lines = [line for line in chat.lines if line.user not in unseen]
    here = [each for each in viewer.reports if (each.kind, each.ident) == (place.kind, place.ident)]
    return {
        "t": "chat",
        "rev": chat.rev,
        "circle": chat.circle,
        "heard": readers_word(place, chat.circle),
        "lines": [line_json(line, viewer) for line in lines[-MAX_SHOWN_LINES:]],
        "may": {"write": may.write, "why": may.why or "", "until": may.until},
        "muted": sorted(viewer.muted.values()),
        "reports": [{"line": each.line, "state": each.state} for each in here],
    }


def readers_word(place: Venue, circle: Circle) -> str:
    """Returns the key of the sentence about the readers of the viewer's lines."""
    if place.kind == "lobby":
        return "lobby"
    if not place.is_watched:
        return "players"
    return "everybody" if place.stage == "over" else f"{circle}_now"


def line_json(line: ChatLine, viewer: Viewer) -> dict[str, object]:
    """Returns a line as one viewer sees it."""
    return {
        "id": line.id,
        "by": line.name,
        "you": line.user is not None and line.user == viewer.user,
        "role": line.role,
        "circle": line.circle,
        "text": line.text or None,
        "phrase": line.phrase or None,
        "at": line.at,
    }


def _line_of(row: Line) -> ChatLine:
    circle: Circle = row.room.circle  # type: ignore[assignment]
    name = row.author.get_username() if row.author else None
    number = wire_id(circle, row.number)
    return ChatLine(number, row.author_id, name, row.role, circle, row.text, row.phrase, row.at)


def report_snapshot(line: Line) -> dict[str, object]:
    """Returns the context as plain JSON: the place and lines of that circle, oldest first.

    `line` is the id of the reported one among `lines`.
    """
    room, number = line.room, line.number
    numbers = (number - CONTEXT_LINES, number + CONTEXT_LINES)
    around = room.lines.filter(number__range=numbers).select_related("author").order_by("number")
    return {
        "kind": room.kind,
        "ident": room.ident,
        "circle": room.circle,
        "url": reverse(room.kind, args=[room.ident]),
        "line": wire_id(room.circle, number),  # type: ignore[arg-type]
        "lines": [_as_json(each, wire_id(room.circle, each.number)) for each in around],  # type: ignore[arg-type]
    }


def _as_json(line: Line, id: int) -> dict[str, object]:
    return {
        "id": id,
        "user": line.author_id,
        "by": line.author.get_username() if line.author else None,
        "role": line.role,
        "text": line.text,
        "phrase": line.phrase,
        "at": line.at,
        "hidden": line.is_hidden,
    }


def _find_venues(idents: Collection[str]) -> dict[str, Venue]:
    """Returns places by `kind/ident`, with the people in them."""
    names: dict[str, list[str]] = defaultdict(list)
    for each in idents:
        kind, _, ident = each.partition("/")
        names[kind].append(ident)
    return {
        f"{kind}/{ident}": place
        for kind, wanted in names.items()
        for ident, place in permissions.find_peopled_venues(kind, wanted).items()
    }


class ChatSource(TopicSource[ChatView]):
    """Frames of one circle's chat; an audience is a `Viewer` as JSON."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._chats: BatchedReads[str, ChatView] = BatchedReads(self._load_many)
        self._venues: BatchedReads[str, Venue] = BatchedReads(self._find_venues)

    async def load(self, ident: str) -> ChatView | None:
        """Returns the chat from the database."""
        return await self._chats.get(ident)

    async def venue(self, ident: str) -> Venue | None:
        """Returns the place `kind/ident` from the database; None if there is none."""
        return await self._venues.get(ident)

    async def _load_many(self, idents: Sequence[str]) -> dict[str, ChatView]:
        return await self._games.run_in_db_thread(load_chats, idents)

    async def _find_venues(self, idents: Sequence[str]) -> dict[str, Venue]:
        return await self._games.run_in_db_thread(_find_venues, idents)

    def page_name(self, topic: Topic) -> str:
        """Returns the name of the topic in messages, which leaves out the circle."""
        return topic_name(topic[0], topic[1].rpartition("/")[0])

    def rev(self, chat: ChatView) -> str:
        """Returns the rev, which differs after every change visible to this circle."""
        return chat.rev

    def render(self, chat: ChatView, audience: str) -> Frame:
        """Returns the frame for one viewer."""
        return encode_frame(ChatState.of(frame(chat, _viewer.decode(audience), now())))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Returns the revs in the database for many chats at once."""
        split = [_split(ident) for ident in idents]
        names = {name for _, name, _ in split}
        kinds = {kind for kind, _, _ in split}
        here = {
            (kind, p.ident): p
            for kind in kinds
            for p in permissions.find_venues(kind, names).values()
        }
        rooms = Room.objects.filter(ident__in=names)
        counts = {(room.kind, room.ident, room.circle): room.rev for room in rooms}
        found = {}
        for kind, name, circle in split:
            if place := here.get((kind, name)):
                seen = place.circles_for(circle)
                revs = (counts.get((kind, name, each), 0) for each in seen)
                found[f"{kind}/{name}/{circle}"] = rev_text(place.stage_word, revs)
        return found


class ChatMemberSource(TopicSource[Viewer]):
    """Frames that become the audience of a user's chat sockets."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._viewers: BatchedReads[int, Viewer] = BatchedReads(self._load_many)

    async def load(self, ident: str) -> Viewer | None:
        """Returns the viewer from the database; None for a deleted or suspended user."""
        return await self._viewers.get(int(ident))

    async def _load_many(self, users: Sequence[int]) -> dict[int, Viewer]:
        return await self._games.run_in_db_thread(permissions.load_viewers, users)

    def page_name(self, topic: Topic) -> str:
        """Returns nothing: no page follows this topic, whose frames become an audience."""
        return ""

    def rev(self, viewer: Viewer) -> int:
        """Returns the rev, which grows with every change of the viewer's private state."""
        return viewer.rev

    def render(self, viewer: Viewer, audience: str) -> Frame:
        """Returns the viewer as plain JSON."""
        return encode_frame(viewer)

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """Returns the revs in the database for many viewers at once."""
        return {str(user): rev for user, rev in permissions.revs([*map(int, idents)]).items()}
