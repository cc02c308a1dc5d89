"""Words that texts for players avoid; `site/docs/words.md` has the words to use."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib
import pytest

from accounts.people.relations import RelationReason
from chat.permissions import ChatReason
from play.domain.game_refusals import Reason
from tests.checks.project_files import ROOT, files_below, text_of
from tests.support.catalogues import CATALOGUES, catalogue_of, english_texts

# The game log and the fair-play proof speak of seals, receipts and fingerprints.
FAIR_PLAY = (
    *("templates/play/ledger.html", "static/js/ledger/", "static/js/pages/ledger-page.js"),
    *("static/js/troops/round-history.js", "templates/pages/about/fair_play.html"),
)

AFTER_THE_VERB = "to|back|on|onto|first|second|along|round|from|as far|any|at|with"

LESSONS = ("site/pages/learn/", "templates/pages/learn")


class Rule(NamedTuple):
    """A pattern, the words to use in its place, and prefixes of files that it leaves out."""

    pattern: str
    better: str
    exempt: tuple[str, ...] = ()


RULES = (
    Rule(rf"\bgo(?:es)?\b(?! (?:{AFTER_THE_VERB})\b)", "turn, move"),
    Rule(r"\btalk(?:s|er|ers|ing|ed)?\b", "chat"),
    Rule(r"\barchers?\b", "amazon"),
    Rule(r"\bledgers?\b", "game log"),
    Rule(r"\b(?:receipts?|fingerprints?)\b", "fair-play proof", FAIR_PLAY),
    Rule(r"\b(?:seal(?:s|ed|ing)?|envelopes?)\b", "lock in", FAIR_PLAY),
    Rule(r"\b(?:sits?|sitting|seated)\b|\b(?:stands?|standing) up\b", "join, leave"),
    Rule(r"\bseats? (?:you|me|the computer|someone)\b|\bseat free\b", "join, add computer, remove"),
    Rule(r"\bby lot\b", "random"),
    Rule(r"\bown clock\b|\bone’s own\b|\b(?:clock|time) of your own\b", "custom"),
    Rule(r"\bother side\b", "opponent"),
    Rule(r"\bone side\b|\benem(?:y|ies)\b", "opponent", LESSONS),
    Rule(r"\b(?:light|dark) side\b", "White, Black"),
    Rule(r"\bnotices?\b", "notifications"),
    Rule(r"\b(?:broken|called?|calls|calling)\b(?: \w+){0,2} off\b", "aborted"),
    Rule(r"\bphrases?\b", "quick chat"),
    Rule(
        r"\b(?:make|made|new) (?:a )?lobb(?:y|ies)\b|\blobb(?:y|ies) that you make\b",
        "create a game",
    ),
    Rule(r"\be-mails?\b|\bmails?\b", "email"),
    Rule(r"\b(?:some|every)body\b", "someone, everyone"),
    Rule(r"\bwhoever\b|\bwhom\b", "you, your opponent", LESSONS),
    Rule(r"\b(?:she|her|hers)\b", "it, the amazon", LESSONS),
    Rule(r"\bpresent password\b|\bthe same password\b", "current password, repeat password"),
    Rule(r"\bkept by\b|\bkeeper\b|\bwritten down\b", "saved"),
    Rule(r"\bturns (?:in a row|ahead|played|back)\b|\b(?:type|write) a turn\b", "moves"),
    # Riddles: "Who runs out of time loses.", "What the fiftieth step takes still counts."
    Rule(
        r"(?:^|[.;:] )(?:Who|What)(?: [\w’']+){2,10} (?:is|are|has|loses|wins|counts?)\b[^?]*$",
        "you",
    ),
    # Inversions: "Here you choose it", "By that link you choose"
    Rule(r"(?:^|[.;:] )(?:Here|By \w+ \w+) you\b", "subject first"),
)

# Texts that a pattern finds and that are right.
ALLOWED = {
    "I have to go": "a verb",
}


class Text(NamedTuple):
    """A text, and the files that it is in."""

    words: str
    files: tuple[str, ...]

    def place(self) -> str:
        """Return file and line of the text; the file alone where it is broken over lines."""
        first = re.split(r"%\(|\{|\n", self.words)[0].strip()
        for name in self.files:
            path = ROOT / name
            lines = text_of(path).splitlines() if path.exists() else []
            for number, line in enumerate(lines, 1):
                if first and first in line:
                    return f"{name}:{number}"
        return ", ".join(self.files)


def texts_of(catalogue: polib.POFile) -> Iterator[Text]:
    for entry in catalogue:
        files = tuple(name for name, _ in entry.occurrences)
        for words in english_texts(entry):
            yield Text(words, files)


def unmarked_texts() -> Iterator[Text]:
    """Yield the words of templates that are not marked for translation."""
    blocks = re.compile(
        r"{%\s*(blocktranslate|comment)\b.*?{%\s*end\1\s*%}|<(script|style)\b.*?</\2>|{#.*?#}"
        r"|{% block (?:main|body)_class %}.*?{% endblock %}",
        re.S,
    )
    for path in files_below(ROOT / "templates", ".html"):
        source = blocks.sub("", text_of(path))
        bare = re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", "\n", source, flags=re.S)
        for words in filter(None, map(str.strip, bare.splitlines())):
            yield Text(words, (str(path.relative_to(ROOT)),))


def server_sentences() -> Iterator[Text]:
    """Yield the sentences of refusals, which the scripts have under the same codes."""
    for reason in (*Reason, *ChatReason, *RelationReason):
        yield Text(str(reason.sentence), (type(reason).__name__,))


def faults_of(text: Text) -> Iterator[str]:
    if text.words in ALLOWED:
        return
    for rule in RULES:
        if rule.exempt and all(name.startswith(rule.exempt) for name in text.files):
            continue
        if found := re.search(rule.pattern, text.words, re.I):
            yield f"{text.place()}: “{found[0]}” → {rule.better}: {text.words!r}"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_texts_keep_to_the_words_of_the_site(path: Path) -> None:
    texts = list(texts_of(catalogue_of(path)))
    assert len(texts) > 300
    faults = [fault for text in texts for fault in faults_of(text)]
    assert not faults, "\n".join(faults)


def test_words_outside_the_catalogues_keep_to_the_words_of_the_site() -> None:
    texts = [*unmarked_texts(), *server_sentences()]
    assert len(texts) > 40
    faults = [fault for text in texts for fault in faults_of(text)]
    assert not faults, "\n".join(faults)


def test_texts_of_templates_and_python_have_typographic_apostrophes() -> None:
    (catalogue,) = (catalogue_of(path) for path in CATALOGUES if path.stem == "django")
    straight = re.compile(r"[^\W\d_]'[^\W\d_]")
    faults = [
        f"{text.place()}: {text.words!r}"
        for text in texts_of(catalogue)
        if straight.search(re.sub(r"<[^>]*>", "", text.words))
    ]
    assert not faults, "\n".join(faults)


def test_every_exception_is_a_text_that_a_pattern_finds() -> None:
    ids = {text.words for path in CATALOGUES for text in texts_of(catalogue_of(path))}
    for words in ALLOWED:
        assert words in ids, words
        assert any(re.search(rule.pattern, words, re.I) for rule in RULES), words


@pytest.mark.parametrize(
    "words",
    [
        "Your go: step one",
        "Type a go",
        "Nobody talks here.",
        "Choose one of your archers.",
        "The ledger is not whole.",
        "Your orders are sealed.",
        "Whole fingerprint",
        "Sit down and play",
        "Stand up",
        "Give the seat free",
        "Play now seats you with someone.",
        "drawn by lot from the best mix",
        "A clock of your own needs both.",
        "Won: the other side resigned",
        "This browser has no notices.",
        "Broken off before it began",
        "Called off. Nothing counts.",
        "{name} calls the game off.",
        "Guests can send quick phrases.",
        "Make a lobby",
        "E-mail address",
        "A mail is on its way to %(email)s.",
        "Everybody sees it.",
        "Stay on this page: whoever presses Play now may be led to you.",
        "She may move to any dot.",
        "The same password again",
        "50 turns in a row without an arrow",
        "Who runs out of time loses.",
        "By that link you choose a new password.",
    ],
)
def test_the_old_words_are_found(words: str) -> None:
    assert list(faults_of(Text(words, ("templates/play/game.html",))))
