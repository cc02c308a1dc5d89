"""A file system of a few MiB that a test can fill."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHUNK = 4096  # bytes; a page of tmpfs


class SmallDisk:
    """A tmpfs; `fill` leaves no byte free on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self, left: int = 0) -> None:
        """Writes a file until so many bytes are left."""
        with self._filler.open("ab", buffering=0) as file:
            while self.free > left and self._append(file.fileno(), min(CHUNK * 16, self.free)):
                pass

    @staticmethod
    def _append(file: int, size: int) -> int:
        try:
            return os.write(file, b"x" * size)
        except OSError:
            return 0

    def free_up(self) -> None:
        """Deletes that file."""
        self._filler.unlink()

    @property
    def free(self) -> int:
        """Bytes that can still be written."""
        stat = os.statvfs(self.path)
        return stat.f_bavail * stat.f_frsize


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Mounts one; skips the test where that is not allowed."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("needs the right to mount a tmpfs")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)
