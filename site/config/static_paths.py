"""Files about the collected static files, beside their folder: all of that folder is served."""

from pathlib import Path
from typing import Final

# Where earlier versions kept them: in the folder itself. Collecting removes them.
SERVED_NAMES: Final = ("stamp", "staticfiles.json")


def manifest_path(root: Path) -> Path:
    """Return the path of the manifest, which maps the name of each file to its hashed name."""
    return root.with_name(f"{root.name}.manifest.json")


def stamp_path(root: Path) -> Path:
    """Return the path of the stamp, which tells whether a source has changed since."""
    return root.with_name(f"{root.name}.stamp")


def is_collected(root: Path) -> bool:
    """Whether this folder holds collected files, of this version or an earlier one."""
    old = [root / name for name in SERVED_NAMES]
    return any(path.exists() for path in (manifest_path(root), stamp_path(root), *old))


def remove_served(root: Path) -> None:
    """Remove what an earlier version kept in the served folder."""
    for name in SERVED_NAMES:
        (root / name).unlink(missing_ok=True)
