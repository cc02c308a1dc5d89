"""Hashes of the ledger, as any other tool computes them."""

import subprocess

from hypothesis import given
from hypothesis import strategies as st

from games.ledger import GENESIS, chain_hash, commitment, entry_text, frame_entry, text_of

SALT = "00112233445566778899aabbccddeeff"


def sha256sum(text: str) -> str:
    return subprocess.run(
        ["sha256sum"], input=text.encode(), capture_output=True, check=True
    ).stdout.decode()[:64]


def test_an_entry_has_one_text_whatever_the_order_of_its_fields():
    assert text_of({"b": [1, {"ä": None}], "a": "x"}) == '{"a":"x","b":[1,{"ä":null}]}'


def test_an_entry_is_chained_to_the_one_before():
    assert chain_hash(GENESIS, '{"rev":0}') == sha256sum(GENESIS + '\n{"rev":0}')


def test_a_commitment_is_the_hash_of_what_was_sealed_and_where():
    text = f"quiver seal 1\nAbC\n3\nwhite\ntroops 5 3 2\n{SALT}"
    assert commitment("AbC", 3, "white", "troops 5 3 2", SALT) == sha256sum(text)


NAMES = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.integers(0), st.text("abc-", max_size=9), NAMES, NAMES, st.integers(0), st.integers(0))
def test_writer_and_reader_of_an_entry_hash_the_same_text(rev, kind, role, id, at, lag):
    clock, body = {"white": at, "black": None}, {"step": rev, "actions": [kind]}
    texts = text_of(clock), text_of(body)
    about = ("AbC", rev, kind, role, id, at, lag)
    assert frame_entry(*about, *texts) == entry_text(*about, clock, body)
