"""Avatars: made from names alone, told apart without colours, and shown beside names."""

import re

import pytest
from django.test import Client

from accounts.people.computer_users import computer
from accounts.people.names import pseudonym
from accounts.public_profile.avatar import avatar_svg
from accounts.public_profile.avatar_paths import FIGURES, OUTLINES
from tests.support.page_visitors import at_home, game_of, someone

PATHS = re.compile(r'd="([^"]+)"')


def shape_of(name: str) -> tuple[str, ...]:
    """The outline and the figure of an avatar, without its colour."""
    return tuple(PATHS.findall(avatar_svg(name)))


def avatars_of(html: str) -> list[str]:
    return re.findall(r'<svg class="avatar.*?</svg>', html)


def test_a_name_has_one_avatar_in_any_letter_case() -> None:
    assert avatar_svg("Ada") == avatar_svg("aDA")
    assert avatar_svg("ada") != avatar_svg("bob")


def test_shapes_tell_most_people_of_a_list_apart() -> None:
    rows = [[shape_of(f"player-{page}-{row}") for row in range(20)] for page in range(50)]
    different = [len(set(shapes)) for shapes in rows]
    assert sum(different) / len(different) > 18
    assert len({shape for shapes in rows for shape in shapes}) > 180  # of 192


def test_computers_show_their_level_in_a_shape_that_no_person_has() -> None:
    shown = avatar_svg("Wren", is_bot=True, level=1)
    outline = PATHS.findall(shown)[0]
    assert re.findall(r">(\d)</text>", shown) == ["1"]
    assert "<text" not in avatar_svg("Bot", is_bot=True)
    assert outline not in {shape_of(f"player-{number}")[0] for number in range(500)}


def test_deleted_people_all_look_the_same() -> None:
    assert len({avatar_svg(pseudonym()) for _ in range(20)}) == 1


@pytest.mark.parametrize("name", ['"><script>', "a&b", "<b>"])
def test_nothing_of_a_name_is_written_into_the_drawing(name: str) -> None:
    outline, figure = PATHS.findall(avatar_svg(name))
    assert outline in OUTLINES
    assert figure in FIGURES
    rest = re.sub(PATHS, "", avatar_svg(name))
    assert rest in {re.sub(PATHS, "", avatar_svg(f"player-{number}")) for number in range(50)}


@pytest.mark.django_db
def test_pages_show_avatars_beside_names() -> None:
    ada, home = at_home("ada")
    bob = someone("bob")
    game = game_of(ada, bob)
    drawn = avatar_svg("ada")
    profile = Client().get("/u/ada/").content.decode()
    assert avatars_of(profile) == [drawn]
    players = Client().get("/players/").content.decode()
    assert set(avatars_of(players)) == {drawn, avatar_svg("bob")}
    assert avatars_of(home.get("/learn/").content.decode()) == [drawn, drawn]  # wide and narrow
    page = Client().get(game.get_absolute_url()).content.decode()
    assert avatars_of(page) == []  # strips have figures, and names need the room


@pytest.mark.django_db
def test_a_computer_has_its_level_on_its_profile() -> None:
    jay = computer(3)
    page = Client().get(f"/u/{jay.username}/").content.decode()
    assert avatars_of(page) == [avatar_svg("Jay", is_bot=True, level=3)]
