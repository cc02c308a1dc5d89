"""Parts that were compressed one by one are one gzip file."""

import gzip
import re
import zlib

from hypothesis import given
from hypothesis import strategies as st

from page_cache import gzip_parts

TEXTS = st.lists(
    st.one_of(
        st.binary(max_size=300),
        st.integers(0, 5_000).map(lambda count: b"<li>board</li>" * count),
    ),
    max_size=8,
)


@given(TEXTS, st.sampled_from([gzip_parts.LEVEL, gzip_parts.FAST_LEVEL]))
def test_joined_parts_unpack_to_the_text(texts, level) -> None:
    packed = gzip_parts.join((text, gzip_parts.deflate(text, level)) for text in texts)
    assert gzip.decompress(packed) == b"".join(texts)
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    assert unpacker.decompress(packed) == b"".join(texts)
    assert unpacker.eof and not unpacker.unused_data


def test_no_part_is_compressed_by_the_text_of_another() -> None:
    """Prevents the attack BREACH: the length does not tell whether a page repeats a token."""
    token, page = b"0123456789abcdef" * 8, b"<p>other text</p>" * 40

    def size(other: bytes) -> int:
        return sum(len(gzip_parts.deflate(part)) for part in (other + page, token, page))

    assert size(token) - size(token.swapcase()) == 0
    assert len(gzip_parts.deflate(token)) > len(token)


def test_the_length_of_the_file_varies() -> None:
    text = b"<p>text</p>" * 100
    lengths = {len(gzip_parts.join([(text, gzip_parts.deflate(text))])) for _ in range(64)}
    assert len(lengths) > 1
    assert re.fullmatch(rb"[0-9a-f]+", _name(gzip_parts.join([])))


def _name(file: bytes) -> bytes:
    return file[10 : file.index(b"\0", 10)]
