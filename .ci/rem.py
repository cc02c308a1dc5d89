"""Write the lengths of style sheets in rem: `python .ci/rem.py [--check]`.

A page then grows with the font size that somebody has set in the browser, as it does when it is
zoomed: type, lines, paddings and the widths at which the layout changes. Hairlines, corners,
outlines and shadows stay in px. `--check` changes nothing, names the sheets with lengths in px, and
ends with 1 if there are any.
"""

import re
import sys
from pathlib import Path

SHEETS = Path(__file__).parents[1] / "static" / "css"
ROOT_PX = 16  # the font size of a browser that nobody has set
HAIRLINE_PX = 3
KEPT = re.compile(
    r"(--radius.*|border(?!-spacing).*|outline.*|.*shadow|text-(underline|decoration).*)"
)
LENGTH = re.compile(r"(?<![\w.#-])(-?)(\d*\.?\d+)px\b")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def in_rem(text: str) -> str:
    """Returns a style sheet with its lengths in rem; those of media queries in em."""
    bare = COMMENT.sub(lambda found: " " * len(found.group()), text)
    out, end = [], 0
    for found in LENGTH.finditer(bare):
        begin = max(bare.rfind(mark, 0, found.start()) for mark in ";{}") + 1
        statement = bare[begin : found.start()].lstrip()
        pixels = float(found.group(2))
        name = statement.partition(":")[0].strip()
        is_query = statement.startswith("@")
        if not is_query and (pixels <= HAIRLINE_PX or KEPT.fullmatch(name)):
            continue
        unit = "em" if statement.startswith("@media") else "rem"
        number = f"{pixels / ROOT_PX:.4f}".rstrip("0").rstrip(".")
        out += [text[end : found.start()], found.group(1), number, unit]
        end = found.end()
    return "".join([*out, text[end:]])


def main() -> int:
    """Rewrites the sheets, or names those that would be; the exit status."""
    is_check = "--check" in sys.argv[1:]
    changed = []
    for path in sorted(SHEETS.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        if in_rem(text) == text:
            continue
        changed.append(path)
        if not is_check:
            path.write_text(in_rem(text), encoding="utf-8")
    for path in changed:
        print(path.relative_to(SHEETS), "has lengths in px" if is_check else "rewritten")
    return int(is_check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
