"""Conditional replies: which are accepted, which are played, and that each is played once."""

import asyncio
import itertools
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.refusals import Refused
from games.catalogue import rules_of
from games.core import OTHER, fill_noop
from play.domain import clocks, commands
from play.domain.clocks import DAY_MS, Clock
from play.domain.game_refusals import Reason
from play.domain.reply_plans import checked_lines, play_turn, reply_to, require_replies
from play.models import Entry, Game, ReplyPlan, Step
from play.runtime import game_commands
from play.runtime.reply_player import ReplyPlayer, reply_id
from play.storage import load, reply_plan_rows, verification
from play.storage.game_export import export_games
from tests.support.loop_runtime import game_service, runtime

ids = (f"id-{n}" for n in itertools.count())
DAYS = Clock("days", 2 * DAY_MS)
WHITE = ("move 1 5 2 5", "move 1 7 1 6")
BLACK = ("move 7 7 6 7", "move 7 5 6 5")
WHITE_TWO = ("move 2 5 3 5", "move 1 6 2 6")
SETTINGS = settings(max_examples=60)


def random_turn(rules, state, dice: Random, width: int = 3):
    """A random whole turn; few first choices, so that lines often begin alike."""
    (role,) = rules.control(state)
    turns, actions = rules.turns(state), []
    while rules.turns(state) == turns and rules.control(state):
        choices = sorted(map(str, rules.choices(state, role)))
        action = rules.parse(choices[dice.randrange(min(width, len(choices)))])
        state = rules.play(state, fill_noop(rules, {role: action}))
        actions.append(str(action))
    return state, tuple(actions)


def random_line(rules, state, dice: Random):
    line = []
    for _ in range(2 * dice.randint(1, 3)):
        state, turn = random_turn(rules, state, dice)
        line.append(turn)
    return tuple(line)


def positions(rules, state, role, turns):
    """The positions after each turn of a line."""
    reached = []
    for turn in turns:
        state, _ = play_turn(rules, state, role, turn)
        reached.append(state)
        role = OTHER[role]
    return reached


# --- the pure part


@SETTINGS
@given(st.sampled_from(["pincer", "amazons", "amazons-8x8"]), st.integers(0, 10_000))
def test_the_replies_are_those_of_the_first_line_that_goes_the_same_way(key, seed):
    dice, rules = Random(seed), rules_of(key)
    base = state = rules.start()
    lines = rest = tuple(random_line(rules, state, dice) for _ in range(dice.randint(1, 5)))
    history = []
    while True:
        hoped = [line[len(history)] for line in lines if len(line) > len(history)]
        theirs = dice.choice([*hoped, random_turn(rules, state, dice)[1]])
        try:
            after, theirs = play_turn(rules, state, "white", theirs)
        except Refused:  # of a line that went another way
            after, theirs = random_turn(rules, state, dice)
        history.append(theirs)
        went = positions(rules, base, "white", history)
        alike = [
            line
            for line in lines
            if len(line) > len(history) and _reaches(rules, base, line[: len(history)], went)
        ]
        reply = reply_to(rules, state, "black", rest, theirs)
        assert (reply and reply.actions) == (alike[0][len(history)] if alike else None)
        if reply is None:
            return
        history.append(reply.actions)
        state, _ = play_turn(rules, after, "black", reply.actions)
        rest = reply.rest


def _reaches(rules, base, turns, went) -> bool:
    try:
        return positions(rules, base, "white", turns) == went
    except Refused:
        return False


def test_the_same_moves_in_another_order_are_the_same_turn():
    rules = rules_of("pincer")
    lines = ((WHITE, BLACK),)
    reply = reply_to(rules, rules.start(), "black", lines, tuple(reversed(WHITE)))
    assert reply is not None and reply.actions == BLACK


def test_a_line_that_the_rules_no_longer_allow_is_left_out():
    rules = rules_of("pincer")
    broken = (WHITE, ("move 2 5 3 5", "move 7 5 6 5"))
    reply = reply_to(rules, rules.start(), "black", (broken, (WHITE, BLACK)), WHITE)
    assert reply is not None and reply.actions == BLACK
    assert reply_to(rules, rules.start(), "black", (broken,), WHITE) is None


# --- with a game


pytest_db = pytest.mark.django_db


async def act(game, user, *actions, step):
    command = commands.Act(id=next(ids), step=step, actions=actions)
    return await game_commands.perform(game_service(), game.slug, user.pk, command, clocks.now())


async def state_of(game):
    return await game_service().renew(game.slug)


async def save(game, role, *lines):
    live = await state_of(game)
    checked = checked_lines(live, role, lines)
    await game_service().run_in_db_thread(
        reply_plan_rows.replace_plan, live, role, checked, clocks.now()
    )


async def settled(game):
    """Wait until the replies of this process are played."""
    while runtime().replies._running:
        await asyncio.gather(*runtime().replies._running.values())
    return await state_of(game)


async def in_db(read):
    return await game_service().run_in_db_thread(read)


async def count_plans() -> int:
    return await in_db(ReplyPlan.objects.count)


async def faults(game):
    return await in_db(lambda: verification.faults_of(verification.rows_of(game.slug)))


def refusal(call, *args) -> tuple[Reason, int]:
    with pytest.raises(Refused) as error:
        call(*args)
    return error.value.reason, error.value.details.get("index", 0)


@pytest_db
@pytest.mark.parametrize("clock", [DAYS, Clock("none")])
async def test_a_reply_is_played_at_once_and_says_so(table, people, at_work, clock):
    game, (ada, _bob, _) = await table("pincer", clock), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, *WHITE, step=0)
    live = await settled(game)
    assert live.step == 4 and live.control == {"white"}
    assert [step.is_ahead for step in live.last] == [True, True]
    entry = await in_db(lambda: Entry.objects.get(game=game.pk, rev=2))
    body = json.loads(entry.body)
    assert body["ahead"] is True and body["actions"] == list(BLACK) and entry.role == "black"
    spent = await in_db(lambda: Step.objects.get(game=game.pk, number=2).spent)
    assert json.loads(spent)["black"] < 2_000
    assert await count_plans() == 0
    assert await faults(game) == []


@pytest_db
async def test_what_went_the_same_way_stays_for_the_next_turn(table, people, at_work):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    after = (WHITE, BLACK, WHITE_TWO, ("move 6 7 5 7", "move 6 5 5 5"))
    await save(game, "black", (WHITE, ("move 7 7 6 7", "move 1 1 2 1")), after)
    await save(game, "black", after, (WHITE, ("move 7 7 6 7", "move 1 1 2 1")))
    await act(game, ada, *WHITE, step=0)
    assert (await settled(game)).step == 4
    plan = await in_db(lambda: reply_plan_rows.read(game.pk, "black"))
    assert (plan.step, plan.lines) == (4, (after[2:],))
    await act(game, ada, *WHITE_TWO, step=4)
    assert (await settled(game)).step == 8
    assert await faults(game) == []


@pytest_db
async def test_a_turn_that_no_line_expects_drops_all(table, people, at_work):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, "move 7 1 6 1", "move 7 3 6 3", step=0)
    assert (await settled(game)).step == 2
    assert await count_plans() == 0


@pytest_db
async def test_half_a_turn_of_the_opponent_is_waited_for(table, people, at_work):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, WHITE[0], step=0)
    assert (await settled(game)).step == 1 and await count_plans() == 1
    await act(game, ada, WHITE[1], step=1)
    assert (await settled(game)).step == 4


@pytest_db
async def test_both_may_have_lines_that_answer_each_other(table, people, at_work):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, *WHITE, step=0)
    await settled(game)
    theirs = ("move 2 5 3 5", "move 1 6 2 6")
    await save(game, "black", (theirs, ("move 6 7 5 7", "move 6 5 5 5")))
    await act(game, ada, *theirs, step=4)
    await settled(game)
    assert (await state_of(game)).step == 8


@pytest_db
@pytest.mark.parametrize("how", ["resign", "takeback"])
async def test_the_end_and_a_takeback_drop_the_lines(table, people, at_work, how):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    runtime()
    games = game_service()

    async def say(user, command):
        await game_commands.perform(games, game.slug, user.pk, command, clocks.now())

    await act(game, ada, *WHITE, step=0)
    await save(game, "white", (BLACK, WHITE_TWO))
    if how == "resign":
        await say(bob, commands.Resign(id="r"))
    else:
        await say(ada, commands.Takeback(id="t", do="offer"))
        await say(bob, commands.Takeback(id="u", do="accept"))
    live = await settled(game)
    assert await count_plans() == 0
    assert live.step == (2 if how == "resign" else 0)


@pytest_db
async def test_a_fallen_flag_drops_the_lines(table, people, at_work):
    game, (_ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    at = clocks.now() + 3 * DAY_MS
    for day in range(8):  # seven of them are holidays
        await game_commands.check_clocks(game_service(), game.slug, at + day * DAY_MS)
    live = await settled(game)
    assert live.ending is not None and await count_plans() == 0


@pytest_db
async def test_a_reply_that_a_dead_process_owed_is_played_once_by_a_sweep(table, people, at_work):
    """The process dies between the opponent's commit and the reply; then two others sweep."""
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime().games.watchers.remove(runtime().replies.on_change)
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, *WHITE, step=0)
    assert (await state_of(game)).step == 2
    players = [ReplyPlayer(game_service(), lambda topic: None) for _ in range(2)]
    await asyncio.gather(*(player.sweep() for player in players))
    assert (await state_of(game)).step == 4
    assert await in_db(lambda: Entry.objects.filter(game=game.pk).count()) == 3
    assert await count_plans() == 0
    assert await faults(game) == []


@pytest_db
async def test_a_process_that_died_after_the_reply_leaves_the_rest_to_a_sweep(
    table, people, at_work
):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    runtime().games.watchers.remove(runtime().replies.on_change)
    line = (WHITE, BLACK, WHITE_TWO, ("move 6 7 5 7", "move 6 5 5 5"))
    await save(game, "black", line)
    await act(game, ada, *WHITE, step=0)
    live = await state_of(game)
    command = commands.PlayedAhead(id=reply_id(live), step=2, actions=BLACK, takebacks=0)
    await game_commands.perform(game_service(), game.slug, bob.pk, command, clocks.now())
    await runtime().replies.sweep()
    plan = await in_db(lambda: reply_plan_rows.read(game.pk, "black"))
    assert (plan.step, plan.lines) == (4, (line[2:],))


@pytest_db
async def test_a_turn_made_by_hand_drops_the_lines(table, people, at_work):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    runtime().games.watchers.remove(runtime().replies.on_change)
    await save(game, "black", (WHITE, BLACK, WHITE_TWO, ("move 6 7 5 7", "move 6 5 5 5")))
    await act(game, ada, *WHITE, step=0)
    await act(game, bob, *BLACK, step=2)
    await runtime().replies.sweep()
    assert await count_plans() == 0
    assert (await state_of(game)).step == 4


@pytest_db
async def test_a_suspended_player_replies_no_more(table, people, at_work):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    bob.is_active = False
    await in_db(bob.save)
    await act(game, ada, *WHITE, step=0)
    assert (await settled(game)).step == 2
    assert await count_plans() == 0


@pytest_db
async def test_a_stored_line_that_became_illegal_leaves_the_turn_to_its_player(
    table, people, at_work
):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    broken = json.dumps([[list(WHITE), ["move 2 5 3 5", "move 3 5 4 5"]]])
    await in_db(lambda: ReplyPlan.objects.update(lines=broken))
    await act(game, ada, *WHITE, step=0)
    live = await settled(game)
    assert live.step == 2 and live.waiting == {"black"} and await count_plans() == 0


@pytest_db
async def test_a_plan_for_a_step_that_has_passed_is_refused(table, people, at_work):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    old = await state_of(game)
    await act(game, ada, *WHITE, step=0)
    lines = checked_lines(old, "black", [(WHITE, BLACK)])
    with pytest.raises(Refused) as error:
        await in_db(lambda: reply_plan_rows.replace_plan(old, "black", lines, clocks.now()))
    assert error.value.reason == Reason.STALE_STEP and await count_plans() == 0


@pytest_db
def test_bad_lines_are_refused_with_their_number(opened):
    game = load.fetch(opened("pincer", DAYS).slug)
    good, black = (WHITE, BLACK), "black"
    check = checked_lines
    assert check(game, black, [good]) == (good,)
    assert refusal(check, game, black, [good] * 6) == (Reason.TOO_MANY_LINES, 5)
    assert refusal(check, game, black, [good, (*good,) * 4]) == (Reason.LINE_TOO_LONG, 1)
    assert refusal(check, game, black, [good, ()]) == (Reason.LINE_UNFINISHED, 1)
    assert refusal(check, game, black, [good, (WHITE,)]) == (Reason.LINE_UNFINISHED, 1)
    assert refusal(check, game, black, [(WHITE[:1], BLACK)]) == (Reason.LINE_UNFINISHED, 0)
    assert refusal(check, game, black, [good, (BLACK, WHITE)]) == (Reason.ILLEGAL, 1)
    assert refusal(check, game, black, [(("shout",), BLACK)]) == (Reason.BAD_ACTION, 0)
    assert refusal(check, game, black, [((*WHITE, *BLACK), BLACK)]) == (Reason.NOT_IN_CONTROL, 0)
    assert refusal(check, game, "white", [good]) == (Reason.OWN_TURN, 0)


@pytest_db
def test_only_players_of_slow_games_with_turns_have_conditional_moves(opened):
    live = load.fetch(opened("pincer", Clock("fischer", 60_000, 0)).slug)
    blotto = load.fetch(opened("blotto", DAYS).slug)
    days = load.fetch(opened("pincer", DAYS).slug)
    assert refusal(require_replies, live, "black")[0] == Reason.NO_REPLIES
    assert refusal(require_replies, blotto, "black")[0] == Reason.NO_REPLIES
    assert refusal(require_replies, days, None)[0] == Reason.NOT_SEATED
    assert require_replies(days, "black") == "black"


@pytest_db
async def test_the_lines_are_in_the_copy_of_their_owner_alone(table, people, at_work):
    game, (ada, bob, _) = await table("pincer", DAYS), people
    await save(game, "black", (WHITE, BLACK))
    (theirs,) = await in_db(lambda: list(export_games(ada.pk)))
    (own,) = await in_db(lambda: list(export_games(bob.pk)))
    assert own["your_conditional_moves"] == [[list(WHITE), list(BLACK)]]
    assert theirs["your_conditional_moves"] == []
    assert BLACK[0] not in json.dumps(theirs)


@pytest_db
@pytest.mark.parametrize("forged", [{"ahead": 1}, {"ahead": False}])
async def test_the_audit_knows_entries_that_were_played_ahead(table, people, at_work, forged):
    game, (ada, _bob, _) = await table("pincer", DAYS), people
    runtime()
    await save(game, "black", (WHITE, BLACK))
    await act(game, ada, *WHITE, step=0)
    await settled(game)
    entry = await in_db(lambda: Entry.objects.get(game=game.pk, rev=2))
    entry.body = json.dumps({**json.loads(entry.body), **forged}, separators=(",", ":"))
    await in_db(entry.save)
    assert any("played ahead" in fault for fault in await faults(game))
    assert await in_db(lambda: Game.objects.get(pk=game.pk).step) == 4
