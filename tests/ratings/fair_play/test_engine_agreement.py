"""Agreement with the engine: asked for by staff, computed by a worker, shown to nobody else."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots import agreement_maker
from bots.agreement_maker import AgreementMaker
from chat import chat_service
from chat.models import Report
from play.domain.clocks import now
from play.models import Game
from ratings.fair_play import engine_agreement
from ratings.fair_play.engine_agreement import (
    LEASE_MS,
    MAX_TRIES,
    NO_VERDICT,
    ask,
    claim,
    figures_text,
)
from ratings.fair_play.models import EngineAgreement
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import browser_of, text_of
from tests.support.rated_games import create_accounts, rated_game
from tests.support.second_factor import browser_with_rights, staff_browser
from tests.support.sign_up_forms import account
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ADD = "/admin/ratings/engineagreement/add/"
RIGHTS = ("view_engineagreement", "add_engineagreement", "view_report", "change_report")
told = sync_to_async


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob")


@pytest.fixture
def staff(db) -> Client:
    return browser_with_rights("mona", *RIGHTS)


def played(people, turns: int = 6, key: str = "pincer") -> Game:
    return rated_game(*people, key=key, turns=turns).game


async def make_one(worker: str = "a worker", is_free=lambda: True) -> bool:
    with ThreadPoolExecutor(1) as thread:
        return await AgreementMaker(game_service(), worker, is_free).make_next(thread)


@pytest.mark.django_db(transaction=True)
async def test_a_worker_compares_a_game_that_staff_asked_for(people, monkeypatch, at_work) -> None:
    monkeypatch.setitem(agreement_maker.NODES, "pincer", 300)
    game = await told(played)(people)
    assert not await make_one()
    row = await told(ask)(game, None, now())
    assert figures_text(row, "white") == "Waits for a worker of computer players."
    assert await make_one()
    assert not await make_one()
    row = await told(EngineAgreement.objects.get)()
    assert [row.result[role]["turns"] for role in ("white", "black")] == [3, 3]
    for role in ("white", "black"):
        assert 0 <= row.result[role]["same"] <= 3
        assert 0 <= row.result[role]["mean_loss"] <= 2
    assert figures_text(row, "white").endswith("(level 6, 300 nodes)")
    before = row.result
    await told(ask)(game, None, now())  # the same nodes give the same figures
    assert await make_one()
    row = await told(EngineAgreement.objects.get)()
    assert {**row.result, "cpu_s": 0} == {**before, "cpu_s": 0}


async def test_it_waits_while_a_computer_player_has_a_turn(people, monkeypatch, at_work) -> None:
    monkeypatch.setitem(agreement_maker.NODES, "pincer", 50)
    game = await told(played)(people, 2)
    await told(ask)(game, None, now())
    await asyncio.to_thread(agreement_maker.warm, "pincer")  # compiles, perhaps for minutes
    free, looks = False, 0

    def is_free() -> bool:
        nonlocal looks
        looks += 1
        return free

    making = asyncio.create_task(make_one(is_free=is_free))
    # More often than the game has turns.
    await wait_until(lambda: looks > 4, "the maker looks again whether it may go on")
    assert not making.done()
    assert (await told(EngineAgreement.objects.get)()).made is None
    free = True
    assert await making
    assert (await told(EngineAgreement.objects.get)()).made is not None


async def test_a_game_takes_bounded_time(people, monkeypatch, at_work) -> None:
    monkeypatch.setitem(agreement_maker.NODES, "pincer", 50)
    monkeypatch.setattr(agreement_maker, "MAX_CPU_S", 0.0001)
    game = await told(played)(people)
    await told(ask)(game, None, now())
    assert await make_one()
    row = await told(EngineAgreement.objects.get)()
    assert row.result["white"]["turns"] + row.result["black"]["turns"] == 1


async def test_without_its_engine_it_says_why_and_gives_up(people, monkeypatch, at_work) -> None:
    monkeypatch.setattr(agreement_maker, "is_available", lambda *args: False)
    game = await told(played)(people)
    await told(ask)(game, None, now())
    for _ in range(MAX_TRIES):
        assert await make_one()
    assert not await make_one()
    row = await told(EngineAgreement.objects.get)()
    assert figures_text(row, "white").startswith("Failed. The engine needs numba")


def test_a_dead_workers_game_is_taken_over_and_its_result_refused(people) -> None:
    game, at = played(people), now()
    ask(game, None, at)
    row = claim("one", at)
    assert claim("two", at) is None
    assert claim("two", at + LEASE_MS + 1) is not None
    engine_agreement.save(row, "one", {"white": {}}, at)
    assert not engine_agreement.extend(row, "one", at)
    assert EngineAgreement.objects.get().made is None


@pytest.mark.parametrize("address", ["", "/", "nowhere"])
def test_a_form_takes_rated_games_that_are_over_alone(people, staff, address) -> None:
    game, blotto = played(people), played(people, key="blotto")
    casual = played(people)
    Game.objects.filter(pk=casual.pk).update(is_rated=False)
    for wrong in (address, blotto.slug, casual.slug):
        assert staff.post(ADD, {"address": wrong}).status_code == 200
    assert not EngineAgreement.objects.exists()
    sent = staff.post(ADD, {"address": f"https://example.org/g/{game.slug}/"})
    assert sent.status_code == 302
    assert EngineAgreement.objects.get().by.username == "mona"
    assert staff.post(ADD, {"address": game.slug}).status_code == 302
    assert EngineAgreement.objects.count() == 1


def test_failed_comparisons_do_not_count_as_waiting(people, staff, monkeypatch) -> None:
    monkeypatch.setattr("ratings.fair_play.engine_agreement.MAX_WAITING", 1)
    failed, other, third = (played(people) for _ in range(3))
    ask(failed, None, now())
    EngineAgreement.objects.update(tries=MAX_TRIES, failure="no engine")
    assert staff.post(ADD, {"address": failed.slug}).status_code == 302  # and once more
    EngineAgreement.objects.update(tries=MAX_TRIES, failure="no engine")
    assert staff.post(ADD, {"address": other.slug}).status_code == 302
    assert "Too many games wait" in text_of(staff.post(ADD, {"address": third.slug}))


def test_a_report_shows_the_figures_with_a_sentence_and_offers_to_compare(people, staff) -> None:
    User.objects.update(date_joined=timezone.now() - timedelta(days=2))  # new ones write no text
    ada, bob = people
    game = played(people)
    line = chat_service.say("game", game.slug, ada.pk, "one", "insulting words", "").line
    chat_service.report("game", game.slug, bob.pk, line, "insult")
    address = f"/admin/chat/report/{Report.objects.get().pk}/change/"
    page = staff.get(address)
    assert NO_VERDICT in text_of(page)
    assert f'href="{ADD}?address={game.slug}"' in page.content.decode()
    result = {"turns": 4, "same": 3, "mean_loss": 0.0312}
    row = ask(game, None, now())
    row.made, row.result = now(), {"white": result, "black": {}, "level": 6, "nodes": 9}
    row.save()
    said = text_of(staff.get(address))
    assert "3 of 4 turns as the engine’s (75 %), mean loss of value 0.031" in said
    own = text_of(staff.get(f"/admin/ratings/engineagreement/{row.pk}/change/"))
    assert "ada: 3 of 4 turns" in own
    assert NO_VERDICT in own


def test_nobody_else_sees_it(people) -> None:
    ada, bob = people
    game = played(people)
    row = ask(game, None, now())
    row.made, row.result = now(), {"white": {"turns": 4, "same": 3, "mean_loss": 0.03125}}
    row.save()
    for user in (ada, bob):
        browser = browser_of(user)
        assert browser.get("/admin/ratings/engineagreement/").status_code != 200
        for path in (
            f"/g/{game.slug}/",
            f"/g/{game.slug}/record.json",
            "/u/ada/",
            "/ratings.jsonl",
        ):
            assert "0.03125" not in browser.get(path).content.decode()
    browser = staff_browser(account("max", is_staff=True))
    assert browser.get("/admin/ratings/engineagreement/").status_code == 403
    assert browser.get(ADD).status_code == 403
