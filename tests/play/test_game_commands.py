"""Game service: accepted actions, refusals, and that a refusal changes nothing."""

import asyncio
import itertools
import threading

import pytest

from accounts.refusals import Refused
from play.domain import clocks, commands, endings, visibility
from play.domain.clocks import Clock
from play.domain.game_refusals import Reason
from play.domain.game_state import Offer
from play.domain.wire_types import encode_frame
from play.models import Entry, Game, Sealed, Step
from play.runtime import game_commands
from play.storage.verification import faults_of, rows_of
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until_sync

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())


async def do(game, user, step, *actions, id=None, at=None):
    return await game_commands.perform(
        game_service(),
        game.slug,
        user.pk,
        commands.Act(id or next(ids), step, actions),
        at or clocks.now(),
    )


async def refusal(awaitable) -> Refused:
    with pytest.raises(Refused) as caught:
        await awaitable
    return caught.value


async def rows(game):
    """Everything the database has of a game, to prove that nothing changed."""

    def read():
        return [
            list(model.objects.filter(**{key: game.pk}).values())
            for model, key in ((Game, "pk"), (Step, "game"), (Sealed, "game"), (Entry, "game"))
        ]

    return await game_service().run_in_db_thread(read)


async def test_a_turn_of_two_steps_is_one_change(table, people):
    game, (ada, *_) = await table("amazons-10x10"), people
    receipt = await do(game, ada, 0, "move 4 1 4 7", "fire 7 7")
    live = await game_service().find(game.slug)
    assert (receipt.rev, live.step, live.waiting) == (1, 2, {"black"})
    assert [seen.text for seen in live.last] == [{"white": "d1-d7"}, {"white": "/g7"}]


async def test_a_turn_may_also_be_sent_step_by_step(table, people):
    game, (ada, *_) = await table("amazons-10x10"), people
    await do(game, ada, 0, "move 4 1 4 7")
    receipt = await do(game, ada, 1, "fire 7 7")
    assert receipt.rev == 2


async def test_if_one_action_of_a_turn_is_illegal_none_is_applied(table, people):
    game, (ada, *_) = await table("amazons-10x10"), people
    before = await rows(game)
    refused = await refusal(do(game, ada, 0, "move 4 1 4 7", "fire 4 10"))
    assert refused.reason == Reason.ILLEGAL
    assert refused.details == {"code": "occupied", "squares": ("d10",), "index": 1}
    assert await rows(game) == before


async def test_a_repeated_id_gets_the_first_receipt(table, people):
    game, (ada, *_) = await table("pincer"), people
    turn = ("move 1 5 2 5", "move 1 7 1 6")
    first = await do(game, ada, 0, *turn, id="same")
    again = await do(game, ada, 0, *turn, id="same")
    assert (again.rev, again.again, first.again) == (first.rev, True, False)
    assert await game_service().run_in_db_thread(Entry.objects.filter(game=game.pk).count) == 2


async def test_a_repeated_id_with_another_body_is_a_conflict(table, people):
    game, (ada, bob, _) = await table("blotto"), people
    await do(game, ada, 0, "troops 5 5 0", id="same")
    before = await rows(game)
    refused = await refusal(do(game, ada, 0, "troops 5 4 1", id="same"))
    assert refused.reason == Reason.CONFLICT
    await do(game, bob, 0, "troops 5 5 0", id="same")  # another role's ids are its own
    refused = await refusal(do(game, ada, 1, "troops 5 5 0", id="same"))
    assert refused.reason == Reason.CONFLICT
    assert before != await rows(game)


async def test_a_seal_is_final_and_the_second_seal_reveals_both(table, people):
    game, (ada, bob, _) = await table("blotto"), people
    await do(game, ada, 0, "troops 5 5 0")
    assert (await refusal(do(game, ada, 0, "troops 10 0 0"))).reason == Reason.ALREADY_SEALED
    await do(game, bob, 0, "troops 4 5 1")
    live = await game_service().find(game.slug)
    assert live.last[0].text == {"white": "5 5 0", "black": "4 5 1"}
    assert await game_service().run_in_db_thread(Sealed.objects.count) == 0


async def test_both_seals_at_the_same_instant_make_one_step(table, people):
    game, (ada, bob, _) = await table("blotto"), people
    for number in range(5):
        await asyncio.gather(
            do(game, ada, number, "troops 4 3 3"), do(game, bob, number, "troops 3 3 4")
        )
    live = await game_service().find(game.slug)
    assert (live.step, live.rev, live.ending.goals) == (5, 10, {"white": 15, "black": 15})


REFUSALS = [
    ("pincer", 0, 0, ["move 1 5 2 6"], "illegal", "not_one_step"),
    ("pincer", 0, 0, ["move 1 5 1 6", "move 1 6 2 6"], "illegal", "same_piece_twice"),
    ("pincer", 0, 0, ["move 1 5 0 5"], "bad_action", None),
    ("pincer", 0, 0, ["move  1 5 2 5"], "bad_action", None),
    ("pincer", 0, 0, ["jump 1 5 2 5"], "bad_action", None),
    ("pincer", 0, 0, ["move 1 5 99999999999999999999 5"], "bad_action", None),
    ("pincer", 0, 0, ["move 1 5 2 5\x00"], "bad_action", None),
    ("pincer", 0, 0, ["noop"], "illegal", "must_act"),
    ("pincer", 1, 0, ["move 7 7 6 7"], "not_in_control", None),
    ("pincer", 1, 0, ["noop"], "not_in_control", None),
    ("pincer", 2, 0, ["move 1 5 2 5"], "not_seated", None),
    ("pincer", 0, 1, ["move 1 5 2 5"], "stale_step", None),
    ("pincer", 0, 0, ["move 1 5 2 5", "move 1 7 1 6", "move 7 1 6 1"], "not_in_control", None),
    ("amazons", 0, 0, ["play 4 1 4 10 4 9"], "illegal", "occupied"),
    ("amazons", 0, 0, ["play 4 1 6 2 6 3"], "illegal", "not_a_line"),
    ("amazons", 0, 0, ["play 4 7 4 8 4 9"], "illegal", "not_yours"),
    ("amazons", 0, 0, ["play 4 1 4 1 4 9"], "illegal", "same_square"),
    ("amazons", 0, 0, ["play 7 1 1 1 1 2"], "illegal", "path_blocked"),
    ("amazons-8x8", 0, 0, ["fire 4 4"], "illegal", "wrong_step"),
    ("blotto", 0, 0, ["troops 5 5 5"], "illegal", "sum_not_10"),
    ("blotto", 0, 0, ["troops -1 5 6"], "bad_action", None),
    ("blotto", 0, 0, ["troops 11 0 0"], "bad_action", None),
    ("blotto", 0, 0, ["troops 5 5 0", "troops 5 5 0"], "not_in_control", None),
    ("blotto", 0, 0, ["noop"], "bad_action", None),
]


@pytest.mark.parametrize(("key", "who", "step", "actions", "reason", "code"), REFUSALS)
async def test_a_refusal_says_why_and_changes_nothing(
    table, people, key, who, step, actions, reason, code
):
    game = await table(key)
    before = await rows(game)
    refused = await refusal(do(game, people[who], step, *actions))
    assert (refused.reason, refused.details.get("code")) == (reason, code)
    assert refused.say.endswith(".")
    assert await rows(game) == before


async def test_after_the_end_nothing_is_accepted(table, people):
    game, (ada, bob, _) = await table("pincer"), people
    await game_commands.perform(
        game_service(), game.slug, ada.pk, commands.Resign("bye"), clocks.now()
    )
    live = await game_service().find(game.slug)
    assert (live.ending.winner, live.ending.reason) == ("black", "resigned")
    before = await rows(game)
    assert (await refusal(do(game, ada, 0, "move 1 5 2 5"))).reason == Reason.OVER
    assert (await refusal(do(game, bob, 0, "move 1 5 2 5"))).reason == Reason.OVER
    assert await rows(game) == before


async def test_a_draw_is_offered_and_accepted(table, people):
    game, (ada, bob, _) = await table("amazons-8x8"), people

    async def draw(user, do):
        return await game_commands.perform(
            game_service(), game.slug, user.pk, commands.Draw(next(ids), do), clocks.now()
        )

    assert (await refusal(draw(bob, "accept"))).reason == Reason.NO_OFFER
    await draw(ada, "offer")
    assert (await refusal(draw(bob, "offer"))).reason == Reason.OFFER_STANDS
    assert (await refusal(draw(ada, "accept"))).reason == Reason.NO_OFFER
    await draw(bob, "decline")
    await draw(ada, "offer")
    await draw(ada, "withdraw")
    await draw(bob, "offer")
    await draw(ada, "accept")
    live = await game_service().find(game.slug)
    assert (live.ending.winner, live.ending.reason) == (None, "agreed")
    assert live.ending.goals == {"white": 50, "black": 50}


async def test_nobody_is_saved_from_his_flag_by_a_draw(table, people):
    game, (ada, bob, _) = await table("pincer", Clock("fischer", 10_000)), people
    start = (await game_service().find(game.slug)).times.since

    def draw(user, do, at):
        return game_commands.perform(
            game_service(), game.slug, user.pk, commands.Draw(next(ids), do), at
        )

    await draw(bob, "offer", start + 9_000)
    assert (await refusal(draw(ada, "accept", start + 10_001))).reason == Reason.TOO_LATE
    assert (await game_service().find(game.slug)).ending is None


@pytest.mark.parametrize(("by", "stands"), [(0, True), (1, False)])
async def test_a_draw_offer_stands_until_the_other_acts(table, people, by, stands):
    game, at = await table("pincer"), clocks.now()
    await game_commands.perform(
        game_service(), game.slug, people[by].pk, commands.Draw(next(ids), "offer"), at
    )
    offers = {"draw": Offer(("white", "black")[by], 1, at)}
    assert (await game_service().find(game.slug)).offers == offers
    await do(game, people[0], 0, "move 1 5 2 5")
    assert (await game_service().find(game.slug)).offers == (offers if stands else {})


async def test_an_action_received_in_time_is_accepted_and_one_received_late_is_not(table, people):
    game, (ada, bob, _) = await table("pincer", Clock("fischer", 10_000, 2_000)), people
    start = (await game_service().find(game.slug)).times.since
    await do(game, ada, 0, "move 1 5 2 5", "move 1 7 1 6", at=start + 10_000)
    live = await game_service().find(game.slug)
    assert live.times.left["white"] == 2_000
    assert (
        await refusal(do(game, bob, 2, "move 7 7 6 7", "move 7 5 6 5", at=start + 20_001))
    ).reason == Reason.TOO_LATE
    await game_commands.check_clocks(game_service(), game.slug, start + 20_999)
    assert (await game_service().find(game.slug)).ending is None
    await game_commands.check_clocks(game_service(), game.slug, start + 21_000)
    live = await game_service().find(game.slug)
    assert (live.ending.winner, live.ending.reason) == ("white", "time")
    assert live.times.left["black"] == 0


async def test_two_flags_in_the_same_millisecond_are_a_draw(table):
    game = await table("blotto", Clock("limit", 30_000))
    start = (await game_service().find(game.slug)).times.since
    await game_commands.check_clocks(game_service(), game.slug, start + 31_000)
    live = await game_service().find(game.slug)
    assert (live.ending.winner, live.ending.reason) == (None, "both_flagged")
    assert live.ending.goals == {"white": 0, "black": 0}


async def test_a_player_who_has_sealed_does_not_lose_on_time(table, people):
    game, (ada, *_) = await table("blotto", Clock("limit", 30_000)), people
    start = (await game_service().find(game.slug)).times.since
    await do(game, ada, 0, "troops 5 5 0", at=start + 5_000)
    await game_commands.check_clocks(game_service(), game.slug, start + 31_000)
    assert (await game_service().find(game.slug)).ending.winner == "white"


async def test_an_action_sealed_when_the_game_ended_is_kept_and_never_shown(table, people):
    game, (ada, bob, _) = await table("blotto"), people
    first = await do(game, ada, 0, "troops 5 5 0", id="last words")
    await game_commands.perform(
        game_service(), game.slug, bob.pk, commands.Resign(next(ids)), clocks.now()
    )
    again = await do(game, ada, 0, "troops 5 5 0", id="last words")
    assert (again.rev, again.again) == (first.rev, True)
    for audience in ("white", "black", "spectator"):
        live = await game_service().find(game.slug)
        shown = encode_frame(visibility.snapshot(live, audience, clocks.now()))
        assert "troops" not in shown
        assert '"sealed":[]' in shown


async def test_a_game_without_arrows_can_be_claimed_and_ends_by_itself(table, people):
    game, seats = await table("amazons", counted=False), people
    there, back = ("4 1 4 2", "4 10 4 9"), ("4 2 4 1", "4 9 4 10")
    claim = None
    for turn in range(400):
        way = (there if turn % 4 < 2 else back)[turn % 2]
        origin = way[: way.rindex(" ", 0, way.rindex(" "))]
        if turn == 49:
            early = commands.Envelope(
                game.slug, seats[0].pk, clocks.now(), commands.Claim(next(ids))
            )
            assert (await refusal(game_service().perform(early))).reason == Reason.NO_CLAIM
        if turn == 50:
            claim = endings.may_claim(await game_service().find(game.slug))
        await do(game, seats[turn % 2], turn, f"play {way} {origin}")
    live = await game_service().find(game.slug)
    assert (claim, live.ending.reason, live.ending.winner) == (True, "too_long", None)
    assert faults_of(await game_service().run_in_db_thread(rows_of, game.slug)) == []


@pytest.mark.django_db(transaction=True)
async def test_changes_of_different_games_are_committed_together(table, people, monkeypatch):
    from play.storage import save

    games, sizes, commit = [await table("pincer") for _ in range(6)], [], save.commit
    here = game_service()

    has_begun = threading.Event()

    def commit_slowly(batch):
        sizes.append(len(batch))
        has_begun.set()
        wait_until_sync(
            lambda: len(sizes) > 1 or here.commits.waiting == 5, "five other changes wait"
        )
        return commit(batch)

    monkeypatch.setattr(save, "commit", commit_slowly)
    first = asyncio.create_task(do(games[0], people[0], 0, "move 1 5 2 5"))
    assert await asyncio.to_thread(has_begun.wait, 60)
    await asyncio.gather(first, *(do(game, people[0], 0, "move 1 5 2 5") for game in games[1:]))
    assert sizes == [1, 5]  # one for who came first, one for all who came meanwhile
    assert [(await game_service().find(game.slug)).rev for game in games] == [1] * 6


async def test_a_command_judged_on_an_old_cache_is_judged_again(table, people):
    game, (ada, bob, _) = await table("pincer"), people
    await game_service().find(game.slug)
    from play.runtime.game_service import GameService

    other = GameService()  # as in another process
    await other.perform(
        commands.Envelope(
            game.slug, ada.pk, clocks.now(), commands.Act("x", 0, ("move 1 5 2 5", "move 1 7 1 6"))
        )
    )
    await other.close()
    receipt = await do(game, bob, 2, "move 7 7 6 7")
    assert receipt.rev == 2


async def test_one_bad_change_in_a_batch_harms_no_other(table, people):
    games = [await table("pincer") for _ in range(3)]

    def forged():
        Entry.objects.create(
            game=games[1], rev=7, kind="x", role="white", action_id="dup", received_at=0, body="{}"
        )

    await game_service().run_in_db_thread(forged)
    done = await asyncio.gather(
        *(
            do(game, people[0], 0, "move 1 5 2 5", id="dup" if game is games[1] else None)
            for game in games
        ),
        return_exceptions=True,
    )
    assert [getattr(each, "rev", None) for each in done] == [1, None, 1]
    assert done[1].reason == Reason.CONFLICT


async def test_a_change_whose_sender_leaves_while_it_is_committed_is_shown_to_all_others(
    table, people
):
    game, (ada, *_) = await table("pincer"), people
    shown = []
    game_service().watchers.append(lambda live, others: shown.append(live.rev))
    await game_service().find(game.slug)
    going = asyncio.ensure_future(do(game, ada, 0, "move 1 5 1 6"))
    await asyncio.sleep(0)  # it is judged, and waits for its commit
    going.cancel()
    await game_service().commits.wait_until_done()
    assert ((await game_service().find(game.slug)).rev, shown) == (1, [1])
