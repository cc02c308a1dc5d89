"""Game page and its data for programs."""

import asyncio
import json
import re

import pytest

from play.domain import clocks, commands
from play.runtime import game_commands
from play.storage import load
from tests.support.loop_runtime import close_runtime, game_service
from tests.support.page_visitors import has_word

pytestmark = pytest.mark.django_db


def embedded(answer, name: str):
    """The JSON that a page carries under a name."""
    text = answer.content.decode()
    start = text.index(">", text.index(f'<script id="{name}"')) + 1
    return json.loads(text[start : text.index("</script>", start)])


def play(game, user, step, *actions) -> None:
    """One turn, as its socket would have sent it."""

    async def turn():
        await game_commands.perform(
            game_service(),
            game.slug,
            user.pk,
            commands.Act(f"turn-{step}", step, actions),
            clocks.now(),
        )
        await close_runtime()

    asyncio.run(turn())


def test_the_page_carries_the_state_of_whoever_asks(client, opened, people):
    game = opened("pincer")
    seen = {}
    for user in (*people, None):
        client.logout()
        if user:
            client.force_login(user)
        state = embedded(client.get(game.get_absolute_url()), "snapshot")
        seen[user and user.username] = (state["you"], state["prompt"] is not None, state["may"])
    assert seen == {
        "ada": ("white", True, ["resign", "draw", "abort"]),
        "bob": ("black", False, ["resign", "draw", "abort"]),
        "cy": (None, False, []),
        None: (None, False, []),
    }


def test_looking_makes_no_user_and_no_session(client, opened):
    from accounts.models import User

    game, before = opened("pincer"), User.objects.count()
    for path in ("", "steps", "record.json", "ledger/", "ledger.json"):
        assert client.get(f"/g/{game.slug}/{path}").status_code == 200
    assert User.objects.count() == before
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize(
    "path", ["/g/{}/", "/g/{}/steps", "/g/{}/record.json", "/g/{}/ledger/", "/g/{}/ledger.json"]
)
def test_a_guessed_address_is_not_found(client, opened, path):
    slug = opened("pincer", public=False).slug
    wrong = slug[:-1] + ("1" if slug[-1] != "1" else "2")
    assert client.get(path.format(wrong)).status_code == 404
    assert client.post(path.format(slug)).status_code == 405


@pytest.mark.parametrize(
    "path", ["", "steps", "record.json", "picture.png", "ledger/", "ledger.json"]
)
def test_a_game_of_a_withdrawn_rule_set_is_gone(client, opened, path):
    game = opened("pincer")
    type(game).objects.update(rules="withdrawn")
    assert client.get(f"/g/{game.slug}/{path}").status_code == 404


def test_steps_are_fetched_by_number_with_the_position_after_each(client, opened, people):
    game = opened("amazons-10x10")
    play(game, people[0], 0, "move 4 1 4 7", "fire 7 7")
    steps = client.get(f"/g/{game.slug}/steps?from=1").json()["steps"]
    assert [(step["n"], step["text"]) for step in steps] == [(1, {"white": "/g7"})]
    assert steps[0]["view"]["to_move"] == "black"
    assert steps[0]["spent"] == {"white": 0}
    assert steps[0]["at"] == embedded(client.get(f"/g/{game.slug}/"), "snapshot")["clock"]["since"]


@pytest.mark.parametrize("start", ["-1", "x", "1e3", "9" * 40, "١", ""])
def test_a_start_that_is_no_number_is_refused(client, opened, start):
    answer = client.get(f"/g/{opened('pincer').slug}/steps", {"from": start})
    assert answer.status_code == 400
    assert "error" in answer.json()


def test_a_record_is_what_the_command_line_reads(client, opened, people, tmp_path, capsys):
    from games.__main__ import main

    game = opened("blotto")
    play(game, people[0], 0, "troops 5 5 0")
    assert client.get(f"/g/{game.slug}/record.json").json()["actions"] == []
    play(game, people[1], 0, "troops 4 3 3")
    answer = client.get(f"/g/{game.slug}/record.json")
    disposition = answer.headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="blotto-ada-bob-\d{4}-\d\d-\d\d\.json"', disposition)
    path = tmp_path / "game.jsonl"
    path.write_bytes(answer.content)
    assert main(["replay", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [[4, 2]]


def test_the_page_says_when_it_started_and_who_they_are(client, opened, people):
    game = opened("pincer")
    people[1].is_guest = True
    people[1].save()
    state = embedded(client.get(game.get_absolute_url()), "snapshot")
    assert (state["started"], state["ended"], state["watch"]) == (game.created, None, True)
    assert (state["turns"], state["takebacks"]) == (0, 0)
    assert state["seats"] == {
        "white": {"name": "ada", "guest": False, "bot": False, "level": None, "url": "/u/ada/"},
        "black": {"name": "bob", "guest": True, "bot": False, "level": None, "url": None},
    }


PATHS = ["", "steps", "record.json"]


@pytest.mark.parametrize("path", PATHS)
def test_a_game_without_spectators_is_open_to_those_who_sit_alone(client, opened, people, path):
    address = f"/g/{opened('pincer', watch=False).slug}/{path}"
    for user in (None, people[2]):
        if user:
            client.force_login(user)
        refused = client.get(address)
        assert refused.status_code == 404
        assert not has_word(refused.content.decode(), "ada")
    client.force_login(people[1])
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("path", PATHS)
def test_a_finished_game_is_shown_to_everybody_with_its_link(client, opened, people, path):
    game = opened("pincer", watch=False)

    async def resign() -> None:
        await game_commands.perform(
            game_service(), game.slug, people[0].pk, commands.Resign("r"), clocks.now()
        )
        await close_runtime()

    asyncio.run(resign())
    assert client.get(f"/g/{game.slug}/{path}").status_code == 200


@pytest.mark.parametrize("path", ["", "steps"])
def test_a_page_replays_the_game_once(client, opened, people, monkeypatch, path):
    game, replayed, replay = opened("pincer"), [], load.apply_joint
    play(game, people[0], 0, "move 1 5 2 5", "move 1 7 1 6")
    play(game, people[1], 2, "move 7 7 6 7", "move 7 5 6 5")

    def counted(*args):
        replayed.append(args[0].step)
        return replay(*args)

    monkeypatch.setattr(load, "apply_joint", counted)
    answer = client.get(f"/g/{game.slug}/{path}")
    steps = answer.json()["steps"] if path else embedded(answer, "played-steps")
    assert [step["n"] for step in steps] == replayed == [0, 1, 2, 3]
