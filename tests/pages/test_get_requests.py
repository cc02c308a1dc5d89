"""GET requests change nothing, redirect nowhere else and show staff no secrets.

Robots walk: every address of the site is asked for by GET, and every link of the pages followed.
"""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.apps import apps
from django.contrib.admin import site as admin
from django.core import serializers
from django.db import transaction
from django.test import Client

from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.models import Game, Sealed, Step
from play.runtime import game_commands
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import someone
from tests.support.run.gates import nightly
from tests.support.second_factor import staff_browser
from tests.support.sign_up_forms import PASSWORD, account
from tests.support.site_routes import addresses

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CANARY = "troops 1 7 2"
KEPT = {"accounts.Session"}  # made by each log-in
EVIL = [
    "https://evil.example/", "//evil.example", r"/\evil.example", r"\\evil.example",
    "https:evil.example", "https:///evil.example", "http:evil.example", "javascript:alert(1)",
    "data:text/html,x", "/\t/evil.example", "\t//evil.example", "//evil.example\\@testserver",
    "https://testserver@evil.example/", "///evil.example", "ftp://testserver/",
]  # fmt: skip
AWAY = re.compile(r"^\s*([a-z]+:(?!//testserver/)|[/\\]{2})", re.IGNORECASE)


class World:
    """Two who play, with a seal that waits, a lobby, and a keeper."""

    def __init__(self) -> None:
        self.ada, self.bob = account("ada"), account("bob")
        self.boss = account("boss", is_staff=True, is_superuser=True)
        with transaction.atomic():
            seats = {"white": self.ada, "black": self.bob}
            self.game = game_commands.open_game("blotto", NO_CLOCK, seats, public=True)
        self.seal()
        self.lobby = lobby_service.create(self.ada, Options("pincer", NO_CLOCK, "white", True))

    def seal(self) -> None:
        """Ada's troops wait; the row is all that there is of them."""
        Sealed.objects.create(
            game=self.game, number=0, role="white", action=CANARY, spent=0, at=1,
            **{name: "canary-salt" for name in ("salt",) if hasattr(Sealed, name)},
        )  # fmt: skip

    def browser(self, user: User | None) -> Client:
        """Somebody's browser; a stranger's for nobody."""
        client = Client()
        if user == self.boss:
            return staff_browser(self.boss)
        if user:
            client.force_login(user)
        return client

    def filled(self) -> list[str]:
        """Every address of the site, with what there is in place of its arguments."""
        values = {
            "slug": self.game.slug, "code": self.lobby.code, "name": "ada", "key": "pincer",
            "number": "1", "verb": "sit", "object_id": str(self.ada.pk), "app_label": "accounts",
            "content_type_id": "1", "uidb36": "1",
        }  # fmt: skip
        return addresses(values)


def everything() -> dict[str, str]:
    """All rows of all tables."""
    return {
        model._meta.label: serializers.serialize("json", model.objects.order_by("pk"))
        for model in apps.get_models()
        if model._meta.label not in KEPT
    }


def links(text: str) -> set[str]:
    """The addresses on this site that a page links to."""
    found = {part.replace("&amp;", "&") for part in re.findall(r'href="(/[^"#]*)', text)}
    return {link for link in found if not link.startswith(("/static/", "//"))}


@pytest.mark.parametrize("who", ["boss", *nightly(None, "ada")])
def test_a_robot_that_asks_for_every_address_changes_nothing(who) -> None:
    world = World()
    browser = world.browser(getattr(world, who) if who else None)
    browser.get("/admin/")
    before = everything()
    queue = [*world.filled(), "/"]
    asked: set[str] = set()
    while queue and len(asked) < 400:
        address = queue.pop()
        if address in asked:
            continue
        asked.add(address)
        response = browser.get(address)
        assert response.status_code < 500, address
        if "text/html" in response.get("Content-Type", ""):
            queue += sorted(links(response.content.decode()) - asked)
    assert len(asked) > 60
    after = everything()
    assert {label for label in before if before[label] != after[label]} == set()


def test_opening_the_link_of_a_mail_confirms_nothing(client) -> None:
    ada = account("ada")
    address = EmailAddress.objects.create(user=ada, email="ada@example.org")
    link = f"/e-mail/{EmailConfirmationHMAC(address).key}/"
    assert client.get(link).status_code == 200
    address.refresh_from_db()
    assert not address.verified


# Redirects.


@pytest.mark.parametrize("evil", EVIL)
def test_no_door_leads_to_another_site(evil) -> None:
    boss = account("boss", is_staff=True, is_superuser=True)
    inside, outside = Client(), Client()
    inside.force_login(boss)
    answers = [
        inside.get("/log-in/", {"next": evil}),
        inside.get("/sign-up/", {"next": evil}),
        inside.get("/admin/login/", {"next": evil}),
        inside.post("/language/setlang/", {"language": "en", "next": evil}),
        inside.post("/log-in/again/", {"password": PASSWORD, "next": evil}),
        outside.get("/admin/login/", {"next": evil}),
        outside.post("/chat/guest/", {"next": evil}),
        Client().post("/language/setlang/", {"language": "en"}, headers={"referer": evil.strip()}),
        Client().post("/log-in/", {"login": "boss", "password": PASSWORD, "next": evil}),
        Client().post(f"/log-in/?next={evil}", {"login": "boss", "password": PASSWORD}),
    ]
    for answer in answers:
        goal = answer.get("Location", "")
        assert not AWAY.match(goal), (answer.request["PATH_INFO"], goal)
        assert not re.match(r"/log-in/.*evil", goal), goal


@pytest.mark.parametrize("evil", EVIL)
def test_no_page_links_to_where_it_was_told_to(evil) -> None:
    page = Client().get("/log-in/", {"next": evil}).content.decode()
    linked = re.findall(r'(?:href|action)="([^"]*evil[^"]*)"', page)
    assert linked == []


# Pages of the admin.


def test_the_pages_of_the_keepers_show_no_seal() -> None:
    world = World()
    boss = world.browser(world.boss)
    queue, asked = ["/admin/"], set()
    while queue and len(asked) < 300:
        address = queue.pop()
        asked.add(address)
        response = boss.get(address)
        text = response.content.decode()
        assert CANARY not in text, address
        assert "1 7 2" not in text, address
        assert "canary-salt" not in text, address
        inside = {link for link in links(text) if link.startswith("/admin/")}
        queue += sorted(inside - asked - set(queue))
    assert f"/admin/accounts/user/{world.ada.pk}/change/" in asked


def test_no_table_of_games_is_in_the_admin_at_all() -> None:
    shown = {model._meta.label for model in admin._registry}
    assert not {label for label in shown if label.startswith(("play.", "bots.", "lobby."))}
    assert {model._meta.label for model in (Game, Step, Sealed, Lobby)}.isdisjoint(shown)


def test_a_keeper_sees_a_game_without_spectators_no_sooner_than_others() -> None:
    world = World()
    with transaction.atomic():
        seats = {"white": world.ada, "black": someone("cy")}
        hidden = game_commands.open_game("blotto", NO_CLOCK, seats, public=False, watch=False)
    assert world.browser(world.boss).get(f"/g/{hidden.slug}/").status_code == 404
