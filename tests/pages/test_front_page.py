"""The front page and the watch page: ways to play, empty lists, today's results."""

import re

import pytest

from accounts.account_service import delete_user
from accounts.people.computer_users import computer
from games.catalogue import RULES
from play.domain.clocks import now
from play.models import Game, Seat
from tests.support.page_visitors import at_home, ended, game_of, someone, text_of
from watch.finished_games import MAX_RESULTS, RESULTS_WITHIN_MS

pytestmark = pytest.mark.django_db
GOALS = '{"white":100,"black":0}'


def over(game: Game, winner: str = "white", reason: str = "resigned", **columns: object) -> Game:
    return ended(game, winner, reason, **{"step": 4, "goals": GOALS, **columns})


def results(client) -> list[str]:
    """The rows of today's results."""
    found = re.findall(r'<li class="result">(.*?)</li>', client.get("/").content.decode(), re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", row)).strip() for row in found]


def test_without_any_game_the_page_says_what_one_can_do(client) -> None:
    page = client.get("/")
    text = text_of(page)
    assert "Strategy games online. Free, no sign-up." in text
    assert "No live games. See recent ones ." in text
    assert "No one’s waiting right now. Create a game , or play the computer ." in text
    assert '<a href="/new/">Create a game</a>' in page.content.decode()
    assert "No results yet today." in text
    assert 'id="featured" data-idle="amazons-8x8" data-empty' in page.content.decode()


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_three_ways_and_five_cards_lead_into_a_game(client, is_signed_in: bool) -> None:
    browser = at_home("ada")[1] if is_signed_in else client
    html = browser.get("/").content.decode()
    ways = re.search(r'<ul class="ways">(.*?)</ul>', html, re.S)[1]
    assert re.findall(r'href="([^"]*)"', ways) == ["/play/online/", "/play/friend/", "/computer/"]
    for key in RULES:
        assert f'href="/play/online/?game={key}"' in html
        assert f'<a href="/learn/{key}/">Learn in 2 min<' in html


def test_the_large_board_names_its_game_and_leads_to_it(client) -> None:
    game = game_of(someone("ada"), someone("bob"))
    Game.objects.update(step=3)
    html = client.get("/").content.decode()
    figure = html[html.index('id="featured"') : html.index("</figure>")]
    assert "data-empty" not in figure
    assert figure.count(f'href="{game.get_absolute_url()}"') == 2
    assert 'data-text="label">Live<' in figure
    for role, name in (("white", "ada"), ("black", "bob")):
        assert re.search(rf'data-text="{role}"[^>]*>{name}<', figure)
    assert "No other live games." in text_of(client.get("/"))


def test_todays_results_are_told_in_few_words(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    over(game_of(ada, bob))
    over(game_of(ada, bob, "blotto"), "black", "rounds", goals='{"white":14,"black":16}')
    over(game_of(ada, bob, "amazons"), "", "agreed", goals='{"white":50,"black":50}')
    over(game_of(ada, computer(3), "amazons-8x8"), "black", "time")
    assert sorted(results(client)) == [
        "Jay beat ada Amazons 8×8 · on time",
        "ada beat bob Pincer · resigned",
        "ada drew with bob Amazons, free arrow · by agreement",
        "bob beat ada Colonel Blotto · 16–14",
    ]


def test_results_leave_out_what_is_private_old_or_no_game(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    over(game_of(ada, bob, public=False))
    over(game_of(ada, bob), ended=now() - RESULTS_WITHIN_MS - 1)
    over(game_of(ada, bob), step=0)  # lost without a move
    over(game_of(ada, bob), "", "aborted")
    over(game_of(computer(3), computer(4)))
    assert results(client) == []
    over(game_of(ada, bob))
    assert results(client) == ["ada beat bob Pincer · resigned"]
    for _ in range(MAX_RESULTS):
        over(game_of(ada, bob))
    assert len(results(client)) == MAX_RESULTS


def test_deleted_users_and_games_without_a_move_are_not_among_the_finished(client) -> None:
    ada, bob, cy = someone("ada"), someone("bob"), someone("cy")
    unplayed, shown = over(game_of(ada, bob), step=0), over(game_of(ada, bob))
    lost = over(game_of(ada, cy))
    html = client.get("/watch/").content.decode()
    assert shown.slug in html and lost.slug in html and unplayed.slug not in html
    delete_user(cy.pk)
    for page in ("/", "/watch/"):
        html = client.get(page).content.decode()
        assert lost.slug not in html
        assert "deleted-" not in html
    assert Seat.objects.filter(game=lost).count() == 2
