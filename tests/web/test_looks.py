"""The palette: every pair of colours that has to be told apart can be, in both themes.

Contrast is that of WCAG 2.1 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio): 4.5 for text, 3
for marks and the borders of controls, 7 for pieces on squares (by fill or by outline).
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

STYLES = Path(settings.BASE_DIR) / "static" / "css"
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
    ("mark", "chosen"), ("ember", "char"), ("light-line", "light-fill"), ("wax", "wax-paper"),
]  # fmt: skip
# Told apart from each square by the one or the other, and by how much.
EITHER = [
    (("char", "ash"), 3.0),
    (("light-fill", "light-line"), 7.0),
    (("dark-fill", "dark-line"), 7.0),
]
Palette = dict[str, str]


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", from 0 to 1."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def palettes(sheet: str) -> dict[str, Palette]:
    """The colours of tokens.css: light, dark by the system, dark by choice."""
    blocks = re.findall(r"^ *(:root[^{]*) \{(.*?)^ *\}", sheet, re.DOTALL | re.MULTILINE)
    found: dict[str, Palette] = {}
    for selector, body in blocks:
        colours = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", body))
        if colours:
            found[selector.strip()] = found.get(selector.strip(), {}) | colours
    light = found[":root"]
    return {
        "light": light,
        "dark by the system": light | found[':root:not([data-theme="light"])'],
        "dark by choice": light | found[':root[data-theme="dark"]'],
    }


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


SHEET = (STYLES / "tokens.css").read_text()


@pytest.mark.parametrize("theme", ["light", "dark by the system", "dark by choice"])
def test_what_has_to_be_told_apart_can_be(theme: str) -> None:
    assert faults(palettes(SHEET)[theme]) == []


def test_both_ways_to_the_dark_are_one_palette() -> None:
    dark = palettes(SHEET)
    assert dark["dark by the system"] == dark["dark by choice"]
    assert len(dark["light"]) > 40
    missing = {
        name for name, value in dark["light"].items() if dark["dark by choice"][name] == value
    }
    assert missing <= {"wax", "wax-stamp", "coord-on-char"}  # the same in both themes


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
    sheet = re.sub(rf"--{token}: #[0-9a-f]{{6}};", f"--{token}: {colour};", SHEET, count=1)
    assert sheet != SHEET
    assert any(fault.startswith(says) for fault in faults(palettes(sheet)["light"]))
    if token == "ink-2":
        assert faults(palettes(SHEET)["light"]) == []


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("sheet", sorted(path.name for path in STYLES.glob("*.css")))
def test_colours_are_named_in_one_place_only(sheet: str) -> None:
    if sheet == "tokens.css":
        return
    text = re.sub(r"/\*.*?\*/", "", (STYLES / sheet).read_text(), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{]*;)|\b(?:rgb|hsl)a?\(", text) == []


def test_every_colour_that_is_used_has_a_token() -> None:
    known = set(re.findall(r"--([a-z0-9-]+):", SHEET))
    for path in STYLES.glob("*.css"):
        text = path.read_text()
        own = set(re.findall(r"--([a-z0-9-]+):", text))
        used = set(re.findall(r"var\(--([a-z0-9-]+)", text))
        assert used <= known | own | {"side", "held"}, path.name  # given by scripts and layouts
