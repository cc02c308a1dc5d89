"""Claims that a game is decided: permissions, ends of games, and entries in the log."""

import asyncio
import itertools
import json

import pytest

from accounts.refusals import Refused
from games.core import ROLES
from games.decided import MAX_CLAIMS, Witness, parse
from play.domain import clocks, commands, endings, visibility
from play.domain.clocks import SECOND_MS, Clock
from play.domain.game_refusals import Reason
from play.models import Entry, Game, Seat
from play.storage import preload
from tests.play.live_commands import faults, last_body, live, refused, say
from tests.support.loop_runtime import game_service
from tests.support.walled_games import BLACK_AHEAD, WHITE_AHEAD

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
AHEAD, LEVEL = ("troops 5 5 0", "troops 1 1 8"), ("troops 4 3 3", "troops 4 3 3")


def split(action: str) -> tuple[str, ...]:
    """A turn with the free arrow as the two actions of the other forms."""
    _, *way = action.split()
    return f"move {' '.join(way[:4])}", f"fire {' '.join(way[4:])}"


async def play(game, people, turns):
    for number, action in enumerate(turns):
        now = await live(game)
        actions = split(action) if game.rules == "amazons-10x10" else (action,)
        await say(game, people[number % 2], commands.Act(next(ids), now.step, actions))


async def claim(game, user, id=None, at=None, step=None):
    step = (await live(game)).step if step is None else step
    return await say(game, user, commands.ClaimDecided(id or next(ids), step), at)


@pytest.fixture
async def walled(table, people):
    """A game without a clock whose sides are parted, 46 squares to 36; white is to move."""

    async def begin(key="amazons-10x10", turns=WHITE_AHEAD, **options):
        game = await table(key, **options)
        await play(game, people, turns)
        return game

    return begin


@pytest.mark.parametrize(("key", "has_line"), [("amazons-10x10", True), ("amazons", False)])
async def test_a_proof_at_ones_turn_ends_the_game(walled, people, key, has_line):
    game = await walled(key)
    receipt = await claim(game, people[0])
    assert not receipt.refused_claims
    ending = (await live(game)).ending
    assert (ending.winner, ending.reason) == ("white", "decided")
    assert ending.goals == {"white": 100, "black": 0}
    body = await last_body(game)
    witness = parse(body["witness"])
    assert (body["kind"], body["role"]) == ("claim-decided", "white")
    assert witness.most == 36
    assert witness.least == (37 if has_line else 46)
    assert bool(witness.line) is has_line
    assert await faults(game) == []
    seats = await game_service().run_in_db_thread(
        lambda: dict(Seat.objects.filter(game=game.pk).values_list("role", "result"))
    )
    assert seats == {"white": "won", "black": "lost"}


async def test_a_claim_without_a_proof_is_logged_and_changes_nothing_else(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    before = await live(game)
    receipt = await claim(game, people[0])
    after = await live(game)
    assert (receipt.refused_claims, after.claims, after.ending) == (1, {"white": 1}, None)
    assert (after.step, after.state, after.times) == (before.step, before.state, before.times)
    assert after.rev == before.rev + 1
    assert await last_body(game) == {"kind": "claim-refused", "role": "white", "number": 1}
    assert await faults(game) == []


async def test_each_role_has_three_refused_claims(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    for number in range(1, MAX_CLAIMS + 1):
        assert (await claim(game, people[0])).refused_claims == number
    assert await refused(claim(game, people[0])) == Reason.NO_CLAIMS_LEFT
    assert "claim_decided" not in visibility.snapshot(await live(game), "white", 0)["may"]
    assert (await live(game)).rev == len(BLACK_AHEAD) + MAX_CLAIMS
    now = await live(game)
    move = next(iter(now.rules.choices(now.state, "white")))
    shot = next(iter(now.rules.choices(now.rules.play(now.state, {"white": move}), "white")))
    await say(game, people[0], commands.Act(next(ids), now.step, (str(move), str(shot))))
    await claim(game, people[1])
    assert (await live(game)).ending.winner == "black"
    assert await faults(game) == []


async def test_a_takeback_gives_no_claim_back(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    await claim(game, people[0])
    await say(game, people[1], commands.Takeback(next(ids), "offer"))
    await say(game, people[0], commands.Takeback(next(ids), "accept"))
    assert (await live(game)).claims == {"white": 1}
    game_service()._games.drop(game.slug)
    assert (await live(game)).claims == {"white": 1}
    assert await faults(game) == []


async def test_only_a_player_claims_at_the_beginning_of_the_own_turn(walled, people):
    game = await walled()
    step = (await live(game)).step
    assert await refused(claim(game, people[2])) == Reason.NOT_SEATED
    assert await refused(claim(game, people[1])) == Reason.NOT_IN_CONTROL
    assert await refused(claim(game, people[0], step=step - 1)) == Reason.STALE_STEP
    now = await live(game)
    move = next(iter(now.rules.choices(now.state, "white")))
    await say(game, people[0], commands.Act(next(ids), step, (str(move),)))
    assert await refused(claim(game, people[0])) == Reason.MID_TURN
    assert await refused(claim(game, people[1])) == Reason.NOT_IN_CONTROL
    after = await live(game)
    assert (after.rev, after.claims) == (now.rev + 1, {})
    for role in (*ROLES, "spectator"):
        assert "claim_decided" not in visibility.snapshot(after, role, 0)["may"]
    await say(game, people[1], commands.Resign(next(ids)))
    assert await refused(claim(game, people[0])) == Reason.OVER


async def may_claim(game, role: str) -> bool:
    """Whether the page of a role offers the claim."""
    return "claim_decided" in visibility.snapshot(await live(game), role, clocks.now())["may"]


async def test_a_claim_is_offered_to_the_one_with_more_squares_that_nobody_else_reaches(
    walled, people
):
    game = await walled(turns=WHITE_AHEAD)
    assert [await may_claim(game, role) for role in ("white", "black")] == [True, False]
    game = await walled(turns=BLACK_AHEAD)
    assert not await may_claim(game, "white")


async def test_a_claim_in_blotto_is_offered_once_the_other_cannot_catch_up(table, people):
    game = await table("blotto")
    offered = []
    for _ in range(4):
        for user, action in zip(people, AHEAD, strict=False):
            step = (await live(game)).step
            await say(game, user, commands.Act(next(ids), step, (action,)))
        offered.append([await may_claim(game, role) for role in ROLES])
    assert offered == [[False, False]] * 2 + [[True, False]] * 2


async def test_a_player_may_claim_whether_or_not_there_is_a_proof(table, people):
    game = await table("amazons-8x8")
    shown = visibility.snapshot(await live(game), "white", clocks.now())
    assert "claim_decided" not in shown["may"]
    assert shown["claims"] == {}
    assert (await claim(game, people[0])).refused_claims == 1
    assert visibility.snapshot(await live(game), "black", 0)["claims"] == {"white": 1}


async def test_a_claim_sent_twice_is_made_once(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    first = await claim(game, people[0], "one")
    again = await claim(game, people[0], "one")
    assert (again.rev, again.refused_claims, again.again) == (first.rev, 1, True)
    won = await walled()
    answers = await asyncio.gather(
        claim(won, people[0], "one"), claim(won, people[0], "two"), return_exceptions=True
    )
    assert [type(answer) for answer in answers].count(Refused) == 1
    done = next(answer for answer in answers if not isinstance(answer, Refused))
    repeated = await claim(won, people[0], done.id)
    assert (repeated.again, repeated.rev) == (True, done.rev)
    assert await faults(won) == []


async def test_nobody_claims_after_the_time_is_up(walled, people):
    game = await walled(clock=Clock("fischer", 300 * SECOND_MS, 0))
    late = (await live(game)).times.since + 301 * SECOND_MS
    assert await refused(claim(game, people[0], at=late)) == Reason.TOO_LATE
    assert (await live(game)).claims == {}


async def test_pincer_and_games_opened_before_have_no_claims(table, people):
    for key in ("pincer", "blotto"):
        game = await table(key)
        await game_service().run_in_db_thread(
            lambda game=game: Game.objects.filter(pk=game.pk).update(claims=None)
        )
        game_service()._games.drop(game.slug)
        assert await refused(claim(game, people[0])) == Reason.NOT_CLAIMABLE
        assert visibility.snapshot(await live(game), "white", 0)["claims"] is None


async def seal(game, people, pair):
    for user, action in zip(people[:2], pair, strict=True):
        step = (await live(game)).step
        await say(game, user, commands.Act(next(ids), step, (action,)))


@pytest.mark.parametrize(("rounds", "is_decided"), [(2, False), (3, True)])
async def test_blotto_is_decided_by_a_lead_that_cannot_be_made_up(
    table, people, rounds, is_decided
):
    game = await table("blotto")
    for _ in range(rounds):
        await seal(game, people, AHEAD)
    step = (await live(game)).step
    await say(game, people[1], commands.Act(next(ids), step, (LEVEL[1],)))
    assert await refused(claim(game, people[1])) == Reason.ALREADY_SEALED
    await claim(game, people[0])
    after = await live(game)
    assert (after.ending is not None) is is_decided
    if is_decided:
        goals = after.rules.totals(after.state)
        assert (after.ending.winner, after.ending.goals) == ("white", goals)
        assert LEVEL[1] not in json.dumps(await last_body(game))
    assert await faults(game) == []


# Verification of the log


async def forge(game, change) -> None:
    """Changes the body of the newest entry; its hash is then wrong as well."""

    def write() -> None:
        entry = Entry.objects.filter(game=game.pk).order_by("-rev").first()
        body = json.loads(entry.body)
        change(body)
        entry.body = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        entry.save()

    await game_service().run_in_db_thread(write)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda body: body["witness"]["line"].pop(), "not proved"),
        (lambda body: body["witness"].update(most=35), "not proved"),
        (lambda body: body["witness"].update(open=""), "not proved"),
        (lambda body: body.pop("witness"), "not proved"),
        (lambda body: body["result"].update(winner="black"), "the result is"),
    ],
)
async def test_a_forged_witness_in_the_log_is_found(walled, people, change, fault):
    game = await walled()
    await claim(game, people[0])
    await forge(game, change)
    assert any(fault in each for each in await faults(game))


async def test_a_server_that_believes_every_claim_is_found(walled, people, monkeypatch):
    game = await walled(turns=BLACK_AHEAD)
    won = await walled()
    monkeypatch.setattr(endings, "check", lambda *args, **options: None)
    monkeypatch.setattr(
        preload, "find", lambda *args, **options: Witness("a1", "", ("noop",), 1, 0)
    )
    for each in (game, won):
        await claim(each, people[0])
        assert (await live(each)).ending.reason == "decided"
        assert any("not proved" in fault for fault in await faults(each))


async def test_a_proof_that_is_none_wins_nothing(walled, people, monkeypatch):
    game = await walled(turns=BLACK_AHEAD)
    monkeypatch.setattr(
        preload, "find", lambda *args, **options: Witness("a1", "", ("noop",), 1, 0)
    )
    receipt = await claim(game, people[0])
    assert (receipt.refused_claims, (await live(game)).ending) == (1, None)


async def test_a_refused_claim_with_another_number_is_found(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    await claim(game, people[0])
    await forge(game, lambda body: body.update(number=2))
    assert any("refused claim 1 of white" in each for each in await faults(game))


async def test_the_column_has_to_agree_with_the_log(walled, people):
    game = await walled(turns=BLACK_AHEAD)
    await claim(game, people[0])
    rows = Game.objects.filter(pk=game.pk)
    await game_service().run_in_db_thread(lambda: rows.update(claims="{}"))
    assert await faults(game) == ["claims is '{}', expected '{\"white\":1}'"]
