"""Rulings of staff: stored by the admin, carried out by a worker, reversible."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from chat import chat_service
from chat.models import Report
from play.domain.clocks import DAY_MS, now
from play.storage import leases
from ratings.fair_play.models import Ruling
from ratings.fair_play.rulings import (
    INTERVAL_S,
    RulingTask,
    apply_waiting,
    counted_games,
    make_ruling,
)
from ratings.models import Generation, RatingEntry, Standing
from ratings.rules import generations
from ratings.rules.fold_check import check_current
from tests.ratings.fair_play.incident_games import resigned_early
from tests.support.page_visitors import text_of
from tests.support.rated_games import apply_all, create_accounts, rated_game
from tests.support.second_factor import browser_with_rights, staff_browser
from tests.support.sign_up_forms import account

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/ruling/add/"
RIGHTS = ("view_ruling", "add_ruling", "view_report", "change_report", "view_user", "change_user")


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob", "cy")


@pytest.fixture
def staff(db) -> Client:
    return browser_with_rights("mona", *RIGHTS)


def ratings_of(user: User) -> list[int]:
    return list(
        Standing.objects.current().filter(person__user=user).values_list("rating", flat=True)
    )


def form(**about: str) -> dict[str, str]:
    return {"action": "annul", "reason": "Two accounts of one person.", **about}


def run_task() -> None:
    while RulingTask().run("worker", now()) == 0.0:
        pass


def test_all_games_of_a_person_are_annulled_in_one_generation_and_restored(people, staff) -> None:
    ada, bob, cy = people
    for winner, loser in ((ada, bob), (bob, ada), (ada, cy), (bob, cy)):
        rated_game(winner, loser)
    apply_all()
    before = {user: ratings_of(user) for user in people}
    assert staff.post(ADD, form(player="ada")).status_code == 302
    assert {user: ratings_of(user) for user in people} == before  # no request folds the log
    run_task()
    assert Generation.objects.filter(made__isnull=False).count() == 2
    assert RatingEntry.objects.filter(kind="annulment").count() == 3
    assert ratings_of(ada) == []
    assert ratings_of(bob) != before[bob]
    assert check_current() is not None
    [ruling] = Ruling.objects.all()
    assert (ruling.person, ruling.by.username, len(ruling.games)) == (ada, "mona", 3)
    page = staff.get(f"/admin/ratings/ruling/{ruling.pk}/change/")
    assert "Restore these games…" in text_of(page)
    undo = form(action="restore", ruling=str(ruling.pk), reason="It was an error.")
    assert staff.post(ADD, undo).status_code == 302
    run_task()
    assert {user: ratings_of(user) for user in people} == before
    assert check_current() is not None


def test_one_game_is_named_by_its_address(people, staff) -> None:
    ada, bob, _ = people
    game, other = rated_game(ada, bob), rated_game(bob, ada)
    apply_all()
    staff.post(ADD, form(game=f"https://example.org/g/{game.slug}/"))
    run_task()
    [entry] = RatingEntry.objects.filter(kind="annulment")
    assert (entry.game.slug, entry.reason) == (game.slug, "Two accounts of one person.")
    assert counted_games(ada.pk) == [other.slug]


def test_games_since_a_day(people, staff) -> None:
    ada, bob, _ = people
    rated_game(ada, bob)
    late = rated_game(ada, bob, at=now() + 60_000)
    apply_all()
    RatingEntry.objects.exclude(game=late.game).update(at=now() - 5 * DAY_MS)
    since = (now() - 2 * DAY_MS) // 1000
    assert counted_games(ada.pk, since * 1000) == [late.slug]


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"player": "nobody"}, "No one has that name."),
        ({"player": "cy"}, "There is no rated game to annul."),
        ({"player": "ada", "game": "x"}, "Name one game, one player or one earlier ruling."),
        ({}, "Name one game, one player or one earlier ruling."),
        ({"player": "ada", "reason": ""}, "This field is required."),
        ({"player": "ada", "reason": "\u202e"}, "This field is required."),
        ({"player": "ada", "reason": "x" * 201}, "at most 200 characters"),
        ({"player": "ada", "action": "restore"}, "There is no annulled game to restore."),
        ({"player": "ada", "action": "erase"}, "erase is not one of the available choices"),
        ({"game": "x", "since": "2026-01-01"}, "It is for the games of a player."),
        ({"game": "x"}, "There is no rated game to annul."),
    ],
)
def test_a_wrong_form_says_why_and_changes_nothing(people, staff, wrong, complaint) -> None:
    rated_game(*people[:2])
    apply_all()
    answer = staff.post(ADD, form(**wrong))
    assert answer.status_code == 200
    assert complaint in text_of(answer)
    assert not Ruling.objects.exists()


def test_staff_without_the_right_cannot_rule(people) -> None:
    browser = staff_browser(account("max", is_staff=True))
    rated_game(*people[:2])
    apply_all()
    assert browser.get(ADD).status_code == 403
    assert browser.post(ADD, form(player="ada")).status_code == 403
    assert not Ruling.objects.exists()


def test_a_ruling_waits_while_another_process_folds(people, records) -> None:
    ada, bob, _ = people
    rated_game(ada, bob)
    apply_all()
    make_ruling(counted_games(ada.pk), True, "A test.", None)
    leases.take(generations.LEASE, "other", now(), generations.LEASE_MS)
    assert RulingTask().run("worker", now()) > INTERVAL_S
    assert "Another process" in Ruling.objects.get().failure
    leases.give_back(generations.LEASE, "other")
    run_task()
    ruling = Ruling.objects.get()
    assert (ruling.applied is not None, ruling.failure) == (True, "")
    assert [each["event"] for each in records.as_json()] == ["ruling_waits"]


def test_a_ruling_whose_worker_died_before_noting_it_changes_nothing_more(people) -> None:
    ada, bob, _ = people
    rated_game(ada, bob)
    apply_all()
    make_ruling(counted_games(ada.pk), True, "A test.", None)
    run_task()
    Ruling.objects.update(applied=None)
    generation = Generation.objects.get(is_current=True).pk
    assert apply_waiting("another")
    assert Generation.objects.get(is_current=True).pk == generation
    assert RatingEntry.objects.filter(kind="annulment").count() == 1


def test_who_suspends_somebody_is_offered_to_annul_the_games(people, staff) -> None:
    ada, bob, _ = people
    rated_game(ada, bob)
    apply_all()
    posted = {"action": "suspend", "_selected_action": [ada.pk]}
    page = staff.post("/admin/accounts/user/", posted, follow=True)
    assert "Annul the 1 rated game of ada…" in text_of(page)
    assert f"{ADD}?action=annul&amp;player=ada" in page.content.decode()
    assert 'value="ada"' in staff.get(f"{ADD}?action=annul&player=ada").content.decode()
    assert not User.objects.get(pk=ada.pk).is_active


def test_a_report_shows_the_incidents_of_its_author(people, staff) -> None:
    ada, bob, _ = people
    User.objects.update(date_joined=timezone.now() - timedelta(days=2))  # new ones write no text
    game = resigned_early(ada, bob)
    apply_all()
    line = chat_service.say("game", game.slug, ada.pk, "one", "insulting words", "").line
    chat_service.report("game", game.slug, bob.pk, line, "insult")
    report = Report.objects.get()
    address = f"/admin/chat/report/{report.pk}/change/"
    page = staff.get(address)
    assert "Resigned early" in text_of(page)
    assert f'href="/g/{game.slug}/"' in page.content.decode()
    posted = {"_suspend": "Suspend the account", "confirmed": "yes"}
    assert "Annul the 1 rated game of ada…" in text_of(staff.post(address, posted, follow=True))
