"""Accept-Encoding: a coding that the client refuses is not used, by whatever compresses."""

import pytest
from django.conf import settings
from django.test import Client

from server.requests.accept_encoding import accepted_codings


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", "gzip"), ("gzip, deflate, br, zstd", "br, gzip"), ("GZip;Q=0.5", "gzip"),
        ("x-gzip", "gzip"), ("gzip ; q=0.001", "gzip"), ("gzip;q=1.000", "gzip"),
        ("gzip;q=0", ""), ("gzip;q=0.000, br", "br"), ("br;q=0,gzip", "gzip"),
        ("identity;q=0", ""), ("*;q=0", ""), ("identity;q=0, *;q=0", ""), ("identity", ""),
        ("*", "br, gzip"), ("*;q=0, gzip", "gzip"), ("gzip;q=0, *", "br"),
        ("identity;q=0, *;q=1", "br, gzip"),
        ("gzip;q=2", ""), ("gzip;q=-1", ""), ("gzip;q=", ""), ("gzip;q=1.0000", ""), (";q=1", ""),
        ("gzip;level=9", ""), ("gzip br", ""), ("not-gzip", ""), (",, ,gzip,", "gzip"),
        ("gzip;q=0.x, br", "br"), ("g\u0131zip", ""),
    ],
)  # fmt: skip
def test_a_coding_is_accepted_by_its_weight_or_that_of_the_star(header, accepted) -> None:
    assert accepted_codings(header) == accepted


# By Django's `gzip_page` and by `page_cache`.
@pytest.mark.parametrize("path", ["/sw.js", "/learn/"])
@pytest.mark.parametrize(("header", "coding"), [("gzip", "gzip"), ("br, gzip;q=0", None)])
@pytest.mark.django_db
def test_pages_are_compressed_for_those_who_accept_it(path, header, coding) -> None:
    answer = Client().get(path, headers={"accept-encoding": header})
    assert answer.status_code == 200
    assert answer.get("Content-Encoding") == coding
    assert "Accept-Encoding" in answer["Vary"]


def test_the_header_is_parsed_before_static_files_are_chosen_by_it() -> None:
    names = [name.rpartition(".")[2] for name in settings.MIDDLEWARE]
    assert names.index("accept_encoding") < names.index("StaticFilesMiddleware")
