"""Write the public file of ratings, `ratings.jsonl`, as `python -m games rate` reads it.

A page is a part of the file. The first one has the header, which states where the whole file ends;
the others have entries alone. So `python -m games rate` finds each page alone incomplete, unless
it is the only one. The file ends where the generation ended at the first page: `last_seq` goes
from page to page, or entries of games that end meanwhile would follow the end that is stated.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from errno import EINVAL
from pathlib import Path

from games.rating.entries import Entry, Header
from games.rating.entry_writing import entry_object, header_object
from ratings.models import FittedAdvantage, Generation, RatedGame
from ratings.rules.entry_log import FURTHER_KINDS, KINDS, annulled_games, read_rows

ENTRIES_A_PAGE = 1_000  # of an answer; about 250 bytes each
ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class FilePage:
    """Some lines of the file.

    `next_after` is the seq after which the file goes on, None at the end; `last_seq` is its end.
    """

    text: str
    next_after: int | None
    last_seq: int


def find_generation(number: int | None) -> Generation | None:
    """Return a finished generation, the current one without a number."""
    made = Generation.objects.filter(made__isnull=False)
    return (
        made.filter(is_current=True).first() if number is None else made.filter(pk=number).first()
    )


def page_of(
    generation: Generation, after: int, limit: int = ENTRIES_A_PAGE, last_seq: int | None = None
) -> FilePage:
    """Return the lines of at most `limit` entries after a seq; the first page has the header.

    `last_seq` is where the file ends, at most the end of the generation (default: there).
    """
    last_seq = generation.last_seq if last_seq is None else last_seq
    entries = list(_entries(generation, after, last_seq, limit))
    objects = [] if after else [header_object(Header(generation.pk, last_seq))]
    objects += [entry_object(entry) for entry in entries]
    text = "".join(f"{ENCODER.encode(each)}\n" for each in objects)
    last = entries[-1].seq if entries else after
    return FilePage(text, last if last < last_seq else None, last_seq)


def _entries(generation: Generation, after: int, last_seq: int, limit: int) -> Iterator[Entry]:
    rows = read_rows(after, last_seq, limit)
    if not rows:
        return
    annulled = annulled_games(generation.last_seq)
    games = RatedGame.objects.filter(
        generation=generation, entry__gte=rows[0].seq, entry__lte=rows[-1].seq
    )
    numbers = {game.entry_id: (game.before, game.after) for game in games}
    fitted = FittedAdvantage.objects.filter(
        generation=generation, entry__gte=rows[0].seq, entry__lte=rows[-1].seq
    )
    advantages = dict(fitted.values_list("entry", "advantage"))
    for row in rows:
        match row.kind:
            case KINDS.GAME:
                yield row.as_game(annulled, *numbers.get(row.seq, ()))
            case FURTHER_KINDS.ANCHORS:
                yield row.as_anchors()
            case FURTHER_KINDS.PLACEMENT:
                yield row.as_placement()
            case FURTHER_KINDS.ADVANTAGE:
                yield row.as_fit(advantages[row.seq])
            case _:
                yield row.as_correction()


def write_file(path: Path, generation: Generation) -> int:
    """Write the whole file of a generation; return the number of entries. Raise OSError.

    The lines go to a temporary file, which replaces it at the end: a reader never sees a partial
    file.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise OSError(EINVAL, "is not a file", str(path))
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    after: int | None = 0
    try:
        with part.open("x", encoding="utf-8") as file:
            while after is not None:
                page = page_of(generation, after)
                file.write(page.text)
                after = page.next_after
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return generation.last_seq
