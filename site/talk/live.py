"""What the hub shows of talk: topics `("talk", "kind/ident/circle")` and `("talker", "user")`."""

from collections.abc import Sequence

import msgspec

from play.clocks import now
from play.frames import Frame, encoded
from talk import places, sight, viewers
from talk.models import Circle, Kind, Room
from talk.sight import Talk
from talk.viewers import Viewer

_viewer = msgspec.json.Decoder(Viewer)


class TalkSource:
    """Frames of what one circle may read; an audience is a `Viewer` as JSON."""

    def load(self, ident: str) -> Talk | None:
        """The talk as the database has it now."""
        kind, name, circle = ident.split("/")
        return sight.read(kind, name, circle)  # type: ignore[arg-type]

    def rev(self, talk: Talk) -> str:
        """Differs after every change that this circle may know of."""
        return talk.rev

    def render(self, talk: Talk, audience: str) -> Frame:
        """The frame for one viewer."""
        return encoded(sight.frame(talk, _viewer.decode(audience), now()))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """The revs that the database has, for many talks at once."""
        split: list[tuple[Kind, str, Circle]] = [tuple(i.split("/")) for i in idents]  # type: ignore[misc]
        names = {name for _, name, _ in split}
        kinds = {kind for kind, _, _ in split}
        here = {(kind, p.ident): p for kind in kinds for p in places.glimpses(kind, names).values()}
        rooms = Room.objects.filter(ident__in=names)
        counts = {(room.kind, room.ident, room.circle): room.rev for room in rooms}
        found = {}
        for kind, name, circle in split:
            if place := here.get((kind, name)):
                seen = place.circles_for(circle)
                revs = (counts.get((kind, name, each), 0) for each in seen)
                found[f"{kind}/{name}/{circle}"] = sight.spelled(place.stage, revs)
        return found


class TalkerSource:
    """Frames that are themselves the audience of a user's talk sockets."""

    def load(self, ident: str) -> Viewer | None:
        """The viewer as the database has them now."""
        return viewers.find(int(ident))

    def rev(self, viewer: Viewer) -> int:
        """Grows with every change of what only they may see."""
        return viewer.rev

    def render(self, viewer: Viewer, audience: str) -> Frame:
        """The viewer as plain JSON."""
        return encoded(viewer)

    def revs(self, idents: Sequence[str]) -> dict[str, int]:
        """The revs that the database has, for many viewers at once."""
        return {str(user): rev for user, rev in viewers.revs([*map(int, idents)]).items()}
