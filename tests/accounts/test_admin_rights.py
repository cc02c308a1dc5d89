"""Limits of staff members with few rights in the admin."""

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db.models.signals import pre_save

from accounts.account_service import suspend
from accounts.models import User
from lobby.models import Lobby
from play.models import Game
from tests.support.page_visitors import game_of, someone
from tests.support.second_factor import browser_with_rights
from tests.support.sign_up_forms import account

pytestmark = pytest.mark.django_db
USERS = "/admin/accounts/user/"


@pytest.mark.parametrize(
    "lookup",
    [
        "email__startswith=victim@",
        "email__gt=a",
        "password__startswith=argon2",
        "password__contains=$",
        "born_of__gt=0",
        "last_login__year=2026",
        "era=0",
        "emailaddress__email__startswith=v",
        "sessions__gt=0",
    ],
)
@pytest.mark.parametrize("is_superuser", [False, True])
def test_no_filter_asks_for_what_no_page_shows(lookup: str, is_superuser: bool) -> None:
    browser = browser_with_rights("mona", "view_user", is_superuser=is_superuser)
    account("victim", email="victim@example.org")
    assert browser.get(f"{USERS}?{lookup}").status_code == 400


def test_the_filters_that_the_page_offers_work() -> None:
    browser = browser_with_rights("mona", "view_user")
    account("victim")
    for query in ("is_active__exact=1", "is_guest__exact=0", "q=vic", "o=1", "all="):
        response = browser.get(f"{USERS}?{query}")
        assert response.status_code == 200
        assert "victim" in response.content.decode()


def test_the_admin_leads_nobody_to_private_games_and_lobbies() -> None:
    browser = browser_with_rights("mona")
    host = someone("host")
    game = game_of(host, someone("guest"), public=False, watch=False)
    lobby = Lobby.objects.create(host=host, rules="pincer", side="white", is_public=False)
    for model, row in ((Game, game), (Lobby, lobby)):
        kind = ContentType.objects.get_for_model(model)
        response = browser.get(f"/admin/r/{kind.pk}/{row.pk}/")
        assert (response.status_code, response.headers.get("Location")) == (404, None)


def test_the_page_of_an_account_links_to_its_profile() -> None:
    browser = browser_with_rights("mona", "change_user", "view_user")
    page = browser.get(f"{USERS}{account('victim').pk}/change/").content.decode()
    assert 'href="/u/victim/"' in page
    guest = User.objects.create(username="amber-heron-47", is_guest=True)
    assert browser.get(f"{USERS}{guest.pk}/change/").status_code == 200


def test_staff_is_changed_by_superusers_only() -> None:
    browser = browser_with_rights("mona", "change_user", "view_user")
    other = account("mike", is_staff=True)
    form = {"action": "suspend", "_selected_action": [other.pk]}
    assert browser.post(USERS, form).headers["Location"] == USERS
    changed = browser.post(f"{USERS}{other.pk}/change/", {"username": "mike2"})
    assert changed.status_code == 403
    other.refresh_from_db()
    assert (other.is_active, other.username) == (True, "mike")


def test_saving_the_form_takes_back_nothing_that_happened_meanwhile() -> None:
    browser = browser_with_rights("mona", "change_user", "view_user")
    user = account("victim")

    def meanwhile(sender: object, instance: User, **about: object) -> None:
        if instance.pk == user.pk:
            suspend(user.pk)
            User.objects.filter(pk=user.pk).update(password="another")

    pre_save.connect(meanwhile, sender=User)
    try:
        form = {"username": "renamed", "is_active": "on"}
        browser.post(f"{USERS}{user.pk}/change/", form)
    finally:
        pre_save.disconnect(meanwhile, sender=User)
    user.refresh_from_db()
    assert (user.username, user.password) == ("renamed", "another")
    assert (user.is_active, user.era) == (False, 1)
