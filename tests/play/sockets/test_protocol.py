"""Messages on the sockets match their types."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import pytest

from accounts.refusals import Refused
from chat import chat_view as talk_sight
from chat import permissions
from games.catalogue import RULES
from games.effects import Count as Counted
from games.effects import Place, Remove, Slide
from games.prompts import PathPrompt, SplitPrompt
from lobby.lobbies.lobby_topics import load_lobby
from notices.inbox.inbox_topic import load_unread
from play import protocol
from play.domain import clocks, commands, visibility
from play.domain.clocks import Clock
from play.domain.game_refusals import Reason
from play.domain.snapshot import GameShared, GameSnapshot, PastStep
from play.domain.wire_types import encode_frame, put_on_topic, topic_head
from play.runtime import game_commands
from play.runtime.topics import TopicSource
from play.sockets import messages
from play.sockets.topic_handlers import refusal
from play.storage.load import fetch, fetch_with_steps
from tests.support.chat_people import account, game_of, lobby_of
from tests.support.loop_runtime import game_service, hub, seats
from watch import public_lists
from watch.listed_games import game_item
from watch.own_games import load_mine

pytestmark = pytest.mark.django_db
VALUES = {"slide": Slide, "place": Place, "remove": Remove, "count": Counted}
PROMPTS = {"path": PathPrompt, "split": SplitPrompt}
AUDIENCES = Counter(black=1, spectator=3)
CLOCKS = [Clock("none"), Clock("fischer", 300_000, 2_000)]


def assert_is_typed(text: str, topic: str) -> Any:
    """A frame of the site is one of a topic's messages, with no field that its type lacks."""
    kinds = protocol.topic_messages()[topic].from_site
    message = msgspec.json.decode(text, type=reduce(or_, kinds))
    assert msgspec.to_builtins(message, builtin_types=()) == json.loads(text)
    return message


def fields_of(kind: Any) -> list[str]:
    """The fields of a message without its topic, which is put in front when it is sent."""
    return [name for name in kind.__struct_fields__ if name != "topic"]


def assert_is_of_the_rules(values: Any) -> None:
    """Every effect and prompt is a dataclass of the rules, field by field."""
    for value in values:
        kind = {**VALUES, **PROMPTS}[value["kind"]]
        assert list(value) == list(kind.__dataclass_fields__)


async def played(table: Any, people: Any, key: str, clock: Clock) -> Any:
    """A game after some steps, in which a draw is offered; each state on the way is yielded."""
    dice, game = random.Random(key), await table(key, clock)
    users = dict(zip(("white", "black"), people, strict=False))
    live = await game_service().find(game.slug)
    yield live
    for number in range(4):
        for role in sorted(live.waiting):
            action = str(dice.choice(list(live.rules.choices(live.state, role))))
            command = commands.Act(f"{number}-{role}", live.step, (action,))
            await game_commands.perform(
                game_service(), game.slug, users[role].pk, command, clocks.now()
            )
            live = await game_service().find(game.slug)
            yield live
    await game_commands.perform(
        game_service(), game.slug, people[0].pk, commands.Draw("d", "offer"), clocks.now()
    )
    yield await game_service().find(game.slug)
    await game_commands.perform(
        game_service(), game.slug, people[1].pk, commands.Resign("r"), clocks.now()
    )
    yield await game_service().find(game.slug)


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@pytest.mark.parametrize("key", RULES)
async def test_messages_of_a_game_have_the_fields_of_their_types(table, people, key, clock):
    heard = set()
    async for live in played(table, people, key, clock):
        for audience in ("white", "black", "spectator"):
            text = visibility.frame(live, audience, clocks.now())
            heard.add(assert_is_typed(text, "game:SLUG").__struct_config__.tag)
            sent = json.loads(text)
            assert tuple(sent) == ("t", *fields_of(GameSnapshot))
            snapshot = visibility.snapshot(live, audience, sent["now"])
            assert json.loads(json.dumps(snapshot)) == sent
            plan = encode_frame(visibility.premove_message(live, audience))
            heard.add(assert_is_typed(plan, "game:SLUG").__struct_config__.tag)
            prompts = [sent["prompt"], json.loads(plan)["plan"]]
            effects = [effect for step in sent["last"] for effect in step["effects"]]
            assert_is_of_the_rules([*effects, *filter(None, prompts)])
        people_here = encode_frame(seats().people(live, AUDIENCES, ["cy"], {"cy": "1500?"}))
        heard.add(assert_is_typed(people_here, "game:SLUG").__struct_config__.tag)
    assert heard == {"game", "plan", "people"}
    _, done = await game_service().run_in_db_thread(fetch_with_steps, live.slug)
    past = msgspec.json.encode(visibility.steps_json(done, live, 0))
    again = msgspec.json.decode(past, type=list[PastStep])
    assert msgspec.to_builtins(again) == json.loads(past) != []


def test_the_shared_part_of_a_snapshot_is_encoded_once_for_all_audiences(monkeypatch, opened):
    drawn, draw = [], visibility.common_part

    def counted(live: Any) -> GameShared:
        drawn.append(live)
        return draw(live)

    monkeypatch.setattr(visibility, "common_part", counted)
    live = fetch(opened("pincer").slug)
    for audience in ("white", "black", "spectator", "spectator"):
        text = visibility.frame(live, audience, 7)
        assert msgspec.json.decode(text, type=GameShared) == draw(live)
    assert drawn == [live]


def other_frames(source: Callable[[str], TopicSource[Any]]) -> Iterator[tuple[str, str]]:
    """Frames of lobbies, lists, own games and talk, each with its kind of topic."""
    ada, bob = account("ada"), account("bob")
    lobby, game = lobby_of(ada), game_of(ada, bob)
    for user in (ada.pk, bob.pk, ""):
        for language in ("en", "tr"):
            seen = source("lobby").render(load_lobby(lobby.code), f"{user}|{language}")
            yield "lobby:CODE", seen
    known = source("lobby").crowd(load_lobby(lobby.code), {f"{ada.pk}|en": 1, "|en": 2}, [])
    yield "lobby:CODE", encode_frame(known)
    rows = public_lists.read_rows("")
    items = tuple(game_item(game, rows.ratings) for game in rows.games)
    boards = {item["key"]: item for item in items}
    shown = public_lists.Lists(3, rows.lobbies, items, boards, rows.counts)
    yield "lists[:RULES]", source("lists").render(shown, "en")
    yield "mine", source("mine").render(load_mine(str(ada.pk)), "tr")
    yield "notices", source("notices").render(load_unread(str(ada.pk)), "tr")
    viewer = encode_frame(msgspec.structs.asdict(permissions.load_viewer(ada.pk)))
    talk = talk_sight.load_chat("game", game.slug, "players")
    yield "chat:game|lobby/IDENT", source("chat").render(talk, viewer)


async def test_messages_of_other_sockets_have_the_fields_of_their_types(db, at_work):
    source = hub().source
    frames = await game_service().run_in_db_thread(lambda: list(other_frames(source)))
    for topic, text in frames:
        assert_is_typed(text, topic)
        on_topic = put_on_topic(encode_frame(json.loads(text)), topic_head("game:x"))
        assert json.loads(on_topic) == {"topic": "game:x", **json.loads(text)}
        assert_is_typed(on_topic, topic)
    assert {json.loads(text)["t"] for _, text in frames} == {
        "lobby", "people", "lists", "mine", "notices", "chat"
    }  # fmt: skip


def test_answers_that_every_socket_may_give_are_typed():
    refused = Refused(Reason.ILLEGAL, code="occupied", squares=("e5",), index=1)
    told = [
        messages.Pong(now=5, revs={"game:x": 3, "mine": "a"}),
        messages.Ended(reason=Reason.GONE, say="Gone."),
        refusal(refused, "a"),
        messages.Bye(reason="restart", retry=9),
    ]
    for message in told:
        for head in ("", topic_head("game:x")):
            assert_is_typed(encode_frame(message, head), "")
    assert encode_frame(told[0]) == '{"t":"pong","now":5,"revs":{"game:x":3,"mine":"a"}}'
    assert encode_frame(told[3]) == '{"t":"bye","reason":"restart","retry":9}'
    gone = '{"topic":"game:x","t":"ended","reason":"gone","say":"Gone."}'
    assert encode_frame(told[1], topic_head("game:x")) == gone


def test_a_message_with_a_field_too_many_or_too_few_is_not_made():
    with pytest.raises(TypeError):
        messages.Bye.of({"t": "bye", "retry": 5})
    with pytest.raises(TypeError):
        messages.Bye.of({"t": "bye", "reason": "restart", "retry": 5, "salt": "x"})
