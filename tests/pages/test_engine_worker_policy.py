"""The answer with the engine's worker: its own policy, and the files that it names."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def test_the_worker_may_compile_and_fetch_from_here_and_nothing_else(client: Client) -> None:
    response = client.get("/engine-worker.js")
    assert response["Content-Security-Policy"] == POLICY
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "no-cache"


def test_no_page_may_compile(client: Client) -> None:
    for address in ("/", "/sw.js", "/engine-worker.js.html", "/offline/"):
        assert "wasm" not in client.get(address)["Content-Security-Policy"]


def test_the_script_imports_the_worker_and_names_the_modules(client: Client) -> None:
    text = client.get("/engine-worker.js").content.decode()
    found = re.fullmatch(r'import ("[^"]+");\nglobalThis\.ENGINE_FILES = (\{.*\});\n', text)
    assert found
    assert re.fullmatch(r"/static/.*js/engine/worker\..*", json.loads(found[1]))
    assert {*json.loads(found[2])} == {"amazons", "pincer"}


def test_it_is_asked_for_again_and_not_sent_again(client: Client) -> None:
    tag = client.get("/engine-worker.js")["ETag"]
    assert client.get("/engine-worker.js", headers={"if-none-match": tag}).status_code == 304
    assert client.post("/engine-worker.js").status_code == 405
