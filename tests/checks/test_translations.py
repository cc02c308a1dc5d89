"""Every text has a translation, and the compiled catalogues are up to date."""

import re
import shutil
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils.translation import override

from play.time_controls import clock_label, days_clock, time_label
from tests.checks.project_files import ROOT, STATIC, files_below, text_of
from tests.support.catalogues import (
    CATALOGUES,
    LOCALE,
    bare_texts,
    catalogue_of,
    english_texts,
    translations,
)
from tests.support.untranslated_text import english_in, english_words

SLOTS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
CALL = re.compile(r"(?<!function )(?<![\w.])tn?\(\s*")  # a text is asked for in a script
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]


def named(path: Path) -> str:
    return f"{path.parts[-3]}-{path.stem}"


def pairs_of(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Pairs of an English text and its translation; the first plural form may leave slots out."""
    if entry.msgid_plural:
        return [(entry.msgid_plural, text) for _, text in sorted(entry.msgstr_plural.items())]
    return [(entry.msgid, entry.msgstr)]


def test_there_is_a_catalogue_for_each_language_and_domain() -> None:
    assert {named(path) for path in CATALOGUES} == {
        f"{language}-{domain}" for language in LANGUAGES for domain in ("django", "djangojs")
    }


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_text_is_translated(path: Path) -> None:
    assert not bare_texts(catalogue_of(path))


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_translations_have_the_slots_of_the_text(path: Path) -> None:
    for entry in catalogue_of(path):
        for english, text in pairs_of(entry):
            wanted, found = sorted(SLOTS.findall(english)), sorted(SLOTS.findall(text))
            assert set(found) <= set(wanted), english
            assert entry.msgid_plural or set(found) == set(wanted), english


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_the_head_says_what_it_is_and_names_nobody(path: Path) -> None:
    catalogue = catalogue_of(path)
    assert catalogue.metadata["Language"] == path.parts[-3]
    assert catalogue.metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    assert "Unreviewed: nobody whose first language is Turkish has read this yet." in (
        catalogue.header.splitlines()
    )
    assert "@" not in catalogue.header + str(catalogue.metadata)
    assert not {"Last-Translator", "Language-Team"} & set(catalogue.metadata)


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_the_typography_is_turkish(path: Path) -> None:
    for entry in catalogue_of(path):
        for text in translations(entry):
            bare = re.sub(r"<[^>]*>", "", text)
            assert not set("!'\"") & set(bare), text
            assert "  " not in text, text
            assert not re.search(r"[}\])][sd]?['’]", bare), f"an ending on a slot: {text}"


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_texts_end_as_the_english_ones_do(path: Path) -> None:
    ends = re.compile(r"[.?…:]$")
    for entry in catalogue_of(path):
        for english, text in pairs_of(entry):
            found = [m and m[0] for m in (ends.search(english), ends.search(text))]
            assert found[0] == found[1], (english, text)


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_the_compiled_catalogue_is_up_to_date(path: Path) -> None:
    written = catalogue_of(path)
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    forms = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in written}
    assert forms == {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in compiled}


def test_the_scripts_name_every_text_by_a_literal_that_is_in_the_catalogue() -> None:
    found = catalogue_of(LOCALE / "tr/LC_MESSAGES/djangojs.po")
    known = {text for entry in found for text in english_texts(entry)}
    for script in files_below(STATIC / "js", ".js"):
        for rest in CALL.split(text_of(script))[1:]:
            literal = LITERAL.match(rest)
            assert literal, f"{script.name}: not a literal: {rest[:60]}"
            assert literal[1].replace('\\"', '"') in known, (script.name, literal[1])


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="needs gettext (apt install gettext)")
def test_no_text_is_missing_from_the_catalogues(
    tmp_path: Path, settings: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected = tmp_path / "locale"
    shutil.copytree(LOCALE, collected)
    settings.LOCALE_PATHS = [collected]  # type: ignore[attr-defined]
    monkeypatch.chdir(ROOT)
    call_command("makemessages", verbosity=0)
    for path in sorted(collected.glob("*/LC_MESSAGES/*.po")):
        assert not bare_texts(polib.pofile(str(path))), f"not translated in {named(path)}"


def test_the_words_that_tell_english_from_turkish_are_many() -> None:
    words = english_words()
    assert {"the", "your", "move", "settings", "lobby"} <= words
    assert not {"hamle", "on", "quiver"} & words
    assert english_in(["Sıra sende", "Your turn", "olive-reed-12"]) == {
        "Your turn": {"your", "turn"}
    }


def test_both_plural_forms_are_found() -> None:
    with override("tr"):
        assert clock_label("pincer", days_clock(1)) == "hamle başına 1 gün"
        assert clock_label("blotto", days_clock(3)) == "tur başına 3 gün"
        assert time_label(days_clock(3)) == "3 gün"
