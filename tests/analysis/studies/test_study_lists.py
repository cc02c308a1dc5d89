"""Public studies of a person: on the profile, newest first, and on a page of their own."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from analysis.studies import study_service
from analysis.studies.models import Study
from pages.profile import MAX_STUDIES
from tests.support.page_visitors import browser_of, someone, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db) -> User:
    return someone("ada")


def keep(owner: User, title: str, visibility: str = "public", updated: int = 0) -> Study:
    study = study_service.create(owner, "pincer", title, [])
    Study.objects.filter(pk=study.pk).update(
        visibility=visibility, updated=updated or study.updated
    )
    return Study.objects.get(pk=study.pk)


def titles(page) -> list[str]:
    return re.findall(r'<a href="/study/[^"]+" dir="auto">([^<]*)</a>', page.content.decode())


def test_a_profile_shows_the_newest_public_studies_and_a_link_to_all(ada) -> None:
    for at in range(1, MAX_STUDIES + 1):
        keep(ada, f"Idea {at}", updated=at)
    page = Client().get("/u/ada/")
    assert titles(page) == ["Idea 5", "Idea 4", "Idea 3", "Idea 2", "Idea 1"]
    assert "/u/ada/studies/" not in page.content.decode()
    keep(ada, "Idea 6", updated=6)
    page = Client().get("/u/ada/")
    assert titles(page) == ["Idea 6", "Idea 5", "Idea 4", "Idea 3", "Idea 2"]
    assert 'href="/u/ada/studies/"' in page.content.decode()
    assert titles(Client().get("/u/ada/studies/")) == [f"Idea {at}" for at in range(6, 0, -1)]


def test_games_have_the_order_of_other_pages() -> None:
    page = Client().get("/studies/pincer/").content.decode()
    keys = re.findall(r'href="/studies/([^"]+)/"', page)
    assert keys == ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]


def test_private_linked_hidden_and_withdrawn_studies_are_listed_for_nobody(ada) -> None:
    keep(ada, "Private", "private")
    keep(ada, "Linked", "link")
    study_service.hide(keep(ada, "Hidden"), True)
    Study.objects.filter(pk=keep(ada, "Withdrawn").pk).update(rules="withdrawn")
    keep(someone("bob"), "Of another")
    for browser in (Client(), browser_of(ada)):
        assert "studies-head" not in browser.get("/u/ada/").content.decode()
        page = browser.get("/u/ada/studies/")
        assert titles(page) == [] and "No public study yet." in text_of(page)


def test_studies_of_a_suspended_person_are_not_listed(ada) -> None:
    keep(ada, "Shared")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert titles(Client().get("/u/ada/")) == titles(Client().get("/u/ada/studies/")) == []


def test_the_list_of_a_person_pages_back_and_reads_no_trees(ada) -> None:
    for at in range(65):
        keep(ada, f"Idea {at}", updated=1000 + at // 3)
    found: list[str] = []
    address: str | None = "/u/ada/studies/"
    while address:
        with CaptureQueriesContext(connection) as queries:
            page = Client().get(address)
        assert not any('"tree"' in each["sql"] for each in queries)
        found += titles(page)
        older = re.search(r'rel="next" href="([^"]+)"', page.content.decode())
        address = f"/u/ada/studies/{older[1]}" if older else None
    assert len(found) == len(set(found)) == 65
    assert Client().get("/u/ada/studies/?before=x").status_code == 404


def test_the_list_lies_under_the_exact_name_of_an_account(ada) -> None:
    User.objects.create(username="Guest-1", is_guest=True)
    assert Client().get("/u/ADA/studies/").url == "/u/ada/studies/"
    for name in ("nobody", "Guest-1", "%00", "a b"):
        assert Client().get(f"/u/{name}/studies/").status_code == 404


def test_the_studies_cost_a_profile_one_query(ada) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Client().get("/u/ada/").status_code == 200
        return len(queries)

    cost()
    before = cost()
    for at in range(MAX_STUDIES + 3):
        keep(ada, f"Idea {at}")
    assert cost() == before
