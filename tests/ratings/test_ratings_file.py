"""The public file of ratings: accepted by `python -m games rate`, in pages, without names."""

import json
from errno import ENOSPC

import pytest
from django.core.management import CommandError, call_command

from games.__main__ import main
from games.rating.entry_parsing import BadEntry
from games.rating.recompute import recompute
from play.models import Game
from ratings.models import RatingEntry, Standing
from ratings.rules import public_file
from ratings.rules.generations import correct
from tests.support.rated_games import DAYS, apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db
FILE = "/ratings.jsonl"


@pytest.fixture
def played() -> list[str]:
    """Five rated games, one of them unlisted and one that does not count; their slugs."""
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    games = [
        rated_game(ada, bob),
        rated_game(bob, cy, "", public=False),
        rated_game(cy, ada, "black", clock=DAYS),
        rated_game(ada, cy, turns=1),
        rated_game(bob, ada, "black", "blotto"),
    ]
    apply_all()
    return [game.slug for game in games]


def test_there_is_no_file_before_a_game_was_rated(client) -> None:
    assert client.get(FILE).status_code == 404


def test_the_file_is_recomputed_to_the_last_digit(client, played, tmp_path, capsys) -> None:
    response = client.get(FILE)
    assert response.status_code == 200
    assert "Link" not in response
    lines = response.content.decode().splitlines()
    assert lines == read_public_file()
    result = recompute(lines)
    assert (result.games, result.rated) == (5, 4)
    exported = tmp_path / "ratings.jsonl"
    call_command("ratings", "--export", str(exported))
    assert exported.read_bytes() == response.content
    assert main(["rate", str(exported)]) == 0
    exported.write_bytes(b"\xef\xbb\xbf" + exported.read_bytes())
    assert main(["rate", str(exported)]) == 0
    assert "5 games, 4 of them rated: right" in capsys.readouterr().out


def test_the_file_has_no_name_and_the_address_of_each_game(client, played) -> None:
    text = client.get(FILE).content.decode()
    games = [json.loads(line).get("game") for line in text.splitlines()[1:]]
    assert games == played
    for name in ("ada", "bob", "cy"):
        assert f'"{name}"' not in text


def test_pages_one_after_the_other_are_the_file(client, played, monkeypatch) -> None:
    correct([played[1]], True, "unfair", "test")
    whole = "\n".join(read_public_file()) + "\n"
    monkeypatch.setattr(public_file.page_of, "__defaults__", (2, None))
    text, address = "", FILE
    while address:
        response = client.get(address)
        assert response.status_code == 200
        text += response.content.decode()
        link = response.get("Link", "")
        assert link == "" or link.endswith('>; rel="next"')
        address = link[1 : link.index(">")] if link else ""
    assert text == whole
    assert recompute(text.splitlines()).games == 5


def test_pages_end_where_the_header_says_while_games_go_on(client, played, monkeypatch) -> None:
    whole = "\n".join(read_public_file()) + "\n"
    monkeypatch.setattr(public_file.page_of, "__defaults__", (3, None))
    response = client.get(FILE)
    text = response.content.decode()
    with pytest.raises(BadEntry, match="ends with entry 3, and by its header with entry 5"):
        recompute(text.splitlines())
    rated_game(*create_accounts("dan", "eve"))
    apply_all()
    link = response["Link"]
    rest = client.get(link[1 : link.index(">")])
    assert "Link" not in rest
    assert text + rest.content.decode() == whole
    with pytest.raises(BadEntry, match="not “quiver-ratings”"):
        recompute(rest.content.decode().splitlines())


def test_pages_of_a_generation_stay_the_same_while_another_is_made(client, played) -> None:
    first = client.get(FILE).content
    number = json.loads(first.splitlines()[0])["generation"]
    correct([played[0]], True, "unfair", "test")
    assert client.get(FILE).content != first
    assert client.get(f"{FILE}?generation={number}").content == first


def test_a_withdrawn_rule_set_leaves_its_games_in_the_file(client, played, tmp_path) -> None:
    for model in (Game, RatingEntry, Standing):
        model.objects.filter(rules="pincer").update(rules="withdrawn-2")
    assert '"pool":"withdrawn-2/live"' in client.get(FILE).content.decode()
    exported = tmp_path / "ratings.jsonl"
    call_command("ratings", "--export", str(exported))
    assert main(["rate", str(exported)]) == 0
    call_command("ratings", "--check")
    call_command("ratings", "--rebuild")
    assert recompute(read_public_file()).rated == 4


def test_an_unchanged_file_is_not_sent_again(client, played) -> None:
    etag = client.get(FILE)["ETag"]
    again = client.get(FILE, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    rated_game(*create_accounts("dan", "eve"))
    apply_all()
    changed = client.get(FILE, headers={"If-None-Match": etag})
    assert (changed.status_code, changed["ETag"] != etag) == (200, True)


@pytest.mark.parametrize(
    "query",
    [
        "after=x",
        "after=-1",
        "after=9" + "9" * 20,
        "generation=0",
        "last=4",
        "after=4&last=4",
        "after=1&last=6",
    ],
)
def test_what_no_file_has_is_not_found(client, played, query) -> None:
    assert client.get(f"{FILE}?{query}").status_code == 404


def test_a_page_after_the_end_is_empty(client, played) -> None:
    assert client.get(f"{FILE}?after=5").content == b""


def test_the_command_corrects_and_exports_an_earlier_generation(played, tmp_path, capsys) -> None:
    before = read_public_file()
    number = json.loads(before[0])["generation"]
    call_command("ratings", "--annul", played[0], "--reason", "unfair")
    call_command("ratings", "--restore", played[0], "--reason", "by mistake")
    call_command("ratings", "--rebuild")
    exported = tmp_path / "first.jsonl"
    call_command("ratings", "--export", str(exported), "--generation", str(number))
    assert exported.read_text().splitlines() == before


def test_an_export_that_fails_leaves_the_earlier_file(played, tmp_path, monkeypatch) -> None:
    exported = tmp_path / "ratings.jsonl"
    call_command("ratings", "--export", str(exported))
    before = exported.read_bytes()

    def fill_disk(generation, after):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(public_file, "page_of", fill_disk)
    with pytest.raises(CommandError, match="could not be written: No space left") as refused:
        call_command("ratings", "--export", str(exported))
    assert refused.value.returncode == 1
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [before]


def test_an_export_goes_to_a_file_alone(played, tmp_path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "ratings.jsonl"):
        with pytest.raises(CommandError, match="could not be written"):
            call_command("ratings", "--export", str(path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["--annul", "nowhere"], 2),
        (["--reason", "unfair"], 2),
        (["--check", "--annul", "nowhere", "--reason", "unfair"], 2),
        (["--annul", "nowhere", "--reason", "unfair"], 1),
        (["--export", "nowhere.jsonl", "--generation", "99"], 2),
    ],
)
def test_a_wrong_call_says_so_and_changes_nothing(played, arguments, code) -> None:
    before = read_public_file()
    with pytest.raises(CommandError) as refused:
        call_command("ratings", *arguments)
    assert refused.value.returncode == code
    assert read_public_file() == before
