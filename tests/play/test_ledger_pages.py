"""Ledger of a game as a page and as JSON."""

import json

import pytest

from games.ledger import GENESIS, chain_hash
from tests.play.test_game_pages import play

pytestmark = pytest.mark.django_db


def test_the_ledger_can_be_checked_from_its_texts_alone(client, opened, people):
    game = opened("blotto")
    play(game, people[0], 0, "troops 4 3 3")
    play(game, people[1], 0, "troops 3 3 4")
    ledger, head = client.get(f"/g/{game.slug}/ledger.json").json(), GENESIS
    for entry in ledger["entries"]:
        head = chain_hash(head, entry["text"])
        assert entry["hash"] == head
    assert (ledger["head"], ledger["rev"]) == (head, 2)
    assert (ledger["game"], ledger["key"]) == (game.slug, "blotto")
    kinds = [json.loads(entry["text"])["kind"] for entry in ledger["entries"]]
    assert kinds == ["open", "act", "act"]


def test_the_exported_record_has_the_same_entries(client, opened, people):
    game = opened("pincer")
    play(game, people[0], 0, "move 1 5 2 5")
    entries = client.get(f"/g/{game.slug}/ledger.json").json()["entries"]
    assert client.get(f"/g/{game.slug}/record.json").json()["ledger"] == entries


def test_the_page_shows_every_entry(client, opened, people):
    game = opened("pincer")
    play(game, people[0], 0, "move 1 5 2 5")
    answer = client.get(f"/g/{game.slug}/ledger/")
    for entry in client.get(f"/g/{game.slug}/ledger.json").json()["entries"]:
        assert entry["hash"] in answer.content.decode()


def test_no_names_stand_in_the_ledger(client, opened, people):
    game = opened("pincer")
    text = client.get(f"/g/{game.slug}/ledger.json").content.decode()
    assert not any(f'"{user.username}"' in text for user in people)


@pytest.mark.parametrize("path", ["ledger/", "ledger.json"])
def test_the_ledger_of_a_private_game_is_hidden_from_strangers(client, opened, people, path):
    game = opened("pincer", watch=False)
    assert client.get(f"/g/{game.slug}/{path}").status_code == 404
    client.force_login(people[1])
    assert client.get(f"/g/{game.slug}/{path}").status_code == 200
