"""The lists of countries: the same codes in each language of the site."""

import pytest
from django.conf import settings
from django.utils.translation import override

from accounts.public_profile.countries import country_names, flag_of

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_names_all_countries(language: str) -> None:
    with override("en"):
        english = country_names()
    with override(language):
        names = country_names()
    assert set(names) == set(english)
    assert len(names) == 249  # officially assigned codes of ISO 3166-1
    assert all(len(code) == 2 and code.isascii() and code.isupper() for code in names)
    assert len(set(names.values())) == len(names)
    assert all(name == name.strip() and name for name in names.values())


def test_names_are_those_of_the_reader() -> None:
    with override("tr"):
        names = country_names()
        assert (names["DE"], names["NL"]) == ("Almanya", "Hollanda")
        assert list(names)[:2] == ["UM", "VI"]
    with override("en-gb"):
        assert country_names()["DE"] == "Germany"
    with override("xx"):
        assert country_names()["DE"] == "Germany"
    with override(None):
        assert country_names()["DE"] == "Germany"


def test_a_flag_is_two_regional_letters() -> None:
    assert flag_of("TR") == "🇹🇷"
