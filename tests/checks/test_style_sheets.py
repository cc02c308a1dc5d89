"""Palette: colours that must be distinguished have enough contrast on every board in both themes.

Contrast is that of WCAG 2.1 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio): 4.5 for text, 3
for marks and the borders of controls, 7 for pieces on squares (by fill or by outline).
"""

import re

import pytest

from accounts.public_profile.avatar import TONES as AVATAR_TONES
from pictures.palette import css_variable
from pictures.palette import palette as picture_palette
from pictures.shapes import Layer, shapes
from tests.checks.project_files import ROOT, STATIC, STYLES, ci_script, files_below, text_of

SQUARES = ("square-a", "square-b")
GROUNDS = ("paper", "sheet", "well")
TEXT = [
    *(("ink", ground) for ground in (*GROUNDS, "frame", "wall", "chosen", *SQUARES)),
    *(("ink-2", ground) for ground in GROUNDS),
    ("on-ink", "ink"), ("on-fire", "fire"), ("frame-ink", "frame"), ("coord-on-char", "char"),
    ("dark-trim", "dark-fill"), ("wax-stamp", "wax"),
]  # fmt: skip
MARKS = [
    *(("edge", ground) for ground in GROUNDS),
    *(("fire", ground) for ground in ("paper", "sheet", *SQUARES)),
    *((mark, square) for mark in ("mark", "trail", "ember", "tooth") for square in SQUARES),
    *(("annotation", square) for square in SQUARES),
    ("mark", "chosen"), ("ember", "char"), ("light-line", "light-fill"), ("wax", "wax-paper"),
    ("annotation", "annotation-halo"),
    *((tone, ground) for tone in (*AVATAR_TONES, "ink-2") for ground in ("on-ink", *GROUNDS)),
]  # fmt: skip
# Told apart from each square by the one or the other, and by how much.
EITHER = [
    (("char", "ash"), 3.0),
    (("light-fill", "light-line"), 7.0),
    (("dark-fill", "dark-halo"), 7.0),
]
# Given by scripts, and by the layout of the game page.
LAYOUT = {"side", "held", "board-scale", "left", "status", "strip"}
Palette = dict[str, str]
COLOUR = "#[0-9a-f]{6}"


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", from 0 to 1."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def palettes(sheet: str) -> dict[str, Palette]:
    """The colours of tokens.css, "#rrggbb" by token, of the light and of the dark theme."""
    light = dict(re.findall(rf"--([a-z0-9-]+): (?:light-dark\()?({COLOUR})", sheet))
    dark = dict(re.findall(rf"--([a-z0-9-]+): light-dark\({COLOUR}, ({COLOUR})\);", sheet))
    return {"light": light, "dark": light | dark}


def faults(palette: Palette) -> list[str]:
    """The pairs that are not far enough apart."""
    wrong = [
        f"{one} on {other}: {contrast(palette[one], palette[other]):.2f} of {least}"
        for pairs, least in ((TEXT, 4.5), (MARKS, 3.0))
        for one, other in pairs
        if contrast(palette[one], palette[other]) < least
    ]
    for tokens, least in EITHER:
        for square in SQUARES:
            best = max(contrast(palette[token], palette[square]) for token in tokens)
            if best < least:
                wrong.append(f"{' or '.join(tokens)} on {square}: {best:.2f} of {least}")
    return wrong


def ground_palettes(ground: str) -> dict[str, Palette]:
    """The colours of the pages with another board than paper, in both themes."""
    block = re.search(rf'\[data-ground="{ground}"\] {{([^}}]*)}}', GROUNDS_SHEET)
    assert block, ground
    own = palettes(block[1])
    return {theme: palettes(SHEET)[theme] | own[theme] for theme in ("light", "dark")}


SHEET = text_of(STYLES / "tokens.css")
GROUNDS_SHEET = text_of(STYLES / "board/grounds.css")
BOARDS = ("slate", "meadow", "contrast")
NAMES = [path.relative_to(STYLES).as_posix() for path in files_below(STYLES, ".css")]
MAX_LINES = 400


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_that_carry_meaning_have_enough_contrast(theme: str) -> None:
    assert faults(palettes(SHEET)[theme]) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", BOARDS)
def test_every_board_has_the_contrasts_of_paper(ground: str, theme: str) -> None:
    assert faults(ground_palettes(ground)[theme]) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_high_contrast_is_higher(theme: str) -> None:
    palette = ground_palettes("contrast")[theme]
    pairs = [(mark, square) for mark in ("mark", "trail") for square in SQUARES]
    assert all(contrast(palette[one], palette[other]) >= 7 for one, other in pairs)
    burnt = [(char, square) for char in ("char", "char-old") for square in SQUARES]
    assert all(contrast(palette[one], palette[other]) >= 3 for one, other in burnt)


@pytest.mark.parametrize("ground", BOARDS)
def test_a_board_names_only_tokens_of_paper_and_all_squares(ground: str) -> None:
    paper = SHEET.split('[data-ground="paper"] {')[1].split("}")[0]
    block = GROUNDS_SHEET.split(f'[data-ground="{ground}"] {{')[1].split("}")[0]
    own = set(re.findall(r"--([a-z0-9-]+):", block))
    assert {*SQUARES, "frame", "mark", "char"} <= own <= set(re.findall(r"--([a-z0-9-]+):", paper))


def test_a_colour_is_written_once_and_for_both_themes() -> None:
    light, dark = palettes(SHEET).values()
    assert len(light) > 40
    assert {name for name in light if dark[name] == light[name]} <= {
        "wax",
        "wax-stamp",
        "coord-on-char",
    }
    tokens = re.findall(r"--([a-z0-9-]+): (?:light-dark\(|#|rgb)", SHEET)
    assert len(tokens) == len(set(tokens))


@pytest.mark.parametrize(
    ("token", "colour", "says"),
    [
        ("ink-2", "#9a9a9a", "ink-2 on paper"),
        ("edge", "#b8ad98", "edge on sheet"),
        ("on-fire", "#c2803c", "on-fire on fire"),
        ("trail", "#b0a894", "trail on square-a"),
        ("light-line", "#8a8f96", "light-fill or light-line on square-b"),
    ],
)
def test_a_bad_colour_is_found(token: str, colour: str, says: str) -> None:
    sheet = re.sub(rf"(--{token}: light-dark\()#[0-9a-f]{{6}}", rf"\g<1>{colour}", SHEET, count=1)
    assert sheet != SHEET
    assert any(fault.startswith(says) for fault in faults(palettes(sheet)["light"]))
    if token == "ink-2":
        assert faults(palettes(SHEET)["light"]) == []


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("sheet", NAMES)
def test_colours_are_named_in_one_place_only(sheet: str) -> None:
    if sheet in ("tokens.css", "board/grounds.css"):
        return
    text = re.sub(r"/\*.*?\*/", "", text_of(STYLES / sheet), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{]*;)|\b(?:rgb|hsl)a?\(", text) == []


def test_every_colour_that_is_used_has_a_token() -> None:
    known = set(re.findall(r"--([a-z0-9-]+):", SHEET))
    for name in NAMES:
        text = text_of(STYLES / name)
        own = set(re.findall(r"--([a-z0-9-]+):", text))
        used = set(re.findall(r"var\(--([a-z0-9-]+)", text))
        assert used <= known | own | LAYOUT, name


def test_every_token_is_used() -> None:
    templates = files_below(ROOT / "templates", ".html", ".svg")
    sources = [text_of(path) for path in (*files_below(STATIC, ".css", ".js"), *templates)]
    sources += [f"var(--{tone})" for tone in AVATAR_TONES]
    named = set(re.findall(r"(?:var\(--|[\"'])([a-z][a-z0-9-]*)", "\n".join(sources)))
    assert set(re.findall(r"--([a-z0-9-]+):", SHEET)) <= named


def test_the_check_of_lengths_knows_what_has_to_grow() -> None:
    found = ci_script("rem").in_rem
    assert found("a { font: 15px/22px x; }") == "a { font: 0.9375rem/1.375rem x; }"
    assert found("@media (max-width: 599px) { a { width: -8px } }") == (
        "@media (max-width: 37.4375em) { a { width: -0.5rem } }"
    )
    assert found("@container side (max-width: 16px) {}") == "@container side (max-width: 1rem) {}"
    for kept in (
        "a { border-left: 4px solid; }",
        "a { gap: 2px; }",
        "/* 40px */",
        "a { --radius-x: 9px; }",
    ):
        assert found(kept) == kept


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_holds_one_idea_and_imports_only_sheets_that_exist(name: str) -> None:
    text = text_of(STYLES / name)
    assert text.startswith("/*")
    assert len(text.splitlines()) <= MAX_LINES
    for address in re.findall(r'@import "([^"]+)";', text):
        assert (STYLES / name).parent.joinpath(address).is_file(), address


def test_every_sheet_is_of_a_page_or_imported() -> None:
    imported = {
        (STYLES / name).parent.joinpath(address).resolve().relative_to(STYLES.resolve()).as_posix()
        for name in NAMES
        for address in re.findall(r'@import "([^"]+)";', text_of(STYLES / name))
    }
    assert {name for name in NAMES if not name.startswith("pages/")} <= imported


def all_layers() -> list[Layer]:
    everything = [each for pair in shapes().figures.values() for each in pair.values()]
    burnt = shapes().burnt
    layers = [layer for figure in everything for layer in figure.layers]
    return [*layers, *burnt.layers, *burnt.flat, burnt.glow, *burnt.rims.values()]


def test_every_colour_of_a_shape_is_one_of_the_style_sheet() -> None:
    names = {name for layer in all_layers() for name in (layer.fill, layer.stroke) if name}
    assert len(names) > 12
    assert names <= set(picture_palette())
    for name in names:
        token = css_variable(name).removeprefix("var(").removesuffix(")")
        assert f"{token}:" in SHEET, name
