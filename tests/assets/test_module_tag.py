"""The template tag for a page's script: one bundle, or modules with preloads."""

import re

import pytest

from assets.collect import collect
from assets.module_tag import imports_of, module


@pytest.fixture(autouse=True)
def _read_anew() -> None:
    imports_of.cache_clear()


def test_a_script_comes_after_its_preloads(folder, plain_storage) -> None:
    assert module("js/page.js").splitlines() == [
        '<link rel="modulepreload" href="/static/js/shared.js">',  # not the part, which comes later
        '<script type="module" src="/static/js/page.js"></script>',
    ]


def test_collected_sources_are_preloaded_by_their_new_names(folder, without_esbuild) -> None:
    collect()
    preload, script = module("js/page.js").splitlines()
    assert re.search(r'href="/static/sources-\w{12}/js/shared\.js"', preload)
    assert re.search(r'src="/static/sources-\w{12}/js/page\.js"', script)


def test_a_bundle_needs_no_preload(folder, esbuild) -> None:
    collect()
    found = re.fullmatch(
        r'<script type="module" src="/static/(js/\w+\.\w{8}\.js)"></script>', module("js/page.js")
    )
    text = (folder.parent / "collected" / found[1]).read_text()
    assert not re.search(r"(^|;)\s*import[^(]", text)


def test_a_module_that_is_missing_is_an_error(folder, plain_storage) -> None:
    (folder / "js/shared.js").unlink()
    with pytest.raises(FileNotFoundError, match="shared"):
        module("js/page.js")
