"""Find the entry points of bundles: scripts and style sheets that templates name."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.template import Engine

FOLDERS: Final = ("js/", "css/")  # of our own sources, below the folders of static files
# Scripts of workers, which no template names: a view answers with one that imports them.
WORKERS: Final = ("js/engine/worker.js",)
TAG: Final = re.compile(r"""{%\s*(module|static)\s+["']([^"']+\.(?:js|css))["']""")


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """Names of files, relative to the folder of static files."""

    modules: set[str] = field(default_factory=set)  # {% module 'js/….js' %}
    classics: set[str] = field(default_factory=set)  # {% static 'js/….js' %}: scripts, no modules
    sheets: set[str] = field(default_factory=set)  # {% static 'css/….css' %}


def is_source(name: str) -> bool:
    """Whether a static file is one of our own scripts or style sheets, not another package's."""
    return name.startswith(FOLDERS) and name.endswith((".js", ".css"))


def find_entry_points() -> EntryPoints:
    """Return WORKERS, and the files named in our templates by `{% module %}` and `{% static %}`."""
    found = EntryPoints(modules={name for name in WORKERS if finders.find(name)})
    folders = map(Path, Engine.get_default().dirs)
    for path in [path for folder in folders for path in folder.rglob("*.html")]:
        for tag, name in TAG.findall(path.read_text(encoding="utf-8")):
            if not is_source(name):
                continue
            if tag == "module":
                found.modules.add(name)
            elif name.endswith(".css"):
                found.sheets.add(name)
            else:
                found.classics.add(name)
    return found
