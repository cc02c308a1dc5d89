"""Bundle and minify the site's scripts and style sheets with esbuild.

esbuild is one program without dependencies; Debian and npm both have it. Each page has one script,
so each page is one bundle: its modules in one file, and one file for each `import()`. One run of
esbuild over all pages would split what several pages share into files of its own, 19 for the page
of a game, where a first load of 9 requests is the limit.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from posixpath import dirname
from tempfile import TemporaryDirectory
from typing import Any, Final

from django.conf import settings
from django.core.management import CommandError

from assets.entry_points import EntryPoints

INSTALL_HINT: Final = "apt install esbuild, or npm install --no-save esbuild"
# npm's folder of programs, below the repository's root; searched after the PATH.
NPM_FOLDERS: Final = ("node_modules/.bin", "static/js/node_modules/.bin")
TIMEOUT_S: Final = 60
OPTIONS: Final = (
    "--minify",
    "--charset=utf8",  # otherwise it writes "ö" as "\u00f6"
    "--legal-comments=none",
    "--log-level=error",
    "--outdir=.",
    "--outbase=.",
    "--entry-names=[dir]/[name].[hash]",
)
Outputs = dict[str, dict[str, Any]]  # path → its entry in esbuild's metafile


def find_esbuild() -> str | None:
    """Return the path of esbuild's program, or None where it is not installed."""
    folders = [str(Path(settings.BASE_DIR) / folder) for folder in NPM_FOLDERS]
    return shutil.which("esbuild") or shutil.which("esbuild", path=os.pathsep.join(folders))


def bundle(esbuild: str, folder: Path, entries: EntryPoints) -> dict[str, str]:
    """Write the bundles of all entry points into the folder of their sources.

    Returns the manifest: the name of each entry point to the name of the file that has its code,
    which ends in a hash of the contents, and every further file under its own name. All names are
    relative to the folder. Raises CommandError if esbuild refuses a source.
    """
    manifest: dict[str, str] = {}
    for name in sorted(entries.modules):
        manifest |= _bundle_page(esbuild, folder, name)
    if entries.sheets:
        outputs = _run(esbuild, folder, entries.sheets, "--bundle")
        manifest |= {about["entryPoint"]: path for path, about in outputs.items()}
    if entries.classics:
        outputs = _run(esbuild, folder, entries.classics)
        manifest |= {about["entryPoint"]: path for path, about in outputs.items()}
    return manifest


def _bundle_page(esbuild: str, folder: Path, name: str) -> dict[str, str]:
    """Bundle the script of a page and the parts that it imports later.

    `--inject` lets every module import the page's script. So the parts find all modules of the page
    in the page's own file, instead of in a further file for each set of parts that share some. The
    page's code is then in a chunk, which its entry file only imports: pages ask for the chunk. A
    page that waits for a part at its top level would wait for itself, so that is refused.
    """
    outputs = _run(
        esbuild,
        folder,
        [name],
        "--bundle",
        "--splitting",
        "--format=esm",
        "--supported:top-level-await=false",
        f"--inject:./{name}",
        f"--chunk-names={dirname(name)}/[name].[hash]",
    )
    holders = [path for path, about in outputs.items() if name in about["inputs"]]
    entry = next(path for path, about in outputs.items() if about.get("entryPoint") == name)
    return {path: path for path in outputs} | {name: holders[0] if holders else entry}


def _run(esbuild: str, folder: Path, names: list[str] | set[str], *options: str) -> Outputs:
    with TemporaryDirectory() as scratch:
        metafile = Path(scratch) / "meta.json"
        command = [esbuild, *sorted(names), *OPTIONS, *options, f"--metafile={metafile}"]
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            raise CommandError(
                f"{esbuild} cannot bundle {', '.join(sorted(names))}:\n{done.stderr.strip()}"
            )
        outputs: Outputs = json.loads(metafile.read_text(encoding="utf-8"))["outputs"]
    return outputs
