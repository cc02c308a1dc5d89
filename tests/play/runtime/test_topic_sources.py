"""Interface of topic sources, and the topics that a change of a game concerns."""

from collections import Counter

import pytest

from play.domain.clocks import now
from play.domain.commands import Act, Envelope
from play.domain.wire_types import encode_frame
from play.runtime import game_service as desk_module
from play.runtime import hub as hub_module
from play.runtime.topics import KINDS, TopicKind, TopicSource, concerned_topics
from tests.support.loop_runtime import game_service, hub
from tests.support.waiting import turn_loop_clock

pytestmark = pytest.mark.django_db


class Weather(TopicSource[int]):
    """A source with nothing but what every source has to have."""

    async def load(self, ident):
        return 7

    def rev(self, value):
        return value

    def render(self, value, audience):
        return encode_frame({"t": "weather", "rev": value})

    def revs(self, idents):
        return dict.fromkeys(idents, 7)


class Looker:
    """A socket that keeps what it is told."""

    audience = "spectator"
    viewer = reader = None
    is_visible = False

    def __init__(self):
        self.shown, self.told = [], []

    def show(self, frame):
        self.shown.append(frame)

    def post(self, frame):
        self.told.append(frame)


async def test_all_sources_that_the_site_registers_are_topic_sources(at_work):
    searches = {"search", "searches"}
    play = {"game", "replies"}
    personal = {"mine", "notices"}
    chat = {"chat", "chat-member"}
    assert KINDS.keys() == {
        *play,
        *personal,
        *chat,
        "lobby",
        "lists",
        "study",
        "rating",
        *searches,
    }
    sources = {kind: hub().source(kind) for kind in KINDS}
    assert all(isinstance(source, TopicSource) for source in sources.values())
    people = {kind for kind, source in sources.items() if source.shows_people}
    assert people == {"game", "lobby"}
    assert {kind for kind, source in sources.items() if source.pause_s} == {
        "mine",
        "notices",
        "searches",
        "study",
    }


async def test_a_source_needs_no_more_than_four_methods(table, monkeypatch):
    monkeypatch.setitem(KINDS, "weather", TopicKind("weather", lambda runtime: Weather()))
    looker, topic = Looker(), ("weather", "here")
    assert await hub().join(topic, looker) == 7
    hub().offer(topic, 8)
    assert looker.shown == ['{"topic":"weather:here","t":"weather","rev":8}']
    hub().tell(topic)
    await hub()._rename(1)
    await hub()._poll()
    assert hub().presence.audiences(topic) == Counter(spectator=1)
    hub().leave(topic, looker)
    assert (hub().rev(topic), looker.told) == (None, [])


async def test_a_source_without_a_method_that_it_needs_cannot_be_made():
    class Silent(Weather):
        render = TopicSource.render

    with pytest.raises(TypeError, match="render"):
        Silent()


async def test_the_topics_that_a_change_concerns_are_computed_once(table, people, monkeypatch):
    game, asked, told = await table("pincer"), [], []

    def counted(live):
        asked.append(live.rev)
        return concerned_topics(live)

    monkeypatch.setattr(desk_module, "concerned_topics", counted)
    game_service().watchers.append(lambda live, others: told.extend(others))
    actions = ("move 1 5 2 5", "move 1 7 1 6")
    await game_service().perform(Envelope(game.slug, people[0].pk, now(), Act("a", 0, actions)))
    users = [str(user.pk) for user in people[:2]]
    assert asked == [1]
    assert told == [("lists", ""), ("lists", "pincer"), *(("mine", user) for user in users)]


class DrawnWeather(Weather):
    """The same, which counts how often it is drawn."""

    def __init__(self):
        self.drawn = []

    def render(self, value, audience):
        self.drawn.append(audience)
        return encode_frame({"t": "weather", "rev": value, "for": audience})


async def test_pages_that_come_at_the_same_time_share_a_frame_of_their_audience(
    at_work, monkeypatch
):
    source, here = DrawnWeather(), hub()
    monkeypatch.setitem(here._sources, "weather", source)
    topic, socket = ("weather", "x"), Looker()
    await here.join(topic, socket)
    spectators = {here.frame(topic, "spectator") for _ in range(5)}
    white = here.frame(topic, "white")
    assert source.drawn == ["spectator", "white"]
    assert white not in spectators
    here.offer(topic, 8)
    assert '"rev":8' in here.frame(topic, "spectator")
    assert source.drawn[2:] == ["spectator", "spectator"]  # for the socket, for the newcomer
    here.leave(topic, socket)


async def test_an_older_value_is_neither_shown_nor_read(at_work, monkeypatch):
    here, topic, looker = hub(), ("weather", "x"), Looker()
    monkeypatch.setitem(here._sources, "weather", Weather())
    await here.join(topic, looker)
    here.offer(topic, 9)
    here.offer(topic, 8)
    assert (here.rev(topic), looker.shown) == (9, ['{"topic":"weather:x","t":"weather","rev":9}'])
    here.hint(topic, 8)  # as a message of another process
    assert not here._reloads
    here.leave(topic, looker)


async def test_a_shared_frame_is_drawn_anew_after_a_moment(at_work, monkeypatch):
    source, here = DrawnWeather(), hub()
    monkeypatch.setitem(here._sources, "weather", source)
    topic, socket = ("weather", "x"), Looker()
    await here.join(topic, socket)
    here.frame(topic, "spectator")
    await turn_loop_clock(hub_module.MAX_FRAME_AGE_S)
    here.frame(topic, "spectator")
    assert source.drawn == ["spectator"] * 2
    here.leave(topic, socket)
