"""Style sheets change layouts at agreed sizes, keep each rule in a layer, and fill no folder."""

import re

import pytest

from tests.checks.project_files import STYLES, files_below, text_of

# The sizes at which layouts change; layers.css says what they are. Parts go by their own room.
WIDTHS_EM = {"37.5", "47.5", "62.5", "105"}
HEIGHTS_EM = {"23.75", "26.25", "35", "43.75"}
RATIOS = {"11/10", "7/4"}
LENGTHS = {"width": WIDTHS_EM, "height": HEIGHTS_EM}
RANGE = re.compile(r"\((?:([\d.]+)em <=? )?(width|height)(?: (?:<|<=|>|>=) ([\d.]+)em)?\)")
RATIO = re.compile(r"\(aspect-ratio (?:<|<=|>|>=) ([\d/]+)\)")
DEVICE = re.compile(r"\((?:forced-colors|prefers-[a-z-]+|pointer): [a-z-]+\)")
LAYER = re.compile(r"@layer (?:base|parts|page|device) \{\n.*?\n\}", re.DOTALL)
ADMIN = "pages/admin/base_site.css"  # Django's own sheets are in no layer
NAMES = [path.relative_to(STYLES).as_posix() for path in files_below(STYLES, ".css")]
MAX_SHEETS = 20  # in a folder


def bare(text: str) -> str:
    """A sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def unknown_sizes(sheet: str) -> list[str]:
    """The conditions of media queries in a sheet that name another size than the agreed ones."""
    queries = re.findall(r"@media ([^{]+?) \{", bare(sheet))
    conditions = [each for query in queries for each in re.findall(r"\([^()]*\)", query)]
    return [each for each in conditions if not DEVICE.fullmatch(each) and not is_agreed(each)]


def is_agreed(condition: str) -> bool:
    """Whether a condition is a range of width, height or ratio between agreed numbers."""
    if ratio := RATIO.fullmatch(condition):
        return ratio[1] in RATIOS
    found = RANGE.fullmatch(condition)
    return bool(found) and {found[1], found[3]} - {None} <= LENGTHS[found[2]]


@pytest.mark.parametrize("name", NAMES)
def test_layouts_change_at_the_agreed_sizes_only(name: str) -> None:
    assert unknown_sizes(text_of(STYLES / name)) == []


def test_another_size_is_found() -> None:
    assert unknown_sizes("@media (width < 40em) { a { b: c } }") == ["(width < 40em)"]
    assert unknown_sizes("@media (max-width: 37.5em) { a { b: c } }") == ["(max-width: 37.5em)"]
    assert unknown_sizes("@media (37.5em <= width < 62.5em) and (aspect-ratio <= 11/10) {") == []


def test_every_rule_is_in_one_of_the_layers() -> None:
    order = bare(text_of(STYLES / "layers.css")).strip()
    assert order == "@layer base, parts, page, device;"
    for name in NAMES:
        outside = LAYER.sub("", bare(text_of(STYLES / name))).replace("@page {", "")
        assert name == ADMIN or "{" not in outside, name


def test_no_folder_has_too_many_sheets() -> None:
    folders = [(STYLES / name).parent for name in NAMES]
    assert max(folders.count(each) for each in folders) <= MAX_SHEETS
