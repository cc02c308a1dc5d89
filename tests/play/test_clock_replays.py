"""The audit of a ledger computes the site's clocks, for any actions at any times."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from accounts.refusals import Refused
from games.audit.clock_times import Times as AuditedTimes
from games.audit.entries import chain_faults, parse_entries
from games.audit.fold import open_record, read
from games.catalogue import rules_of
from games.core import OTHER, ROLES, Role
from games.ledger import GENESIS, chain_hash, entry_text, frame_entry
from play.domain import clocks, commands, holidays
from play.domain.change import Change, StepRecord, clock_of
from play.domain.clocks import HOUR_MS, Clock, Times
from play.domain.decide import decide
from play.domain.game_state import NO_SHOW, GameState, Person
from play.domain.offers import back_to

NOON = 1_700_000_000_000
CLOCKS = [
    Clock("fischer", 60_000, 2_000),
    Clock("limit", 20_000),
    Clock("days", clocks.DAY_MS),
    Clock("bank", 2 * clocks.DAY_MS, clocks.DAY_MS),
    Clock("none"),
]
BY_DAYS = [Clock("days", clocks.DAY_MS), Clock("bank", clocks.DAY_MS, 6 * clocks.HOUR_MS)]
KEYS = ("pincer", "amazons-8x8", "amazons")
WAITS = (0, 1, 400, 2_000, 9_000, 14_000, 29_999, 30_000, 31_000)  # ms between two events


class Replay:
    """A game that is decided without a database, with the texts of its ledger."""

    def __init__(self, key: str, clock: Clock, people: Iterable[str]) -> None:
        rules = rules_of(key)
        state, people = rules.start(), list(people)
        terms = clocks.start_terms(clock, people, is_simultaneous=rules.is_simultaneous)
        times = clocks.start_clocks(clock, rules.control(state), NOON, terms)
        body = {"format": 1, "rules": key, "clock": asdict(clock), **asdict(terms)}
        left = clock_of(clock, times, NOON)
        text = entry_text("a-game", 0, "open", None, None, NOON, 0, left, body)
        self.at, self.count = NOON, 0
        self.entries = [(text, chain_hash(GENESIS, text))]
        self.game = GameState(
            id=1,
            slug="a-game",
            rules=rules,
            clock=clock,
            people={r: Person(n, r, False, r not in people) for n, r in enumerate(ROLES)},
            public=True,
            watch=True,
            lobby="",
            started=NOON,
            rev=0,
            head=self.entries[-1][1],
            changed=NOON,
            ended=None,
            takebacks=0,
            step=0,
            state=state,
            control=rules.control(state),
            times=times,
            sealed={},
            offers={},
            ending=None,
            quiet=0,
            placed=False,
            last=(),
            begun={},
            completed=frozenset(),
        )
        self.before = [self.game]  # the game before each step
        self.steps: list[StepRecord] = []  # those that stand
        self.began = [left]  # what the clocks showed when each step began

    def say(self, role: str, command: type, *rest: Any, **more: Any) -> bool:
        """Decides a command of a role; returns whether it was accepted."""
        self.count += 1
        user, made = ROLES.index(role), command(f"id-{self.count}", *rest)
        return self.decide(commands.Envelope("a-game", user, self.at, made, **more))

    def decide(self, command: Any) -> bool:
        try:
            change = decide(self.game, command)
        except Refused:
            return False
        self.store(change)
        return True

    def store(self, change: Change) -> None:
        after = change.after
        text = frame_entry(
            "a-game",
            after.rev,
            change.kind,
            change.role,
            change.action_id,
            change.received_at,
            change.lag,
            change.clock_text,
            change.body_text,
        )
        self.entries.append((text, after.head))
        del self.before[after.step :]
        if len(self.before) < after.step:
            self.before += [self.game] * (after.step - len(self.before))
        self.before.append(after)
        self.steps = [*self.steps[: after.step - len(change.steps)], *change.steps]
        if change.steps or change.undone is not None:
            self.began[after.step :] = [change.clock]
        self.game = after

    def act(self, role: str, random: Random, lag: int) -> bool:
        """Plays one step of a role at random."""
        choices = list(self.game.rules.choices(self.game.state, role))
        action = str(random.choice(choices))
        return self.say(role, commands.Act, self.game.step, (action,), lag=lag)

    def turns(self) -> int:
        """The turns completed."""
        return self.game.rules.turns(self.game.state)

    def readings(self) -> dict[Role, int]:
        """What both clocks show."""
        return {role: self.game.times.left_at(role, self.at) for role in ROLES}

    def take_back(self, role: str) -> bool:
        """Asks for a takeback, or accepts the other role's."""
        offer = self.game.offers.get("takeback")
        if offer is None or offer.by == role:
            return self.say(role, commands.Takeback, "offer")
        number = back_to(self.game, offer.by)
        if number is None:
            return self.say(role, commands.Takeback, "accept")
        past = replace(self.before[number], step=number)
        earned = Counter()
        for step in self.steps[number:]:
            earned.update(dict.fromkeys(step.spent, step.earned))
        is_earning = self.game.clock.kind in clocks.EARNING_KINDS
        undone = clocks.UndoneTurns(self.began[number], earned) if is_earning else None
        return self.say(role, commands.Takeback, "accept", past=past, undone=undone)

    def take_back_latest(self, role: str) -> None:
        """Takes back the latest turn of a role."""
        assert self.take_back(role) and self.take_back(OTHER[role])


def audited(times: AuditedTimes) -> Times:
    """The clocks that the audit has computed, as the site writes them."""
    return Times(
        left=times.left,
        since=times.since,
        running=times.running,
        lag=times.lag,
        first_turn=times.first_turn,
        begin_by=times.begin_by,
        shown=times.shown,
        reveal_pause=times.reveal_pause,
        holidays={role: clocks.Pause(*span) for role, span in times.holidays.items()},
        lag_budget=times.lag_budget,
    )


def wander(replay: Replay, random: Random) -> None:
    """Does something at random after some time, in turns of both roles and of the server."""
    game, role = replay.game, random.choice(ROLES)
    replay.at += random.choice(WAITS)
    match random.choice(["act"] * 6 + ["shown", "flag", "flag", "credit", "back", "back", "claim"]):
        case "act" if game.waiting:
            replay.act(random.choice(sorted(game.waiting)), random, random.choice((0, 90, 700)))
        case "shown":
            replay.say(role, commands.Shown)
        case "flag":
            replay.decide(commands.Flag("a-game", replay.at))
        case "credit":
            down_since = replay.at - random.choice(WAITS)
            replay.decide(commands.Credit("a-game", down_since, replay.at))
        case "back":
            replay.take_back(role)
        case "claim":
            replay.say(role, commands.Claim, "victory", gone_since=NOON)


@pytest.mark.parametrize("key", ["pincer", "amazons-8x8", "blotto"])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_audit_computes_the_clocks_of_the_site(key: str, seed: int) -> None:
    random = Random(seed)
    people = random.choice([ROLES, ROLES, ROLES[:1], ROLES[1:], ()])
    replay = Replay(key, random.choice(CLOCKS), people)
    first, *_ = parse_entries("a-game", [replay.entries[0][0]])
    record = open_record("a-game", replay.game.rules, first)
    for _ in range(30):
        known = len(replay.entries)
        wander(replay, random)
        game, texts = replay.game, [text for text, _ in replay.entries]
        read(record, parse_entries("a-game", texts)[known:])
        assert audited(record.times) == game.times
        assert record.times.deadline == clocks.deadline(game.clock, game.times)
        assert record.absent == game.absent
        if game.ending:
            break
    assert record.faults == []
    assert chain_faults(replay.entries) == []


EARNING = [Clock("fischer", 60_000, 2_000), Clock("fischer", 60_000, 30_000), CLOCKS[3]]


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(EARNING), key=st.sampled_from(KEYS))
def test_turns_that_are_taken_back_never_raise_a_clock(seed: int, clock: Clock, key: str) -> None:
    random = Random(seed)
    replay = Replay(key, clock, random.choice([ROLES, ROLES[:1], ()]))
    shown = [replay.readings()]  # when each standing turn began
    for _ in range(25):
        role, turns = min(replay.game.waiting), replay.turns()
        replay.at += random.choice(WAITS)
        if random.random() < 0.6 or back_to(replay.game, role) is None:
            while not replay.game.ending and replay.turns() == turns and replay.game.waiting:
                if not replay.act(min(replay.game.waiting), random, random.choice((0, 90, 700))):
                    return  # too late
            shown = [*shown[: turns + 1], replay.readings()]
        else:
            before = replay.readings()
            if clocks.flag_deadline(clock, replay.game.times) < replay.at:
                return
            roles = [role for role in ROLES if back_to(replay.game, role) is not None]
            replay.take_back_latest(random.choice(roles))
            after = replay.readings()
            for each in ROLES:
                assert 0 <= after[each] <= min(before[each], shown[replay.turns()][each])
        if replay.game.ending:
            return


class Users:
    """The holidays of both users, as `storage.holidays` keeps them, and those of other games."""

    def __init__(self) -> None:
        self.starts: dict[Role, list[int]] = {role: [] for role in ROLES}

    def check(self, replay: Replay) -> None:
        """Takes holidays as the sweeper does, and lets the deadline pass."""
        game, starts_of = replay.game, {}
        for role in holidays.fallen_roles(game, replay.at):
            start = holidays.find_needed_start(game, role, self.starts[role], replay.at)
            if start is not None and holidays.may_take(self.starts[role], start):
                self.starts[role].append(start)
            starts_of[role] = self.starts[role]
        replay.decide(commands.Flag("a-game", replay.at, starts_of))

    def rest_elsewhere(self, role: Role, at: int) -> None:
        """Begins a holiday because of another game."""
        starts = self.starts[role]
        if not any(
            start <= at < start + holidays.HOLIDAY_MS for start in starts
        ) and holidays.may_take(starts, at):
            starts.append(at)


def wander_by_days(replay: Replay, users: Users, random: Random) -> None:
    """Does something at random after some hours: holidays, checks of clocks, actions, down-time."""
    game, role = replay.game, random.choice(ROLES)
    replay.at += random.choice((0, 1, 60_000, 5 * HOUR_MS, 23 * HOUR_MS, 30 * HOUR_MS))
    match random.choice(["act"] * 5 + ["flag", "flag", "flag", "rest", "count", "credit", "back"]):
        case "act" if game.waiting:
            replay.decide(commands.Holiday("a-game", replay.at, users.starts))
            replay.act(random.choice(sorted(game.waiting)), random, random.choice((0, 90, 700)))
        case "flag":
            users.check(replay)
        case "rest":
            users.rest_elsewhere(role, replay.at)
        case "count":
            replay.decide(commands.Holiday("a-game", replay.at, users.starts))
        case "credit":
            replay.decide(commands.Credit("a-game", replay.at - HOUR_MS, replay.at))
        case "back":
            replay.take_back(role)


@pytest.mark.parametrize("key", ["pincer", "amazons-8x8", "blotto"])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_audit_computes_the_clocks_of_games_with_holidays(key: str, seed: int) -> None:
    random, users = Random(seed), Users()
    replay = Replay(key, random.choice(BY_DAYS), random.choice([ROLES, ROLES, ROLES[:1]]))
    first, *_ = parse_entries("a-game", [replay.entries[0][0]])
    record = open_record("a-game", replay.game.rules, first)
    for _ in range(60):
        known, before = len(replay.entries), replay.game
        wander_by_days(replay, users, random)
        game, texts = replay.game, [text for text, _ in replay.entries]
        read(record, parse_entries("a-game", texts)[known:])
        assert audited(record.times) == game.times
        assert record.times.deadline == clocks.deadline(game.clock, game.times)
        for role in ROLES:
            left = game.times.left_at(role, replay.at)
            assert game.clock.kind != "bank" or left <= game.clock.initial
        if game.ending:
            check_ending(before, game, users)
            break
    assert record.faults == []
    assert chain_faults(replay.entries) == []


def check_ending(before: GameState, after: GameState, users: Users) -> None:
    """Nobody loses by the clock who has a holiday left for that moment."""
    if after.ending is None or after.ending.reason not in ("time", "both_flagged"):
        return
    limit = clocks.flag_deadline(before.clock, before.times)
    for role in clocks.flagged_roles(before.clock, before.times, after.changed):
        is_bot = before.people[role].bot
        assert limit is not None
        assert is_bot or not holidays.may_take(users.starts[role], limit)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(BY_DAYS))
def test_a_clock_stands_in_holidays_and_loses_all_other_time(seed: int, clock: Clock) -> None:
    """Left + used = given: time used is time in which the clock ran outside holidays."""
    random, users = Random(seed), Users()
    replay = Replay("pincer", clock, ())  # no allowances, so that the clock runs from the opening
    people = {r: replace(p, bot=False) for r, p in replay.game.people.items()}
    replay.game = replace(replay.game, people=people)
    for _ in range(12):
        replay.at += random.choice((1, HOUR_MS, 11 * HOUR_MS, 26 * HOUR_MS))
        if random.random() < 0.5:
            users.rest_elsewhere("white", replay.at)
        if random.random() < 0.5:
            replay.decide(commands.Holiday("a-game", replay.at, users.starts))
        else:
            users.check(replay)
        if replay.game.ending:
            return
    replay.decide(commands.Holiday("a-game", replay.at, users.starts))
    rested = covered_ms(users.starts["white"], NOON, replay.at)
    used = replay.at - NOON - rested
    if used <= clock.initial:  # else it has fallen: the next check decides
        assert replay.game.times.remaining_at("white", replay.at) == clock.initial - used


def covered_ms(starts: list[int], first: int, last: int) -> int:
    """The ms between two moments that lie in a holiday."""
    covered, end = 0, first
    for start in sorted(starts):
        until = start + holidays.HOLIDAY_MS
        covered += max(0, min(until, last) - max(start, end))
        end = max(end, until)
    return covered


@pytest.mark.parametrize("key", ["pincer", "amazons-8x8", "blotto"])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_nobody_loses_on_time_or_by_absence_before_the_second_turn(key: str, seed: int) -> None:
    random = Random(seed)
    replay = Replay(key, random.choice(CLOCKS[:2]), ROLES)
    for _ in range(30):
        before = replay.game
        wander(replay, random)
        game = replay.game
        for role in before.times.first_turn:
            assert game.times.left[role] == game.clock.initial
        if game.ending and game.ending.reason in ("time", "abandoned"):
            assert game.ending.winner is not None
            loser = OTHER[game.ending.winner]
            assert loser not in before.times.first_turn
        if game.ending and game.ending.reason == NO_SHOW:
            assert game.absent <= before.times.first_turn.keys()
            assert game.ending.winner is None
        if game.ending:
            break


@pytest.mark.parametrize("key", ["pincer", "amazons-8x8", "blotto"])
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_allowance_only_ever_shrinks_and_never_comes_back(key: str, seed: int) -> None:
    random = Random(seed)
    replay = Replay(key, CLOCKS[0], ROLES)
    for _ in range(30):
        before = replay.game.times
        wander(replay, random)
        after = replay.game.times
        assert after.first_turn.keys() <= before.first_turn.keys()
        for role, rest in after.first_turn.items():
            given_back = after.lag.get(role, 0) - before.lag.get(role, 0)
            assert rest <= before.first_turn[role] + max(0, given_back)
        if replay.game.ending:
            break
