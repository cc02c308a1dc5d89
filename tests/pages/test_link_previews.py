"""Link previews of a game, and the start of its replay."""

import asyncio
import re

import pytest

from accounts.site_links import absolute_url
from play.domain import clocks, commands
from play.runtime import game_commands
from tests.support.loop_runtime import close_runtime, game_service

pytestmark = pytest.mark.django_db


def head(client, game) -> dict[str, str]:
    """The properties that the page tells programs of other sites."""
    text = client.get(game.get_absolute_url()).content.decode()
    found = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', text))
    found["canonical"] = re.findall(r'<link rel="canonical" href="([^"]*)"', text)[0]
    return found


def test_a_link_to_a_game_has_a_title_a_sentence_and_a_picture(client, opened):
    game = opened("pincer")
    address = absolute_url(game.get_absolute_url())
    seen = head(client, game)
    assert seen["og:title"] == "ada and bob · Pincer"
    assert seen["og:description"] == "ada is playing bob. Watch live."
    assert seen["og:image"] == f"{address}picture.png"
    assert seen["og:url"] == seen["canonical"] == address
    assert "robots" not in seen


def test_after_the_end_it_says_who_won(client, opened, people):
    game = opened("pincer")

    async def resign():
        await game_commands.perform(
            game_service(), game.slug, people[0].pk, commands.Resign(id="r1"), clocks.now()
        )
        await close_runtime()

    asyncio.run(resign())
    assert head(client, game)["og:description"] == "bob beat ada. Replay every move."


def test_a_game_by_link_alone_is_not_found_by_searches(client, opened):
    assert head(client, opened("pincer", public=False))["robots"] == "noindex"


@pytest.mark.parametrize("key", ["amazons", "blotto", "pincer"])
def test_the_steps_come_with_the_position_before_the_first(client, opened, key):
    game = opened(key)
    answer = client.get(f"/g/{game.slug}/steps").json()
    assert answer["steps"] == []
    assert answer["start"]
    page = client.get(game.get_absolute_url()).context["snapshot"]["view"]
    assert answer["start"] == page
