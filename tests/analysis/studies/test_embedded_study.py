"""A public study in a frame of another site: access, and no use of sessions."""

import json
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.limits import rate_limits
from accounts.models import User
from analysis.studies import embedded_views, study_service
from analysis.studies.models import Study
from analysis.studies.study_tree import StudyNode, line_through
from games.catalogue import rules_of
from tests.analysis.studies.study_trees import as_json, make, post, random_tree
from tests.support.page_visitors import browser_of, someone, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    return browser_of(someone("ada"))


def publish(browser, key="pincer", nodes=(), visibility="public", **about) -> str:
    """A study with its visibility; its slug."""
    slug = make(browser, key, nodes=nodes, **about)
    answer = post(browser, f"/study/{slug}/save", {"rev": 1, "visibility": visibility})
    assert answer.status_code == 200
    return slug


def address(slug: str) -> str:
    return f"/studies/{slug}/embed/"


def line(slug: str, at: object, rev: object = 2, browser=None):
    return (browser or Client()).get(f"{address(slug)}line", {"at": at, "rev": rev})


def data_of(page) -> dict:
    block = re.search(
        r'<script id="study-data" type="application/json">(.*?)</script>', page.content.decode()
    )
    return json.loads(block[1])


def policy_of(answer) -> dict[str, str]:
    parts = (each.partition(" ") for each in answer["Content-Security-Policy"].split("; "))
    return {name: sources for name, _, sources in parts}


def test_a_public_study_is_shown_with_its_moves_and_comments(ada) -> None:
    nodes = random_tree("pincer", 8)
    nodes[1].comment, nodes[2].mark = "</script><b>Wide</b>", "!?"
    page = Client().get(address(publish(ada, nodes=nodes, title="<i>Ideas</i>")))
    assert page.status_code == 200
    assert b"<b>Wide" not in page.content and b"<i>Ideas" not in page.content
    data = data_of(page)
    assert [node["actions"] for node in data["nodes"]] == [node.actions for node in nodes]
    assert data["nodes"][1]["comment"] == "</script><b>Wide</b>"
    assert "by ada" in text_of(page)


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "amazons", "pincer"])
def test_the_line_of_a_turn_has_the_positions_of_its_game(ada, key) -> None:
    nodes = random_tree(key, 30)
    slug, rules = publish(ada, key, nodes), rules_of(key)
    for at in (0, 7, 29):
        found = line(slug, at).json()["nodes"]
        assert [place for place, _ in found] == line_through(nodes, at)
        for place, node in found:
            assert node["actions"] == nodes[place].actions
            assert rules.write(rules.read(node["position"])) == node["position"]


def test_a_line_goes_on_with_what_follows_first() -> None:
    nodes = [StudyNode(parent, []) for parent in (-1, 0, 0, 2, 1, 4, 2)]
    assert line_through(nodes, 0) == [0, 1, 4, 5]
    assert line_through(nodes, 2) == [0, 2, 3]
    assert line_through(nodes, 6) == [0, 2, 6]


def test_private_linked_hidden_and_withdrawn_studies_are_not_found(ada) -> None:
    nodes = random_tree("pincer", 2)
    private, linked = make(ada, nodes=nodes), publish(ada, nodes=nodes, visibility="link")
    hidden, withdrawn = publish(ada, nodes=nodes), publish(ada, nodes=nodes)
    study_service.hide(Study.objects.get(slug=hidden), True)
    Study.objects.filter(slug=withdrawn).update(rules="withdrawn")
    for slug in (private, linked, hidden, withdrawn, "nothing"):
        for browser in (Client(), ada):
            page = browser.get(address(slug))
            assert page.status_code == 404
            assert page["X-Frame-Options"] == "DENY"
            assert policy_of(page)["frame-ancestors"] == "'none'"
            assert all(line(slug, 0, rev, browser).status_code == 404 for rev in (1, 2, 3))


def test_the_study_of_a_suspended_owner_is_not_found(ada) -> None:
    slug = publish(ada, nodes=random_tree("pincer", 1))
    User.objects.filter(username="ada").update(is_active=False)
    assert Client().get(address(slug)).status_code == line(slug, 0).status_code == 404


def test_any_site_may_frame_the_page_and_nothing_else(ada) -> None:
    slug = publish(ada, nodes=random_tree("pincer", 1))
    page = Client().get(address(slug))
    assert "X-Frame-Options" not in page
    policy = policy_of(page)
    assert policy["frame-ancestors"] == "*"
    assert (policy["connect-src"], policy["form-action"]) == ("'self'", "'none'")  # no sockets
    for other in (f"/study/{slug}/", f"/study/{slug}.json", "/studies/pincer/", "/u/ada/"):
        answer = Client().get(other)
        assert answer["X-Frame-Options"] == "DENY"
        assert policy_of(answer)["frame-ancestors"] == "'none'"
    answer = line(slug, 0)
    assert answer["X-Frame-Options"] == "DENY"
    assert policy_of(answer)["frame-ancestors"] == "'none'"


def test_no_session_is_read_and_no_cookie_is_set(ada) -> None:
    slug = publish(ada, nodes=random_tree("pincer", 1))
    strangers = [Client().get(address(slug)), line(slug, 0)]
    with CaptureQueriesContext(connection) as queries:
        own = [ada.get(address(slug)), line(slug, 0, browser=ada)]
    assert not any("accounts_session" in each["sql"] for each in queries)
    assert len(queries) == 2  # the study, twice
    for answer, stranger in zip(own, strangers, strict=True):
        assert answer.content == stranger.content
        assert not answer.wsgi_request.session.accessed
        assert not answer.cookies and "Cookie" not in answer.get("Vary", "")
    for part in ("csrfmiddlewaretoken", "<form", "data-session", "chat"):
        assert part not in own[0].content.decode()


def test_a_line_of_another_rev_or_turn_is_refused(ada) -> None:
    nodes = random_tree("pincer", 3)
    slug = publish(ada, nodes=nodes)
    for at in (-1, 3, "x", "", "9" * 5000):
        assert line(slug, at).status_code == 400
    assert line(slug, 0, rev="x").status_code == 400
    post(ada, f"/study/{slug}/save", {"rev": 2, "nodes": as_json(nodes[:1])})
    assert line(slug, 0, rev=2).status_code == 409
    assert line(slug, 0, rev=3).status_code == 200


def test_frames_are_limited_by_network_alone(ada, monkeypatch) -> None:
    slug = publish(ada, nodes=random_tree("pincer", 1))
    monkeypatch.setattr(embedded_views, "VIEWS", rate_limits.Limit("embed-test", 1, 3))
    ada.defaults["REMOTE_ADDR"] = "203.0.113.9"
    answers = [ada.get(address(slug)), line(slug, 0, browser=ada), ada.get(address(slug))]
    assert [each.status_code for each in answers] == [200, 200, 200]
    refused = ada.get(address(slug))
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert not refused.cookies and not refused.wsgi_request.session.accessed


def test_only_reading_is_allowed(ada) -> None:
    slug = publish(ada)
    for path in (address(slug), f"{address(slug)}line"):
        assert Client().post(path).status_code == 405


def test_the_page_of_a_public_study_offers_the_html(ada) -> None:
    slug = publish(ada, title='A "wide" <idea>')
    page = Client().get(f"/study/{slug}/").content.decode()
    code = re.search(r'<code[^>]*id="embed-code"[^>]*>(.*?)</code>', page)[1]
    assert f"src=&quot;{settings.ORIGIN}/studies/{slug}/embed/&quot;" in code
    assert "title=&quot;A &amp;quot;wide&amp;quot; &amp;lt;idea&amp;gt;&quot;" in code


def test_the_html_is_offered_for_public_studies_alone(ada) -> None:
    linked, public = publish(ada, visibility="link"), publish(ada)
    assert 'id="study-embed"' not in Client().get(f"/study/{linked}/").content.decode()
    section = '<details class="study-embed" id="study-embed"'
    assert f"{section} hidden>" in ada.get(f"/study/{linked}/").content.decode()
    assert f"{section}>" in ada.get(f"/study/{public}/").content.decode()
    study_service.hide(Study.objects.get(slug=public), True)
    assert section not in ada.get(f"/study/{public}/").content.decode()
