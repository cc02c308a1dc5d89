"""`python -m tests.bench.code_shape [FOLDER]`: figures of the code's shape, as Markdown.

Counts the Python modules of site/ and games/ and the scripts of static/js of a checkout, to compare
two checkouts. Migrations and installed npm packages are left out.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

RIDDLE = re.compile(r"(What|Who|How|Where|When|Which|Whether|Whose|Why)\b")
UNIT = re.compile(
    r"_(S|MS|PX|BYTES?|KB|MB|CHARS|DAYS|HOURS|PORT|CODE|ID|SHARE|PERCENT|RATIO|COUNT|PER_S|A_DAY|AN_HOUR)$"
    r"|[A-Z]{2}(?<!S)S$"  # ends in what it counts: MAX_SQUARES, BATCH_ROWS, UNLIMITED_NODES
    r"|[A-Z]{2}(?<!S)S_(PER|A|AN|IN|AT)_[A-Z0-9_]+$"  # QUEUES_PER_ROUND
)
APPS = ("accounts", "play", "lobby", "bots", "chat", "pages", "server", "config")
# Numbers without a unit: factors, codes, sentinels, bit patterns; values of the evaluation, which
# have the unit of the rules' own scale.
PURE = re.compile(
    r"(^|_)(FACTOR|DIVISOR|SCALE|VERSION|MASK|UMASK|BIT|OFFSET|REV|LEVEL|NICENESS|VALUE|BOARD_SIZE)$"
    r"|^VALUE_|^NO_"
)
# Constants of learning and search as their field names them, their places in an array, directions.
USUAL = {
    "BREADTH", "DEPTH", "EXPLORATION", "OPTIONAL", "RIGHT", "SHARPNESS", "UP",
}  # fmt: skip
# Numbers that Django and allauth name.
SETTINGS = {
    "ACCOUNT_REAUTHENTICATION_TIMEOUT", "LANGUAGE_COOKIE_AGE", "MFA_TOTP_PERIOD",
    "MFA_TOTP_TOLERANCE", "SESSION_COOKIE_AGE",
}  # fmt: skip
GIVEN = {  # file names that Django, Channels and allauth give
    "__init__.py", "adapter.py", "admin.py", "apps.py", "consumers.py", "forms.py", "models.py",
    "routing.py", "urls.py", "views.py",
}  # fmt: skip


def modules(root: Path, *folders: str) -> Iterator[Path]:
    """Yield the Python modules below some folders of a checkout."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def count_modules(root: Path, app: str) -> tuple[int, int]:
    """Return how many modules an app has in all, and in its largest folder.

    `__init__.py` and commands are left out.
    """
    paths = [
        path
        for path in modules(root, f"site/{app}")
        if path.name != "__init__.py" and "management" not in path.parts
    ]
    folders = Counter(path.parent for path in paths)
    return len(paths), max(folders.values(), default=0)


def depth(imports: Mapping[str, set[str]]) -> int:
    """Return how many layers an acyclic import graph has: its longest path, counted in modules."""
    known: dict[str, int] = {}

    def of(name: str) -> int:
        if name not in known:
            known[name] = 0  # a cycle would end here
            known[name] = 1 + max((of(other) for other in imports[name]), default=0)
        return known[name]

    return max(of(name) for name in imports)


def imports_of(root: Path, app: str) -> dict[str, set[str]]:
    """Return which modules of an app each of its modules imports at the top level."""
    base = root / "site"
    names = {
        ".".join(path.relative_to(base).with_suffix("").parts): path
        for path in modules(root, f"site/{app}")
        if path.name != "__init__.py"
    }
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        found[name] = set()
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    wanted = {node.module, f"{node.module}.{alias.name}"} & names.keys()
                    found[name] |= wanted - {name}
    return found


def rooms_of(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the import graph of an app's folders; a module at the top is a room of its own."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, others in imports.items():
        room = ".".join(name.split(".")[:2])
        found[room] |= {".".join(other.split(".")[:2]) for other in others} - {room}
    return dict(found)


def cycles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of names that import each other, directly or not."""
    reached: dict[str, set[str]] = {}
    for name in imports:
        known, open_ends = set[str](), [name]
        while open_ends:
            for other in imports[open_ends.pop()] - known:
                known.add(other)
                open_ends.append(other)
        reached[name] = known
    groups = {
        tuple(sorted(other for other in known if name in reached[other]))
        for name, known in reached.items()
        if name in known
    }
    return sorted(map(list, groups))


def has_unit(name: str) -> bool:
    """Return whether a constant's name says what its number counts, or that it counts nothing."""
    return bool(UNIT.search(name) or PURE.search(name)) or name in USUAL | SETTINGS


def is_number(node: ast.expr) -> bool:
    """Return whether an expression is made of numbers alone."""
    return all(
        isinstance(each, ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop)
        or (isinstance(each, ast.Constant) and type(each.value) in (int, float))
        for each in ast.walk(node)
    )


def figures(root: Path) -> dict[str, object]:
    """Return the figures of a checkout by name."""
    paths = list(modules(root, "site", "games"))
    trees = {path: ast.parse(path.read_text()) for path in paths}
    lines = [len(path.read_text().splitlines()) for path in paths]
    folders = Counter(path.parent for path in paths)
    names = defaultdict(list)
    for path in modules(root, "site"):
        if path.name not in GIVEN:
            names[path.name].append(path)
    constants = [
        target.id
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and is_number(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id.isupper()
    ]
    scripts = [p for p in (root / "static/js").rglob("*.js") if "node_modules" not in p.parts]
    play = imports_of(root, "play")
    rooms = rooms_of(play)
    tests = list((root / "tests").rglob("test_*.py"))
    return {
        "modules of site/ and games/": len(paths),
        "lines": sum(lines),
        "lines of the median module": int(median(lines)),
        "modules over 400 lines": sum(count > 400 for count in lines),
        "folder with the most modules": "{} ({})".format(
            *max(((f.relative_to(root), n) for f, n in folders.items()), key=lambda pair: pair[1])
        ),
        "modules of play": len(play),
        "layers of play (longest import path)": depth(play),
        "rooms of play (folders, and modules at the top)": len(rooms),
        "layers of rooms of play": "a cycle" if cycles(rooms) else depth(rooms),
        "imports between rooms of play": sum(map(len, rooms.values())),
        "cycles of rooms of play": "; ".join(map(" ".join, cycles(rooms))) or "none",
        **{
            f"modules of {app}, of its largest folder": "{}, {}".format(*count_modules(root, app))
            for app in APPS
        },
        "module docstrings that begin as a question": sum(
            bool(RIDDLE.match(ast.get_docstring(tree) or "")) for tree in trees.values()
        ),
        "file names of site/ that stand twice": sum(len(each) > 1 for each in names.values()),
        "numeric constants": len(constants),
        "of them without a unit in the name": sum(not has_unit(name) for name in constants),
        "scripts": len(scripts),
        "style sheets": len(list((root / "static/css").rglob("*.css"))),
        "test modules": len(tests),
        "test folder with the most modules": max(Counter(p.parent.name for p in tests).values()),
    }


if __name__ == "__main__":
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    print("| figure | value |\n|---|---|")
    for name, value in figures(checkout).items():
        print(f"| {name} | {value} |")
