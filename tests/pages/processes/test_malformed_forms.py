"""Queries and forms that cannot be parsed get status 400, on pages and on error pages.

`any_server` fails at its end if the log has a traceback: each line of one was for anybody to cause.
"""

import pytest

from tests.support.servers.any_server import raw_answer
from tests.support.servers.server_process import Server

pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]
MAX_FIELDS = 1_000  # Django's DATA_UPLOAD_MAX_NUMBER_FIELDS
MAX_FILES = 100  # Django's DATA_UPLOAD_MAX_NUMBER_FILES
FIELDS = "&".join(f"f{number}=" for number in range(MAX_FIELDS + 1))
PART = '--b\r\nContent-Disposition: form-data; name="a"{}\r\n\r\nb\r\n'
END = "--b--\r\n"
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=b"
UNREADABLE = {
    "fields": (FORM, FIELDS),
    "parts": (PARTS, PART.format("") * (MAX_FIELDS + 1) + END),
    "files": (PARTS, PART.format('; filename="x"') * (MAX_FILES + 1) + END),
    "no boundary": ("multipart/form-data", "x"),
}
# All are codecs of Python; the first two decode no text.
CHARSETS = ("rot13", "base64", "idna", "utf-16")
PATHS = ("/log-in/", "/lobbies/", "/nowhere/")


@pytest.fixture(scope="module", params=["serve", "uvicorn"])
def site(request, shared_server_of) -> Server:
    """The site under Daphne and under uvicorn."""
    return shared_server_of(request.param)


def status(site: Server, line: str, kind: str = "", body: str = "") -> int:
    """The status of the answer to a request; `kind` is its Content-Type."""
    about = {
        "Host": f"127.0.0.1:{site.port}",
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": kind or "text/plain",
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in about.items())
    answer = raw_answer(site, f"{line} HTTP/1.1\r\n{head}\r\n{body}".encode())
    return int(answer.split()[1])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("form", UNREADABLE.values(), ids=UNREADABLE)
def test_a_form_that_cannot_be_parsed_is_refused(site, path, form) -> None:
    assert status(site, f"POST {path}", *form) == 400


@pytest.mark.parametrize("path", ["/", "/log-in/", "/nowhere/"])
@pytest.mark.parametrize("kind", ["text/plain", "text/plain; charset=utf-8"])
def test_a_query_that_cannot_be_parsed_is_refused(site, path, kind) -> None:
    """Django parses a query with a charset before there is a request that it could refuse."""
    assert status(site, f"GET {path}?{FIELDS}", kind) == 400


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", [FORM, PARTS, "text/plain"])
def test_a_form_is_utf_8_whatever_charset_it_names(site, path, charset, kind) -> None:
    body = PART.format("") + END if kind == PARTS else "a=b"
    plain = status(site, f"POST {path}", kind, body)
    assert status(site, f"POST {path}", f"{kind}; charset={charset}", body) == plain < 500
