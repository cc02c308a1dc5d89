"""Link previews of home, learn and profiles: tags, pictures, caching and bad names."""

import re
from io import BytesIO

import pytest
from PIL import Image

from accounts.people.names import pseudonym
from accounts.site_links import absolute_url
from games.catalogue import RULES
from pages import link_previews
from pages.game_cards import CARDS
from pictures import page_card
from pictures.page_card import PageCard, page_svg
from pictures.renderer import RenderError
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db
TAG = re.compile(r'<meta property="(og:[a-z:_]+)" content="([^"]*)"')
PAGES = ["/", "/watch/", "/learn/", *(f"/learn/{key}/" for key in RULES), "/u/ada/"]


def size_of(answer) -> tuple[int, int]:
    return Image.open(BytesIO(answer.content)).size


@pytest.mark.parametrize("page", PAGES)
def test_a_link_to_a_page_has_a_title_a_text_and_a_picture_of_this_site(client, page) -> None:
    someone("ada")
    text = client.get(f"{page}?utm=x", headers={"host": "localhost"}).content.decode()
    seen = dict(TAG.findall(text))
    assert seen["og:title"] and seen["og:description"] and seen["og:site_name"] == "Quiver"
    canonical = re.findall(r'<link rel="canonical" href="([^"]*)"', text)
    assert canonical == [absolute_url(page)] == [seen["og:url"]]
    picture = seen["og:image"].removeprefix(absolute_url(""))
    assert picture.startswith(("/preview/", "/u/ada/"))
    assert client.head(picture).status_code == 200
    assert re.search(r'rel="apple-touch-icon" href="/static/img/apple-touch-icon[^"]*\.png"', text)


def test_the_name_of_a_profile_is_escaped_once(client) -> None:
    user = someone("ada")
    page = client.get(user.get_absolute_url()).content.decode()
    assert dict(TAG.findall(page))["og:title"] == "ada"


@pytest.mark.slow
def test_the_pictures_have_the_size_that_the_tags_say_and_are_drawn_once(client) -> None:
    page_card.page_png.cache_clear()
    someone("ada")
    for address in ("/preview/learn.png", "/preview/blotto.png", "/u/ada/picture.png"):
        first = client.get(address)
        assert first["Content-Type"] == "image/png"
        assert size_of(first) == (1200, 630)
        assert first["Cache-Control"] == "public, max-age=86400"
        assert "Set-Cookie" not in first.headers and not first.cookies
        assert client.get(address).content == first.content
        known = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert (known.status_code, known.content) == (304, b"")
    assert page_card.page_png.cache_info().misses == 3


@pytest.mark.parametrize(
    "address",
    ["/preview/chess.png", "/preview/home.svg", "/preview/../home.png", "/u/nobody/picture.png",
     "/u/%00/picture.png"],
)  # fmt: skip
def test_there_is_no_picture_of_what_is_not_there(client, address) -> None:
    someone("ada")
    assert client.get(address).status_code == 404


def test_guests_and_deleted_people_have_no_picture(client) -> None:
    guest = someone(pseudonym())
    guest.is_guest = True
    guest.save()
    assert client.get(f"/u/{guest.username}/picture.png").status_code == 404


def test_a_picture_that_fails_is_asked_for_again_later(client, monkeypatch, caplog) -> None:
    def fail(card: PageCard) -> bytes:
        raise RenderError("no memory")

    monkeypatch.setattr(link_previews, "page_png", fail)
    answer = client.get("/preview/home.png")
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    someone("ada")
    assert client.get("/u/ada/picture.png").status_code == 503
    told = [record.getMessage() for record in caplog.records if record.name == "quiver.pages"]
    assert len(told) == 2 and "ada" not in "".join(told)


def test_a_picture_shows_the_position_of_its_card_and_escapes_its_text() -> None:
    for card in CARDS:
        drawn = page_svg(PageCard("<b>&", "x" * 400, link_previews.facts_of_card(card)))
        assert "&lt;b&gt;&amp;" in drawn and "<b>" not in drawn
        assert len(re.findall(r"<text", drawn)) >= 3
    flights = {card.key: link_previews.facts_of_card(card).flights for card in CARDS}
    assert flights["amazons-8x8"] and not flights["pincer"]
