"""Store static files under names that change with their contents, compressed beforehand.

With esbuild, scripts and style sheets are bundled, and their names have esbuild's own hashes.
Without it, the sources are served one by one in a folder whose name has a hash of them all: their
imports stay as they are written, and need no hashes of their own.
"""

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from assets.entry_points import find_entry_points, is_source
from assets.esbuild import bundle, find_esbuild
from assets.static_root import make_world_readable, manifest_path, mode_beside


class AssetStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """The storage of collected static files.

    A file that is in the folder `known` under the same name is not compressed again.
    """

    keep_only_hashed_files = True
    known: Path | None = None

    def __init__(self, location: Path | str | None = None, **options: Any) -> None:
        """Put the manifest beside the folder, where it is not served; see `static_root`."""
        root = Path(location or settings.STATIC_ROOT).absolute()
        self.manifest_name = manifest_path(root).name
        beside = FileSystemStorage(location=root.parent, file_permissions_mode=mode_beside(root))
        super().__init__(location=location, manifest_storage=beside, **options)
        self._built: dict[str, str] = {}

    def post_process(self, paths: Any, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Bundle, hash and compress files. All users may read them: a proxy may serve them."""
        if not dry_run:
            sources = {name for name in paths if is_source(self.clean_name(name))}
            self._built = build(Path(self.location), sorted(map(self.clean_name, sources)))
            paths = {name: paths[name] for name in paths if name not in sources}
        for name, built in self._built.items():
            yield name, built, True
        yield from super().post_process(paths, dry_run, **options)
        if not dry_run:
            make_world_readable(Path(self.location))

    def save_manifest(self) -> None:
        """Write the manifest, with the scripts and style sheets, which Django has not hashed."""
        self.hashed_files.update(self._built)
        super().save_manifest()

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the name of each compressed file after the name of its source."""
        fresh = []
        for path in {*paths, *self._built.values()}:
            kept = self._find_compressed(path)
            fresh += [] if kept else [path]
            for file in kept:
                shutil.copy2(file, Path(self.location) / Path(path).parent)
                yield path, f"{path}{file.suffix}"
        yield from super().compress_files(fresh)

    def _find_compressed(self, path: str) -> list[Path]:
        if self.known is None:
            return []
        return [file for end in (".br", ".gz") if (file := self.known / f"{path}{end}").exists()]


def build(folder: Path, names: list[str]) -> dict[str, str]:
    """Replace the sources by the files to serve; return the manifest of the build.

    `names` are those of the sources, relative to the folder. Raises CommandError if esbuild refuses
    one.
    """
    esbuild = find_esbuild()
    if esbuild is None:
        return move_sources(folder, names)
    built = bundle(esbuild, folder, find_entry_points())
    for name in names:
        (folder / name).unlink()
    return built


def move_sources(folder: Path, names: list[str]) -> dict[str, str]:
    """Move the sources into a folder named by a hash of them all; return their new names."""
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + hashlib.sha256((folder / name).read_bytes()).digest())
    moved = {name: f"sources-{digest.hexdigest()[:12]}/{name}" for name in names}
    for name, place in moved.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).replace(folder / place)
    return moved
