"""Clients of the soak: people who play short random games on sockets of their own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import websockets

from games.catalogue import rules_of
from games.core import ROLES, assemble_joint
from tests.faults.clients.game_setup import ORIGIN
from tests.faults.servers.deployments import Deployment

ROOT = Path(__file__).parents[3]
KEYS = ("pincer", "amazons-8x8", "blotto")
SCRIPTS = 40  # random games of each rule set that are played again and again
ANSWER_TIMEOUT_S = 60.0
PEOPLE = 40
# Opens games between people who have sessions, as `standard input` says; made once, then reused.
OPEN = """
import json, secrets, sys
from random import Random
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import transaction
from accounts.models import User
from accounts.login.sessions import SessionStore
from play.domain.clocks import Clock
from play.runtime.game_commands import open_game

asked = json.load(sys.stdin)
with transaction.atomic():
    people = asked["people"]
    for _ in range(asked["count"] - len(people)):
        user = User(username=f"g{secrets.token_hex(6)}", is_guest=True)
        user.set_unusable_password()
        user.save()
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        people.append([user.pk, session.session_key])
    users, random, games = User.objects.in_bulk([pk for pk, _ in people]), Random(), []
    for key in asked["games"]:
        (white, a), (black, b) = random.sample(people, 2)
        seats = {"white": users[white], "black": users[black]}
        game = open_game(key, Clock("none"), seats, False)
        games.append([key, game.slug, {"white": a, "black": b}])
print(json.dumps({"people": people, "games": games}))
"""
Step = dict[str, str]  # actions by role; two in a simultaneous game
Script = tuple[list[Step], bool]  # steps; whether the game is over then


def scripts(key: str, actions: int) -> list[Script]:
    """Return random legal beginnings of a game, each of about so many actions."""
    return [_playout(key, actions, Random(f"{key} {n}")) for n in range(SCRIPTS)]


def _playout(key: str, actions: int, random: Random) -> Script:
    rules, count = rules_of(key), 0
    steps: list[Step] = []
    state = rules.start()
    while count < actions and rules.outcome(state) is None:
        chosen = {role: rules.choices(state, role).sample(random) for role in rules.control(state)}
        steps.append({role: str(action) for role, action in chosen.items()})
        count += len(chosen)
        state = rules.play(state, assemble_joint(rules, state, chosen))
    return steps, rules.outcome(state) is not None


class Churn:
    """The clients of the soak; `performed` counts accepted actions."""

    def __init__(self, deployment: Deployment, actions_a_game: int, seed: str) -> None:
        self.deployment = deployment
        self.performed = self.games = self.sockets = 0
        self._random = Random(seed)
        self._scripts = {key: scripts(key, actions_a_game) for key in KEYS}
        self._people: list[tuple[int, str]] = []

    async def open_games(self, count: int) -> list[tuple[str, str, dict[str, str]]]:
        """Open so many games in the server's database: key, slug and session keys by role."""
        keys = [self._random.choice(KEYS) for _ in range(count)]
        asked = json.dumps({"people": self._people, "count": PEOPLE, "games": keys})
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "manage.py", "shell", "-v", "0", "-c", OPEN),
            cwd=ROOT,
            env={**os.environ, **self.deployment.environment},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        printed, _ = await process.communicate(asked.encode())
        assert process.returncode == 0, "the games could not be opened"
        opened: dict[str, Any] = json.loads(printed.splitlines()[-1])
        self._people = opened["people"]
        return [(key, slug, sessions) for key, slug, sessions in opened["games"]]

    async def play(self, key: str, slug: str, sessions: dict[str, str]) -> None:
        """Play one game on sockets of its own, to a resignation."""
        port = self.deployment.ports()[0]
        pages = {role: Page(port, slug, sessions[role]) for role in ROLES}
        every = [*pages.values()] + [Page(port, slug, "")] * (self.games % 2)
        self.games += 1
        self.sockets += len(every)
        await asyncio.gather(*(page.open() for page in every))
        try:
            steps, is_over = self._random.choice(self._scripts[key])
            for number, step in enumerate(steps):
                asked = (pages[role].act(number, action) for role, action in step.items())
                await asyncio.gather(*asked)
                self.performed += len(step)
            if not is_over:
                await pages[self._random.choice(ROLES)].ask("resign")
                self.performed += 1
        finally:
            await asyncio.gather(*(page.close() for page in every))


class Page:
    """One socket that follows a game; frames other than answers are read and dropped."""

    def __init__(self, port: int, slug: str, session: str) -> None:
        self._url = f"ws://127.0.0.1:{port}/ws/g/{slug}/"
        self._topic = f"game:{slug}"
        self._cookie = {"Cookie": f"sessionid={session}"} if session else {}
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._count = 0

    async def open(self) -> None:
        """Connect and follow the game."""
        self._line = await websockets.connect(
            self._url,
            origin=ORIGIN,  # type: ignore[arg-type]
            additional_headers=self._cookie,
            compression=None,
            ping_interval=None,
            open_timeout=ANSWER_TIMEOUT_S,
            max_size=None,
            proxy=None,
        )
        self._reading = asyncio.create_task(self._read())
        await self._send(t="subscribe", rev=-1)

    async def close(self) -> None:
        """Go away."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._line.transport.abort()

    async def act(self, step: int, action: str) -> None:
        """Send an action and wait until it is accepted."""
        await self.ask("act", step=step, actions=[action])

    async def ask(self, kind: str, **body: Any) -> None:
        """Send a command and wait for its receipt. Raise RuntimeError if it is refused."""
        self._count += 1
        id = f"soak-{self._count}"
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        await self._send(t=kind, id=id, **body)
        text = await asyncio.wait_for(answer, ANSWER_TIMEOUT_S)
        if '"t":"receipt"' not in text:
            raise RuntimeError(f"{kind} was refused: {text}")

    async def _send(self, **frame: Any) -> None:
        await self._line.send(json.dumps({"topic": self._topic, **frame}))

    async def _read(self) -> None:
        try:
            async for text in self._line:
                found = re.search(r'"id":"(soak-\d+)"', text[:400])
                answer = self._answers.pop(found[1], None) if found else None
                if answer is not None:
                    answer.set_result(text)
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError("the server closed the socket"))
