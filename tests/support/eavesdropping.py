"""A repeatable game of Blotto recorded at every output that anybody can receive.

Clocks stand still but for `Watch.tick`, and what is drawn at random is drawn from a seed: two games
by one script are alike to the byte but for what the script makes different.
"""

import asyncio
import json
import random
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.catalogue import BLOTTO
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from notices.push import keys, vapid
from play.domain import clocks, commands
from play.models import Entry, Sealed, Step
from play.routing import websocket_urlpatterns
from play.runtime.hub import MAX_FRAME_AGE_S, PEOPLE_DELAY_S
from play.sockets import send_queue
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import (
    close_runtime,
    finish_database_calls,
    game_service,
    has_frame,
    hub,
    runtime,
)
from tests.support.topic_frames import on_topic
from tests.support.waiting import run_ready, turn_loop_clock, wait_until
from watch import public_lists

NAMES = {"white": "ada-sits", "black": "bob-sits", "watcher": "cy-looks"}
OTHER = {"white": "black", "black": "white"}
TIMEOUT_S = 30  # seconds for an answer on a busy machine
VAPID = keys.make_private()  # the same in both games
NEWEST = ("lists", "lobby")  # kinds of states of which only the last is compared
SECRETS = {"troops 10 0 0", "troops 4 3 3", "troops 0 7 3", "troops 3 0 7", "troops 2 6 2"}
RESERVED = {"troops 9 1 0"}  # tried in vain
Logs = Callable[[], Iterable[tuple[str, str]]]  # texts, each with the log that it is of
Heard = dict[tuple[str, str], list[str]]  # by whose ears and what: each thing once in a row


@dataclass(frozen=True)
class Script:
    """Script of a game: `seed` decides all but the secret, sealed by `sealer` in round two."""

    seed: int
    sealer: str
    secret: str  # canonical, "troops 5 3 2"
    ending: str = "reveal"  # or "resign": the other role gives up, and the seal is never shown

    def __str__(self) -> str:
        return f"{self.seed}-{self.sealer}-{self.ending}"

    def with_secret(self, secret: str) -> "Script":
        """The same game with another secret."""
        return replace(self, secret=secret)


@dataclass
class Overheard:
    """The messages to everybody before and after the moment of the reveal."""

    slug: str = ""
    before: Heard = field(default_factory=dict)
    after: Heard = field(default_factory=dict)
    ledger: list[dict[str, Any]] = field(default_factory=list)  # bodies before the reveal
    salt: str = ""  # of the secret
    digests: dict[str, str] = field(default_factory=dict)  # that the ledger holds, and its name

    def masked(self, heard: Heard) -> Heard:
        """The messages, with each commitment and hash of the ledger replaced by its name."""
        return {key: [self._named(text) for text in texts] for key, texts in heard.items()}

    def _named(self, text: str) -> str:
        return re.sub(r"[0-9a-f]{64}", lambda found: self.digests.get(found[0], found[0]), text)


def of_others(heard: Heard, sealer: str) -> Heard:
    """The messages to everybody but the role that has sealed."""
    return {key: texts for key, texts in heard.items() if not key[0].startswith(sealer)}


class Watch:
    """Stands in for the module `time` where clocks are read, and makes chance repeatable."""

    def __init__(self, monkeypatch: Any) -> None:
        self._patch = monkeypatch
        self._elapsed = 0

    def monotonic_ns(self) -> int:
        """Nanoseconds since the game began."""
        return self._elapsed

    def tick(self, ms: int) -> None:
        """Lets time pass."""
        self._elapsed += ms * 1_000_000

    def begin(self, seed: int) -> None:
        """Sets all clocks and all dice to where they stood in every other game of this seed."""
        dice = random.Random(seed)
        self._elapsed = 0
        self._patch.setattr(clocks, "time", self)
        self._patch.setattr(clocks, "CLOCK", clocks.MonotonicClock(1_800_000_000_000))
        self._patch.setattr(time, "time", lambda: 1_800_000_000.0)  # dates of headers
        self._patch.setattr(secrets, "choice", dice.choice)
        self._patch.setattr(secrets, "randbelow", dice.randrange)
        self._patch.setattr(secrets, "token_hex", lambda size: dice.randbytes(size).hex())
        self._patch.setattr(commands, "SALTS", commands.salts())  # none that was drawn before
        self._patch.setattr(settings, "VAPID", VAPID)  # pages show the public part
        vapid.forget_public_key()
        self._patch.setattr(public_lists, "READ_INTERVAL_S", 0)
        self._patch.setattr(
            send_queue, "MAX_BEHIND_S", inf
        )  # ears say on purpose that they lack the state


class Ear:
    """A socket that keeps every frame as it came; it follows one topic.

    Pongs name revs, which are the same in every game of a script.
    """

    def __init__(self, name: str, topic: str, user: Any) -> None:
        self.name = name
        self.heard: list[str] = []
        kind, _, ident = topic.partition(":")
        path = f"/ws/g/{ident}/" if kind == "game" else "/ws/"
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), path)
        self.socket.scope["runtime"] = runtime()
        self.socket.scope["user"] = user
        self._topic, self._kind = topic, kind

    async def open(self) -> None:
        """Connects, and subscribes as a page does that shows nothing yet."""
        connected, _ = await self.socket.connect(timeout=TIMEOUT_S)
        assert connected
        await self.say(t="subscribe", rev=-1)

    async def say(self, **frame: Any) -> None:
        """Sends a frame."""
        await self.socket.send_to(text_data=json.dumps(on_topic(frame, self._topic)))

    async def ask(self, **frame: Any) -> None:
        """Sends a frame and listens for its answer, which comes after the news to other pages."""
        await self.say(**frame)
        answer: dict[str, Any] = {}
        while answer.get("id") != frame["id"]:
            self.heard.append(await self.socket.receive_from(timeout=TIMEOUT_S))
            answer = json.loads(self.heard[-1])

    async def quiet(self) -> None:
        """Asks for the state, and listens until it is there and the database threads are done."""
        await self.say(t="ping", rev=-1)
        has_state = False
        while not has_state:
            self.heard.append(await self.socket.receive_from(timeout=TIMEOUT_S))
            has_state = json.loads(self.heard[-1])["t"] == self._kind
        await finish_database_calls()
        while has_frame(self.socket):
            self.heard.append(await self.socket.receive_from(timeout=TIMEOUT_S))
        if self._kind == "game":
            await self.plan()

    async def plan(self) -> None:
        """Asks for the premoves on the newest state."""
        states = [frame for frame in map(json.loads, self.heard) if frame["t"] == "game"]
        await self.say(t="plan", rev=states[-1]["rev"])
        while json.loads(self.heard[-1])["t"] != "plan":
            self.heard.append(await self.socket.receive_from(timeout=TIMEOUT_S))

    def take(self) -> list[tuple[str, str]]:
        """The messages since the last call, each with its kind.

        Only the newest states of the lists and of the lobby are kept, without the rev of the
        lists, in pongs too: the number of states in between depends on timing.
        """
        heard, self.heard = self.heard, []
        pairs = [
            (json.loads(text)["t"], re.sub(r'"revs":{"lists":\d+}', '"revs":{}', text))
            for text in heard
        ]
        if self._kind in NEWEST:  # the kind of answer to a ping depends on timing too
            pairs = [(kind, text) for kind, text in pairs if kind != "pong"]
        newest = {kind: text for kind, text in pairs if kind in NEWEST}
        if "lists" in newest:
            newest["lists"] = re.sub(r'"rev":\d+', "", newest["lists"])
        return [pair for pair in pairs if pair[0] not in NEWEST] + [*newest.items()]


class Eavesdropping:
    """One game of a script, with ears at every socket and eyes on every page."""

    options = Options("blotto", NO_CLOCK, "white", public=True)

    def __init__(self, script: Script, watch: Watch, logs: Logs) -> None:
        self.script, self.watch, self.logs = script, watch, logs
        self.random = random.Random(script.seed)
        self.heard: Heard = defaultdict(list)
        self.users: dict[str, Any] = {"nobody": AnonymousUser()}
        self.clients: dict[str, Client] = {"nobody": Client()}
        self.ears: dict[str, Ear] = {}

    async def play(self) -> Overheard:
        """Plays the script; returns the messages to the others and to the sealer."""
        self.watch.begin(self.script.seed)
        await game_service().run_in_db_thread(self._set_up)
        try:
            await self._open()
            await self._round_in_the_open()
            await self._seal()
            await self._probe()
            done = Overheard(self.slug, before=await self._so_far())
            done.ledger = await game_service().run_in_db_thread(ledger)
            await self._end()
            done.after = await self._so_far()
            done.salt = await game_service().run_in_db_thread(
                salt_of_the_secret, self.script.sealer
            )
            done.digests = await game_service().run_in_db_thread(digests)
            return done
        finally:
            for ear in self.ears.values():
                await ear.socket.disconnect()
            await close_runtime()

    def _set_up(self) -> None:
        call_command("flush", interactive=False, verbosity=0)
        for role, name in NAMES.items():
            self.users[role] = User.objects.create(username=name)
            self.clients[role] = Client()
            self.clients[role].force_login(self.users[role])
        self.code = lobby_service.create(self.users["white"], self.options).code
        game = lobby_service.sit(self.code, self.users["black"]).game
        assert game is not None
        self.slug = game.slug

    async def _open(self) -> None:
        game, lobby = f"game:{self.slug}", f"lobby:{self.code}"
        for name, topic in {
            "white one": game,
            "white two": game,
            "black one": game,
            "black two": game,
            "watcher": game,
            "nobody": game,
            "nobody in the lobby": lobby,
            "black in the lobby": lobby,
            "white in the lobby": lobby,
            "nobody at the lists": "lists",
        }.items():
            await self._join(name, topic)
        await self._tell_crowd()
        await self._settle()
        for ear in self.ears.values():
            ear.take()  # in which order they came is of no interest

    async def _tell_crowd(self) -> None:
        """Turns the loop's time until everybody has been told who is there."""
        while True:
            await run_ready()
            await runtime().seats.wait_until_stored()
            await asyncio.gather(*hub()._tasks)
            if not any(watched.people_timer for watched in hub()._topics.values()):
                return
            await turn_loop_clock(PEOPLE_DELAY_S)

    async def _join(self, name: str, topic: str) -> None:
        self.ears[name] = Ear(name, topic, self.users[name.split()[0]])
        await self.ears[name].open()
        await self.ears[name].quiet()  # it has the state, so the hub has it among the crowd

    async def _act(self, role: str, text: str, step: int, id: str) -> None:
        await self.ears[f"{role} one"].ask(t="act", id=id, step=step, actions=[text])
        await self._settle()

    async def _settle(self) -> None:
        """Waits until everybody has all messages; then passes the same time in every game."""
        # Each tick brings seats nearer to absence, which the lists count; the number of stores as
        # present meanwhile depends on real time.
        await runtime().seats.refresh()
        lists = runtime().hub.source("lists")

        async def are_shown() -> bool:
            stored = await lists.load("")
            if stored is None or hub().rev(("lists", "")) == stored.rev:
                return True
            hub().hint(("lists", ""))
            return False

        await wait_until(are_shown, "the newest lists are shown")
        await asyncio.gather(*(ear.quiet() for ear in self.ears.values()))
        await turn_loop_clock(MAX_FRAME_AGE_S)  # a frame drawn before tells another time
        self.watch.tick(self.random.randint(50, 5_000))

    async def _round_in_the_open(self) -> None:
        for role in self.random.sample(["white", "black"], 2):
            await self._act(role, self._split(), 0, f"{role}-0")

    def _split(self) -> str:
        """Random troops for an open round, other than the secrets and the reserved splits."""
        legal = map(str, BLOTTO.choices(BLOTTO.start(), "white"))
        return self.random.choice([text for text in legal if text not in SECRETS | RESERVED])

    async def _seal(self) -> None:
        await self._act(self.script.sealer, self.script.secret, 1, "secret")

    async def _probe(self) -> None:
        """Sends all requests by which somebody might learn more."""
        sealer, other = self.script.sealer, OTHER[self.script.sealer]
        mine, theirs = self.ears[f"{sealer} two"], self.ears[f"{other} one"]
        await mine.ask(t="act", id="secret", step=1, actions=[self.script.secret])
        await mine.ask(t="act", id="again", step=1, actions=["troops 9 1 0"])
        for ear in (theirs, self.ears["watcher"], self.ears["nobody"]):
            await ear.say(t="flag")
            await ear.say(t="subscribe", rev=0)
            await ear.say(t="look", at="secret")
            await ear.ask(t="claim", id="claim")
            await ear.ask(t="claim", id="gone", **{"as": "victory"})
            await ear.ask(t="draw", id="claim", do="accept")
            await ear.ask(t="takeback", id="back", do="offer")
            await ear.ask(t="abort", id="abort")
            await ear.ask(t="act", id="secret", step=0, actions=["troops 9 1 0"])
            await ear.ask(t="act", id="secret", step=1, actions=["troops 9 9 9"])
        await self._settle()
        for do in ("offer", "withdraw"):
            await theirs.ask(t="draw", id=do, do=do)
            await self._settle()
        await self._join("nobody else", f"game:{self.slug}")
        await self._tell_crowd()
        await self._settle()

    async def _end(self) -> None:
        other = OTHER[self.script.sealer]
        if self.script.ending == "resign":
            await self.ears[f"{other} one"].ask(t="resign", id="enough")
            await self._settle()
        else:
            await self._act(other, self._split(), 1, "answer")

    async def _so_far(self) -> Heard:
        """The messages since the last call, by page and in their order."""
        heard: Heard = defaultdict(list)
        for name, ear in self.ears.items():
            for kind, text in ear.take():
                keep_new(heard[name, kind], text)
        for name, client in self.clients.items():
            for path in self._addresses():
                heard[name, path].append(
                    await game_service().run_in_db_thread(page_of, client, path)
                )
        logs = {(log, re.sub(r"\b0x[0-9a-f]+", "an address", text)) for log, text in self.logs()}
        for log, text in sorted(logs):
            heard["nobody", log].append(text)
        return dict(heard)

    def _addresses(self) -> list[str]:
        game = f"/g/{self.slug}"
        return [
            f"{game}/",
            f"{game}/steps?from=0",
            f"{game}/record.json",
            f"{game}/ledger/",
            f"{game}/ledger.json",
            f"/l/{self.code}/",
            "/",
            "/watch/",
        ]


def ledger() -> list[dict[str, Any]]:
    """The bodies of the game's entries."""
    return [json.loads(entry.body) for entry in Entry.objects.order_by("rev")]


def digests() -> dict[str, str]:
    """The hashes and commitments in the game's ledger, with a name for each."""
    names = {entry.hash: f"the hash of rev {entry.rev}" for entry in Entry.objects.all()}
    for rev, body in enumerate(ledger()):
        if "commitment" in body:
            names[body["commitment"]] = f"the commitment of rev {rev}"
    return names


def salt_of_the_secret(sealer: str) -> str:
    """The salt of the action sealed in the second round."""
    seal = Sealed.objects.first()
    return seal.salt if seal else json.loads(Step.objects.get(number=1).seals)[sealer]["salt"]


def page_of(client: Client, path: str) -> str:
    """The whole answer to a request for a page: status, headers, cookies, body."""
    answer = client.get(path)
    headers = [f"{name}: {value}" for name, value in sorted(answer.items())]
    text = [str(answer.status_code), *headers, answer.cookies.output(), answer.content.decode()]
    return "\n".join(text)


def keep_new(texts: list[str], text: str) -> None:
    """Adds a text unless it only says the last one again: whether a state that was asked for and
    one that was pushed melt into one frame is a matter of milliseconds."""
    if not texts or texts[-1] != text:
        texts.append(text)
