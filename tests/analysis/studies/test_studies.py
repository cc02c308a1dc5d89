"""Studies through their pages: kept, saved by compare-and-swap, shared, copied, deleted."""

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.account_service import delete_user
from accounts.models import User
from accounts.people.relations import block
from accounts.refusals import Refused
from analysis.studies import study_service
from analysis.studies.models import Study
from analysis.studies.study_refusals import StudyReason
from analysis.studies.study_requests import MAX_BODY_BYTES
from analysis.studies.study_tree import MAX_DEPTH, StudyNode, read_tree
from pages.deletion_tasks import _settle
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.analysis.studies.study_trees import as_json, make, post, random_tree
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, someone, text_of
from tests.support.second_factor import staff_browser
from tests.support.sign_up_forms import account

pytestmark = pytest.mark.django_db
OPENING = ["move 1 5 2 5", "move 7 3 6 3"]


@pytest.fixture
def ada(db):
    return browser_of(someone("ada"))


@pytest.fixture
def bob(db):
    return browser_of(someone("bob"))


def save(browser, slug, rev, **change):
    return post(browser, f"/study/{slug}/save", {"rev": rev, **change})


def status(browser, slug) -> int:
    return browser.get(f"/study/{slug}/").status_code


def data_of(page) -> dict:
    block = re.search(
        r'<script id="analysis" type="application/json">(.*?)</script>', page.content.decode()
    )
    return json.loads(block[1])


def stored(slug) -> Study:
    return Study.objects.get(slug=slug)


def test_a_tree_is_kept_and_shown_to_its_owner_alone(ada, bob) -> None:
    nodes = random_tree("pincer", 12)
    nodes[0].comment, nodes[0].mark = "A <script>alert(1)</script> idea", "!?"
    slug = make(ada, nodes=nodes, title="<b>Ideas</b>")
    page = ada.get(f"/study/{slug}/")
    assert b"<b>Ideas" not in page.content and b"<script>alert" not in page.content
    data = data_of(page)
    assert data["study"] == {
        "slug": slug,
        "rev": 1,
        "title": "<b>Ideas</b>",
        "visibility": "private",
        "is_own": True,
        "is_hidden": False,
    }
    assert data["nodes"][0]["comment"] == "A <script>alert(1)</script> idea"
    assert [node["actions"] for node in data["nodes"]] == [node.actions for node in nodes]
    for other in (bob, Client()):
        assert status(other, slug) == 404
        for ending in (".json", ".txt"):
            assert other.get(f"/study/{slug}{ending}").status_code == 404
        assert post(other, f"/study/{slug}/copy", "").status_code == 404


def test_link_and_public_studies_are_shown_but_only_public_ones_listed(ada, bob) -> None:
    slug = make(ada, title="Shared idea")
    for rev, visibility, is_listed in ((1, "link", False), (2, "public", True)):
        assert save(ada, slug, rev, visibility=visibility).json()["rev"] == rev + 1
        for reader in (bob, Client()):
            assert status(reader, slug) == 200
            assert not data_of(reader.get(f"/study/{slug}/"))["study"]["is_own"]
            assert ("Shared idea" in text_of(reader.get("/studies/pincer/"))) is is_listed
    assert save(ada, slug, 3, visibility="private").status_code == 200
    assert status(bob, slug) == 404
    assert "Shared idea" not in text_of(bob.get("/studies/pincer/"))


def test_studies_of_somebody_who_is_blocked_are_not_listed(ada, bob) -> None:
    slug = make(ada, title="Shared idea")
    save(ada, slug, 1, visibility="public")
    block(User.objects.get(username="bob"), "ada")
    assert "Shared idea" not in text_of(bob.get("/studies/pincer/"))
    assert "Shared idea" in text_of(Client().get("/studies/pincer/"))


def test_a_save_swaps_on_the_rev_and_a_second_tab_is_told(ada) -> None:
    nodes = random_tree("pincer", 4)
    slug = make(ada, nodes=nodes[:2])
    assert save(ada, slug, 1, nodes=as_json(nodes[:3])).json()["rev"] == 2
    answer = save(ada, slug, 1, nodes=as_json(nodes[:1]), title="Mine")
    assert answer.status_code == 409
    conflict = answer.json()["conflict"]
    assert (conflict["rev"], conflict["by"], conflict["title"]) == (2, "ada", "Ideas")
    assert len(conflict["nodes"]) == 3 and conflict["at"] == stored(slug).updated
    assert (stored(slug).title, stored(slug).turn_count) == ("Ideas", 3)


def test_a_repeated_save_is_confirmed_and_writes_nothing(ada) -> None:
    nodes = random_tree("pincer", 3)
    slug = make(ada, nodes=nodes[:1])
    for _ in range(3):
        answer = save(ada, slug, 1, nodes=as_json(nodes), title="New")
        assert (answer.status_code, answer.json()["rev"]) == (200, 2)
    assert stored(slug).rev == 2


def test_a_swap_lost_between_read_and_write_is_a_conflict(ada, monkeypatch) -> None:
    slug = make(ada)
    write = study_service._columns_of

    def slowly(study, change, **options):
        columns = write(study, change, **options)
        if options["is_current"]:
            Study.objects.filter(pk=study.pk).update(rev=7, title="Meanwhile")
        return columns

    monkeypatch.setattr(study_service, "_columns_of", slowly)
    answer = save(ada, slug, 1, title="Mine")
    assert answer.status_code == 409 and answer.json()["conflict"]["title"] == "Meanwhile"
    assert stored(slug).title == "Meanwhile"


def test_no_character_of_a_comment_stops_a_save(ada) -> None:
    slug = make(ada)
    typed = "a\x00b\tc\u202e \U0001fa77\r\nu\u0308"
    nodes = [{"parent": -1, "actions": OPENING, "comment": typed}]
    assert save(ada, slug, 1, nodes=nodes, title="Tea \U0001fae9").status_code == 200
    kept = stored(slug)
    assert read_tree(kept.tree)[0].comment == "ab c \U0001fa77\n\u00fc"
    assert kept.title == "Tea \U0001fae9"
    assert save(ada, slug, 1, nodes=nodes).json()["rev"] == 2  # the same text is no change


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"title": "  \u202e "}, 400, "no_title"),
        ({"title": "x" * 81}, 400, "long_title"),
        ({"title": "x" * 4000}, 400, "long_title"),
        ({"visibility": "everyone"}, 400, "malformed"),
        ({"nodes": [{"parent": 0, "actions": OPENING}]}, 400, "malformed"),
        ({"nodes": [{"parent": 5, "actions": OPENING}]}, 400, "malformed"),
        ({"nodes": [{"parent": -1, "actions": OPENING, "comment": "y" * 501}]}, 400, "malformed"),
        ({"nodes": [{"parent": -1, "actions": OPENING, "mark": "!!!"}]}, 400, "malformed"),
        ({"nodes": [{"parent": -1, "actions": OPENING, "more": 1}]}, 400, "malformed"),
        ({"nodes": [{"parent": -1, "actions": ["move 1 1 7 7"]}]}, 400, "illegal"),
        ({"nodes": [{"parent": -1, "actions": ["troops 4 4 2"]}]}, 400, "illegal"),
        ({"rev": "one"}, 400, "malformed"),
        ({"owner": 3}, 400, "malformed"),
    ],
)
def test_bad_saves_change_nothing(ada, change, status, reason) -> None:
    slug = make(ada, nodes=random_tree("pincer", 2))
    before = Study.objects.values().get(slug=slug)
    answer = save(ada, slug, **{"rev": 1, **change})
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (status, reason)
    assert answer.json()["refused"]["say"]
    assert Study.objects.values().get(slug=slug) == before


def test_trees_beyond_the_bounds_are_refused(ada) -> None:
    slug = make(ada)
    turn = {"parent": -1, "actions": ["play 4 1 4 7 7 7"]}
    for nodes, reason in (
        ([turn] * 5_001, "too_large"),
        ([{**turn, "comment": "é" * 250}] * 500, "too_large"),  # 257 KB and more
        ([{**turn, "parent": at - 1} for at in range(MAX_DEPTH + 1)], "malformed"),
        ([{"parent": at - 1, "actions": []} for at in range(10_000)], "too_large"),
    ):
        answer = save(ada, slug, 1, nodes=nodes)
        assert answer.json()["refused"]["reason"] == reason
    assert stored(slug).rev == 1


def test_an_illegal_turn_deep_in_a_tree_is_named(ada) -> None:
    nodes = random_tree("amazons-8x8", 40)
    broken = [*as_json(nodes), {"parent": 39, "actions": ["move 1 1 8 8", "fire 1 1"]}]
    body = {"rules": "amazons-8x8", "title": "Ideas", "nodes": broken}
    answer = post(ada, "/studies/new", body)
    assert answer.status_code == 400
    assert answer.json()["refused"]["detail"].startswith("turn 40:")
    assert not Study.objects.exists()


@pytest.mark.parametrize("body", ["", "[]", "{", "\xff", '{"rev": 1e99}', "null"])
def test_what_is_not_json_of_ours_is_refused(ada, body) -> None:
    slug = make(ada)
    for address in ("/studies/new", "/studies/import", f"/study/{slug}/save"):
        answer = post(ada, address, body)
        assert answer.status_code == 400 and answer.json()["refused"]["reason"] == "malformed"


def test_a_body_of_a_megabyte_is_not_read_whole(ada) -> None:
    slug = make(ada)
    for address in ("/studies/new", "/studies/import", f"/study/{slug}/save"):
        assert post(ada, address, "x" * 1_000_000).status_code == 413
        assert post(ada, address, "x" * (MAX_BODY_BYTES + 1)).status_code == 413


def test_guests_and_visitors_keep_no_studies(ada) -> None:
    guest = browser_of(User.objects.create(username="Guest-1", is_guest=True))
    slug = make(ada)
    save(ada, slug, 1, visibility="public")
    for browser in (guest, Client()):
        body = {"rules": "pincer", "title": "Ideas", "nodes": []}
        assert post(browser, "/studies/new", body).status_code == 403
        assert save(browser, slug, 2, title="Taken").status_code == 403
        assert browser.get(f"/study/{slug}/delete/").status_code == 404
        assert browser.post(f"/study/{slug}/copy").status_code == 302
        assert browser.get("/studies/").status_code == 200
        assert 'id="save-study"' not in browser.get("/analysis/pincer/").content.decode()
    assert Study.objects.count() == 1 and stored(slug).title == "Ideas"


def test_nobody_changes_the_study_of_another(ada, bob) -> None:
    slug = make(ada)
    save(ada, slug, 1, visibility="public")
    assert save(bob, slug, 2, title="Taken").status_code == 404
    assert bob.post(f"/study/{slug}/delete/").status_code == 404
    assert stored(slug).title == "Ideas"


def test_the_owner_of_a_hidden_study_cannot_copy_it(ada) -> None:
    slug = make(ada)
    study_service.hide(stored(slug), True)
    ada.post(f"/study/{slug}/copy")
    assert Study.objects.count() == 1
    with pytest.raises(Refused) as refused:
        study_service.copy(stored(slug).owner, stored(slug))
    assert refused.value.reason == StudyReason.HIDDEN


def test_a_public_study_is_copied_into_a_private_one(ada, bob) -> None:
    nodes = random_tree("pincer", 6)
    slug = make(ada, nodes=nodes)
    save(ada, slug, 1, visibility="link")
    answer = bob.post(f"/study/{slug}/copy")
    own = Study.objects.get(owner__username="bob")
    assert answer.url == own.get_absolute_url()
    assert (own.tree, own.turn_count, own.visibility) == (stored(slug).tree, 6, "private")


def test_an_exported_study_is_imported_again(ada) -> None:
    nodes = random_tree("amazons-8x8", 30)
    nodes[2].comment, nodes[4].mark = "Türkçe\nzwei Zeilen", "??"
    slug = make(ada, "amazons-8x8", nodes=nodes)
    export = ada.get(f"/study/{slug}.json").content
    answer = post(ada, "/studies/import", export)
    assert answer.status_code == 201
    own = Study.objects.exclude(slug=slug).get()
    assert (own.tree, own.title) == (stored(slug).tree, "Ideas")
    assert post(ada, "/studies/import", b"\xef\xbb\xbf" + export).status_code == 201
    assert post(ada, "/studies/import", b"\xef\xbb\xbf" * 2 + export).status_code == 400
    wrong = json.loads(export) | {"version": 2}
    assert post(ada, "/studies/import", wrong).status_code == 400
    wrong = json.loads(export) | {"rules": "pincer"}
    assert post(ada, "/studies/import", wrong).json()["refused"]["reason"] == "illegal"


def test_the_text_has_variations_marks_and_comments(ada) -> None:
    first = random_tree("pincer", 1)[0]
    other = random_tree("pincer", 1, seed=5)[0]
    assert first.actions != other.actions
    reply = next(n for n in random_tree("pincer", 9, known=[first])[1:] if n.parent == 0)
    reply = StudyNode(0, reply.actions)
    first.comment, first.mark = "One\ntwo", "!"
    slug = make(ada, nodes=[first, StudyNode(-1, other.actions, mark="?"), reply])
    text = ada.get(f"/study/{slug}.txt").content.decode()
    head, _, body = text.partition("\n\n")
    assert head.startswith("Title: Ideas\nGame: Pincer\nRules: pincer\nAuthor: ada\nChanged: 20")
    lines = body.splitlines()
    assert re.fullmatch(r"1\. \w\d-\w\d \w\d-\w\d !", lines[0]) and lines[1:3] == ["# One", "# two"]
    assert lines[3].startswith("  1. ") and lines[3].endswith(" ?")
    assert lines[4].startswith("2. ") and len(lines) == 5


def test_an_account_has_at_most_200_studies(ada, monkeypatch) -> None:
    monkeypatch.setattr(study_service, "MAX_STUDIES", 2)
    slug = make(ada)
    make(ada)
    body = {"rules": "pincer", "title": "Ideas", "nodes": []}
    answer = post(ada, "/studies/new", body)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (409, "too_many")
    ada.post(f"/study/{slug}/delete/")
    make(ada)


def test_a_study_is_deleted_after_a_question(ada) -> None:
    slug = make(ada, title="Gone soon")
    assert "Gone soon" in text_of(ada.get(f"/study/{slug}/delete/"))
    assert stored(slug)
    page = ada.post(f"/study/{slug}/delete/", follow=True)
    assert "was deleted" in text_of(page) and not Study.objects.exists()
    assert save(ada, slug, 1, title="Back").status_code == 404


def game_of(public=True, ends=True) -> TimedGame:
    white = User.objects.get(username="ada")
    game = TimedGame(white, User.objects.get(username="bob"), "pincer", NO_CLOCK, public)
    game.turn("white", seed=1)
    if ends:
        game.resign("white")
    return game


def keep_game(browser, game, **change):
    body = {"rules": "pincer", "title": "Our game", "nodes": [], "game": game.slug}
    return post(browser, "/studies/new", body | change)


def test_a_finished_game_is_the_source_of_a_study_and_may_be_deleted(ada, bob) -> None:
    game = game_of()
    assert f'data-game="{game.slug}"' in ada.get(f"/g/{game.slug}/analysis/").content.decode()
    slug = keep_game(ada, game).json()["url"].split("/")[2]
    assert f"/g/{game.slug}/" in ada.get(f"/study/{slug}/").content.decode()
    Game.objects.filter(slug=game.slug).delete()
    page = ada.get(f"/study/{slug}/")
    assert page.status_code == 200 and f"/g/{game.slug}/" not in page.content.decode()


def test_running_games_and_those_of_other_rules_are_no_source(ada, bob) -> None:
    running = game_of(ends=False)
    for browser in (ada, bob):
        assert keep_game(browser, running).status_code == 404
    over = game_of()
    assert keep_game(ada, over, rules="amazons").status_code == 404
    body = {"rules": "pincer", "title": "x", "nodes": [], "game": "nothing"}
    assert post(ada, "/studies/new", body).status_code == 404
    assert not Study.objects.exists()


def test_readers_do_not_learn_of_an_unlisted_game(ada, bob) -> None:
    game = game_of(public=False)
    slug = keep_game(ada, game).json()["url"].split("/")[2]
    save(ada, slug, 1, visibility="public")
    for browser, knows in ((ada, True), (bob, True), (Client(), False)):
        page = browser.get(f"/study/{slug}/")
        assert (game.slug in page.content.decode()) is knows
        assert (data_of(page)["names"]["white"] == "ada") is knows
    assert game.slug not in Client().get(f"/study/{slug}.json").content.decode()


def test_blotto_and_unknown_rules_have_no_studies(ada) -> None:
    for key in ("blotto", "chess", ""):
        body = {"rules": key, "title": "Ideas", "nodes": []}
        assert post(ada, "/studies/new", body).json()["refused"]["reason"] == "withdrawn"
        ada.post("/studies/start", {"rules": key})
    assert ada.get("/studies/blotto/").status_code == 404
    assert not Study.objects.exists()


def test_a_study_of_withdrawn_rules_can_be_downloaded_and_deleted(ada, bob) -> None:
    slug = make(ada)
    save(ada, slug, 1, visibility="public")
    Study.objects.update(rules="withdrawn")
    assert "isn’t available any more" in text_of(ada.get(f"/study/{slug}/"))
    assert status(bob, slug) == 404
    assert ada.get(f"/study/{slug}.json").json()["rules"] == "withdrawn"
    assert ada.get(f"/study/{slug}.txt").status_code == 404
    nodes = as_json(random_tree("pincer", 1))
    assert save(ada, slug, 2, nodes=nodes).json()["refused"]["reason"] == "withdrawn"
    assert "withdrawn" in text_of(ada.get("/studies/"))
    ada.post(f"/study/{slug}/delete/")
    assert not Study.objects.exists()


def test_hidden_studies_and_those_of_suspended_owners_are_the_owners_alone(ada, bob) -> None:
    slug = make(ada, title="Hidden idea")
    save(ada, slug, 1, visibility="public")
    study_service.hide(stored(slug), True)
    assert "A moderator has hidden this study" in text_of(ada.get(f"/study/{slug}/"))
    assert status(bob, slug) == 404
    assert "Hidden idea" not in text_of(bob.get("/studies/pincer/"))
    study_service.hide(stored(slug), False)
    assert status(bob, slug) == 200
    User.objects.filter(username="ada").update(is_active=False)
    assert status(bob, slug) == 404


def test_a_save_of_a_hidden_study_says_that_it_is_hidden_and_changes_nothing(ada) -> None:
    slug = make(ada, nodes=random_tree("pincer", 2))
    assert save(ada, slug, 1, visibility="public").json()["rev"] == 2
    study_service.hide(stored(slug), True)
    before = Study.objects.values().get(slug=slug)
    changes = (
        {"title": "Mine"},
        {"visibility": "link"},
        {"nodes": as_json(random_tree("pincer", 3))},
        {"nodes": []},
    )
    for rev in (2, 3):  # of a page that was opened before it was hidden, and after
        for change in changes:
            answer = save(ada, slug, rev, **change)
            refused = answer.json()["refused"]
            assert (answer.status_code, refused["reason"]) == (403, "hidden")
            assert refused["say"] == "A moderator has hidden this study. It can’t be changed."
    assert save(ada, slug, 1, visibility="public").json()["rev"] == 3  # no change
    assert Study.objects.values().get(slug=slug) == before
    study_service.hide(stored(slug), False)
    assert save(ada, slug, 4, title="Mine").json()["title"] == "Mine"


def test_a_study_hidden_between_read_and_write_is_refused_too(ada, monkeypatch) -> None:
    slug = make(ada)
    write = study_service._columns_of

    def slowly(study, change, **options):
        columns = write(study, change, **options)
        if options["is_current"]:
            study_service.hide(study, True)
        return columns

    monkeypatch.setattr(study_service, "_columns_of", slowly)
    answer = save(ada, slug, 1, title="Mine")
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, "hidden")
    assert stored(slug).title == "Ideas"


def test_the_page_of_a_hidden_study_has_no_fields_for_its_owner(ada) -> None:
    slug = make(ada)
    assert 'id="study-title"' in ada.get(f"/study/{slug}/").content.decode()
    study_service.hide(stored(slug), True)
    page = ada.get(f"/study/{slug}/")
    assert data_of(page)["study"]["is_hidden"] and data_of(page)["study"]["is_own"]
    assert "Only you see it, and it can’t be changed." in text_of(page)
    for field in ("study-title", "study-visibility", "save-state"):
        assert f'id="{field}"' not in page.content.decode()
    assert f'href="/study/{slug}/delete/"' in page.content.decode()


def test_moderators_hide_a_shared_study_and_do_not_see_private_ones(ada, bob) -> None:
    nodes = random_tree("pincer", 1)
    nodes[0].comment = "<script>rude</script>"
    shared, private = make(ada, title="Shared one", nodes=nodes), make(ada, title="Private one")
    save(ada, shared, 1, visibility="public")
    boss = staff_browser(account("boss", is_staff=True, is_superuser=True))
    page = text_of(boss.get("/admin/analysis/study/"))
    assert "Shared one" in page and "Private one" not in page
    study = stored(shared)
    shown = boss.get(f"/admin/analysis/study/{study.pk}/change/").content
    assert b"&lt;script&gt;rude" in shown and b"<script>rude" not in shown
    for action, code in (("hide", 404), ("show", 200)):
        chosen = {"action": action, "_selected_action": [study.pk]}
        assert boss.post("/admin/analysis/study/", chosen).status_code == 302
        assert status(bob, shared) == code
    assert boss.get(f"/admin/analysis/study/{stored(private).pk}/change/").status_code == 302


def test_lists_page_by_key_and_read_no_trees(ada, bob) -> None:
    owner = User.objects.get(username="ada")
    for number in range(65):
        slug = study_service.create(owner, "pincer", f"Idea {number}", []).slug
        Study.objects.filter(slug=slug).update(visibility="public", updated=1000 + number // 3)
    seen, address = [], "/studies/pincer/"
    while address:
        with CaptureQueriesContext(connection) as queries:
            page = bob.get(address).content.decode()
        assert not any('"tree"' in each["sql"] for each in queries)
        seen += re.findall(r">(Idea \d+)<", page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = f"/studies/pincer/{older[1]}" if older else None
    assert len(seen) == len(set(seen)) == 65
    for wrong in ("x", "1", "1.x", "-1.2", "9" * 30 + ".1"):
        assert bob.get(f"/studies/pincer/?before={wrong}").status_code == 404


def test_deletion_of_the_account_deletes_studies_and_the_copy_has_them(ada) -> None:
    from analysis.studies.study_export import export_studies

    slug = make(ada, nodes=random_tree("pincer", 3))
    user = User.objects.get(username="ada")
    (copy,) = export_studies(user.pk)
    assert (copy["id"], copy["title"], len(copy["nodes"])) == (slug, "Ideas", 3)
    delete_user(user.pk)
    _settle(user.pk)
    assert not Study.objects.exists()


def test_a_save_of_a_large_study_plays_only_its_line(ada, monkeypatch) -> None:
    from analysis.studies import study_tree

    nodes = random_tree("pincer", 400)
    slug = make(ada, nodes=nodes)
    played = []
    play = study_tree.play_turn
    monkeypatch.setattr(
        study_tree, "play_turn", lambda *about: played.append(about[1]) or play(*about)
    )
    more = random_tree("pincer", 401, seed=3, known=nodes)
    assert save(ada, slug, 1, nodes=as_json(more)).status_code == 200
    assert played == [400]
