"""Bios: stored texts and refused texts."""

from unicodedata import normalize

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts.public_profile.bio_text import MAX_BIO_CHARS, MAX_BIO_LINES, clean_bio


def code_of(text: str) -> str:
    """The code of the refusal of a text; empty if it is stored."""
    try:
        clean_bio(text)
    except ValidationError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("", ""),
        ("  \n ", ""),
        ("I play Pincer.", "I play Pincer."),
        (" two\r\nlines \r", "two\nlines"),
        ("many   blanks\tand\u00a0such", "many blanks and such"),
        ("Zu\u0308rich", "Zürich"),
        ("🏹 emoji 👩\u200d🚀 ok", "🏹 emoji 👩\u200d🚀 ok"),
        ("<b>&amp;", "<b>&amp;"),
        ("שלום", "שלום"),
    ],
)
def test_plain_text_is_stored(text: str, stored: str) -> None:
    assert clean_bio(text) == stored


def test_no_character_makes_a_bio_refused() -> None:
    assert clean_bio("a\x00b\u202e\ud800 \U0001fa77 e" + "\u0323" * 9) == (
        "ab \U0001fa77 \u1eb9" + "\u0323" * 3
    )
    assert clean_bio("\u200d\u200c") == ""


def test_long_texts_and_many_lines_are_refused() -> None:
    assert code_of("a" * MAX_BIO_CHARS) == ""
    assert code_of("a" * (MAX_BIO_CHARS + 1)) == "long"
    assert code_of("\r\n".join("a" * MAX_BIO_LINES)) == ""
    assert code_of("\n".join("a" * (MAX_BIO_LINES + 1))) == "lines"
    assert code_of("\u0958" * MAX_BIO_CHARS) == "long"  # each is two characters in NFC


@given(st.text(max_size=400))
def test_what_is_stored_is_clean_already(text: str) -> None:
    try:
        stored = clean_bio(text)
    except ValidationError:
        return
    assert clean_bio(stored) == stored == normalize("NFC", stored)
    assert len(stored) <= MAX_BIO_CHARS
