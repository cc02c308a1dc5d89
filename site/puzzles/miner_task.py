"""Search ended public games for puzzles, at the lowest priority and in slices of time.

A follow-up to the end of a game queues it (`play.storage.ended_games`), and one process at a time
searches, by a lease. A game is searched once: each puzzle is stored when it is found, under a name
derived from the task, so that a process may be killed at any moment. A game whose search was killed
is searched once more, and no third time.
"""

import json
import logging
import time
from collections.abc import Collection
from typing import Any, Final

from django.db import DatabaseError
from django.db.models import F

from bots.thinking.priority import lower_priority
from games.catalogue import RULES
from games.core import BadAction, Rules, assemble_joint
from games.players.levels import has_numba, is_loaded
from games.puzzles.mine import digest, mine
from games.puzzles.puzzle import KINDS
from play.domain.clocks import SECOND_MS
from play.models import Game, Step
from play.storage import leases
from puzzles import daily
from puzzles.models import MinedGame
from puzzles.puzzle_store import load_shipped, store
from telemetry.redaction import shorten_key

LEASE: Final = "puzzles"
LEASE_MS: Final = 60 * SECOND_MS
NICE: Final = 19
SLICE_S: Final = 0.25  # of processor time in one call, at least one position
PAUSE_S: Final = 1.0  # after a slice
IDLE_S: Final = 10.0
MAX_CPU_S: Final = 20.0  # of one game; the rest of its positions is left out
MAX_TRIES: Final = 2  # a process that died counts
BREATH_S: Final = 0.002
DAYS_INTERVAL_MS: Final = 600 * SECOND_MS
log = logging.getLogger("quiver.puzzles")


def queue_ended_games(games: Collection[int]) -> None:
    """Queue the public games among some that have ended with a result, each once."""
    keys = [key for key in KINDS if key in RULES]
    found = Game.objects.counted().public().filter(pk__in=games, rules__in=keys)
    rows = [MinedGame(game_id=game) for game in found.values_list("pk", flat=True)]
    MinedGame.objects.bulk_create(rows, ignore_conflicts=True)


def queued_games(most: int = 1) -> list[Game]:
    """Return games to search, oldest first; those in which two processes died are left out."""
    rows = MinedGame.objects.filter(is_done=False, tries__lt=MAX_TRIES).select_related("game")
    return [row.game for row in rows.order_by("game__ended", "pk")[:most]]


def states_of(game: Game) -> list[Any]:
    """Return the positions at the beginning of each turn of a game, its start included."""
    rules: Rules[Any] = RULES[game.rules]
    state = rules.start()
    states = [state]
    joints = Step.objects.filter(game=game, undone=None).order_by("number")
    for joint in joints.values_list("joint", flat=True):
        acts = {role: rules.parse(text) for role, text in json.loads(joint).items()}
        before, state = state, rules.play(state, assemble_joint(rules, state, acts))
        if rules.turns(state) > rules.turns(before) and rules.control(state):
            states.append(state)
    return states


class Search:
    """The search of one game, some positions at a time."""

    def __init__(self, game: Game, max_cpu_s: float = MAX_CPU_S) -> None:
        self.game = game
        self.found = 0
        self._max_cpu_s = max_cpu_s
        self._spent_s = 0.0
        self._began = time.thread_time()
        self._puzzles = mine(RULES[game.rules], states_of(game), self._is_over)

    def run(self, at: int, slice_s: float) -> bool:
        """Search positions for some processor time; return whether the game is done."""
        self._began = time.thread_time()
        for task in self._puzzles:
            if task is not None:
                self.found += store(task, self.game, digest(), at)
            if self._slice_s() >= slice_s or self._is_over():
                break
        else:
            return True
        is_done = self._is_over()
        self._spent_s += self._slice_s()
        return is_done

    def _slice_s(self) -> float:
        return time.thread_time() - self._began

    def _is_over(self) -> bool:
        """Return whether the game has had its time. The search asks every few milliseconds.

        It sleeps as well, so that the threads beside it get the interpreter's lock.
        """
        time.sleep(BREATH_S)
        return self._spent_s + self._slice_s() >= self._max_cpu_s


class MinerTask:
    """The work on puzzles as a task of workers: shipped ones, the days, and the search of games."""

    name = "puzzles"

    def __init__(self) -> None:
        self._search: Search | None = None
        self._chosen = 0  # when days were chosen (epoch ms)
        self._is_lowered = False

    def run(self, process: str, at: int) -> float:
        """Do the next piece of work; return the seconds until the next call."""
        if not 0 <= at - self._chosen < DAYS_INTERVAL_MS:  # any process: neither is done twice
            load_shipped(at)
            daily.choose_days(daily.day_of(at))
            self._chosen = at
        if has_numba() and not is_loaded():
            return IDLE_S  # a process without the engine leaves the games to one that has it
        if not leases.take(LEASE, process, at, LEASE_MS):
            self._search = None
            return IDLE_S
        if not self._is_lowered:  # not earlier: the writes above made other writers wait
            lower_priority(NICE)  # of this thread, which is the task's own
            self._is_lowered = True
        return PAUSE_S if self._mine(at) else IDLE_S

    def give_back(self, process: str) -> None:
        """Give the lease back, so that another process need not wait for its end."""
        self._search = None
        leases.give_back(LEASE, process)

    def _mine(self, at: int) -> bool:
        """Search some positions of a game; return whether there was one."""
        if self._search is None and not self._begin(at):
            return False
        if self._search is None:
            return True  # that one could not be read
        search, game = self._search, self._search.game
        try:
            is_done = search.run(at, SLICE_S)
        except DatabaseError:
            self._search = None
            raise
        except Exception:
            self._search = None
            _leave_out(game)
            log.exception(
                "game %s could not be searched for puzzles; it is left out",
                shorten_key(game.slug),
                extra={"event": "puzzles_failed"},
            )
            return True
        if is_done:
            self._search = None
            MinedGame.objects.filter(game=game).update(is_done=True, found=search.found)
        return True

    def _begin(self, at: int) -> bool:
        """Begin with the next game; return whether there is one."""
        games = queued_games()
        if not games:
            return False
        MinedGame.objects.filter(game=games[0]).update(tries=F("tries") + 1)
        try:
            self._search = Search(games[0])
        except (BadAction, ValueError, KeyError):
            _leave_out(games[0])
            log.exception(
                "game %s could not be read for puzzles; it is left out",
                shorten_key(games[0].slug),
                extra={"event": "puzzles_failed"},
            )
        return True


def _leave_out(game: Game) -> None:
    MinedGame.objects.filter(game=game).update(tries=MAX_TRIES)


TASK = MinerTask()
