"""Static files under hashed names, compressed beforehand and kept by browsers for good."""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.private_files import PRIVATE_FILE, SHARED_FILE, make_world_readable
from config.static_paths import manifest_path, remove_served

Answer = Callable[[HttpRequest], HttpResponseBase]
# What Django puts into the name of a file: whoever has such a file need not ask again.
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


class LinkedStorage(CompressedManifestStaticFilesStorage):
    """Follows `import` statements, so that a changed script gets a new address everywhere.

    What is in the folder `known` under the same hash is taken from there, for to compress it well
    takes its time.
    """

    support_js_module_import_aggregation = True
    keep_only_hashed_files = True
    known: Path | None = None

    def __init__(self, location: Path | str | None = None, **options: Any) -> None:
        """The manifest lies beside the folder, where it is not served; see `static_paths`."""
        root = Path(location or settings.STATIC_ROOT).absolute()
        self.manifest_name = manifest_path(root).name
        beside = FileSystemStorage(location=root.parent, file_permissions_mode=mode_beside(root))
        super().__init__(location=location, manifest_storage=beside, **options)

    def read_manifest(self) -> str | None:
        """Return the manifest; before the first collection by this version, the earlier one's."""
        old = Path(self.location) / "staticfiles.json"
        text: str | None = super().read_manifest()
        return old.read_text(encoding="utf-8") if text is None and old.exists() else text

    def save_manifest(self) -> None:
        """Write the manifest, and remove the files of an earlier version from the folder."""
        super().save_manifest()
        remove_served(Path(self.location))

    def post_process(self, paths: Any, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Hashes and compresses files. All users may read them, for a proxy that serves them."""
        yield from super().post_process(paths, dry_run, **options)
        if not dry_run:
            make_world_readable(Path(self.location))

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The compressed files, each with the name of its source."""
        fresh = []
        for path in paths:
            kept = self._kept(path)
            fresh += [] if kept else [path]
            for file in kept:
                shutil.copy2(file, Path(self.location) / Path(path).parent)
                yield path, f"{path}{file.suffix}"
        yield from super().compress_files(fresh)

    def _kept(self, path: str) -> list[Path]:
        if self.known is None:
            return []
        return [file for end in (".br", ".gz") if (file := self.known / f"{path}{end}").exists()]


def mode_beside(root: Path) -> int:
    """Return the mode of the files beside the folder: private in the data folder; elsewhere
    readable by all, since another user than the site's may collect."""
    return PRIVATE_FILE if root.parent == settings.DATA_DIR.absolute() else SHARED_FILE


class StaticFiles(WhiteNoiseMiddleware):
    """Serves what was collected, also by another process since this one began: while processes
    are replaced one after the other, pages of the new ones ask the old ones as well.
    """

    def __init__(self, get_response: Answer) -> None:
        super().__init__(get_response)
        if not self.autorefresh:
            root = os.path.join(os.path.abspath(settings.STATIC_ROOT), "")
            self.directories.append((root, self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers with the file, or with what comes after."""
        path = request.path_info
        is_new = path.startswith(self.static_prefix) and path not in self.files
        if is_new and HASHED.search(path) and (found := self.find_file(path)):
            self.files[path] = found
        return super().__call__(request)

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Whether the name of a file says what is in it."""
        return HASHED.search(url) is not None


def has_linked_files() -> bool:
    """Whether pages get the collected files; while the site is worked on they get the sources."""
    storage: Any = staticfiles_storage
    return not settings.DEBUG and isinstance(storage, LinkedStorage)
