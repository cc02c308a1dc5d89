"""Fonts of the tests' browsers: one family at a time, independent of other installed fonts."""

import os
from pathlib import Path

import pytest

# Debian's packages; QUIVER_TEST_FONTS names further folders, for fonts that are not installed.
PACKAGES = {
    "DejaVu": "fonts-dejavu-core",
    "Noto": "fonts-noto-core",
    "Liberation": "fonts-liberation",
}
FAMILIES = tuple(PACKAGES)
DEFAULT = "DejaVu"
FILES = {
    "DejaVu": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf"),
    "Noto": (
        "NotoSans-Regular.ttf",
        "NotoSans-Bold.ttf",
        "NotoSerif-Regular.ttf",
        "NotoSerif-Bold.ttf",
    ),
    "Liberation": (
        "LiberationSans-Regular.ttf",
        "LiberationSans-Bold.ttf",
        "LiberationSerif-Regular.ttf",
        "LiberationSerif-Bold.ttf",
    ),
}
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  {aliases}
</fontconfig>
"""
ALIAS = (
    '<alias binding="same"><family>{name}</family>'
    "<prefer><family>{family}</family></prefer></alias>"
)
SANS_NAMES = ("sans-serif", "sans", "system-ui", "Arial", "Helvetica")  # names used by Chromium
SERIF_NAMES = ("serif", "Times New Roman", "Times")


def folders() -> list[Path]:
    """Returns the folders in which fonts are looked for."""
    more = os.environ.get("QUIVER_TEST_FONTS", "")
    named = [Path(each) for each in more.split(os.pathsep) if each]
    return [*named, Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]


def files_of(family: str) -> list[Path] | None:
    """Returns the files of a family, or None if one of them is missing."""
    found = []
    for name in FILES[family]:
        places = (path for folder in folders() for path in sorted(folder.rglob(name)))
        path = next(places, None)
        if path is None:
            return None
        found.append(path)
    return found


def missing(family: str) -> str:
    """Returns what to install for a family; "" if it is there."""
    return "" if files_of(family) else f"needs {family} (apt install {PACKAGES[family]})"


def environment(family: str, folder: Path) -> dict[str, str]:
    """Returns the environment of a browser that finds this family, and DejaVu for other characters.

    `folder` gets the links to the files and fontconfig's own configuration. Where the family is
    missing, the browser finds the machine's fonts.
    """
    files = files_of(family)
    if files is None:
        return dict(os.environ)
    fonts, cache = folder / "fonts", folder / "cache"
    fonts.mkdir(parents=True)
    for path in {*files, *(files_of(DEFAULT) or [])}:
        (fonts / path.name).symlink_to(path)
    configuration = folder / "fonts.conf"
    names = {**dict.fromkeys(SANS_NAMES, "Sans"), **dict.fromkeys(SERIF_NAMES, "Serif")}
    aliases = [ALIAS.format(name=name, family=f"{family} {kind}") for name, kind in names.items()]
    configuration.write_text(
        CONFIGURATION.format(fonts=fonts, cache=cache, aliases="\n  ".join(aliases))
    )
    return {**os.environ, "FONTCONFIG_FILE": str(configuration)}


# Runs a test in a browser of each family; a missing one is a skip that names its package.
with_each_font = pytest.mark.parametrize(
    "chromium",
    [
        pytest.param(
            (family, ()),
            marks=pytest.mark.skipif(bool(missing(family)), reason=missing(family)),
            id=family,
        )
        for family in FAMILIES
    ],
    indirect=True,
)

LARGE_TEXT_PX = 28
# Runs a test in a browser whose user has set this font size.
with_large_text = pytest.mark.parametrize(
    "chromium",
    [(DEFAULT, (f"--blink-settings=defaultFontSize={LARGE_TEXT_PX}",))],
    indirect=True,
    ids=[f"{LARGE_TEXT_PX}px"],
)
