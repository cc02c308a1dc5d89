"""Writes entries of ratings as JSON objects, the inverse of `entry_parsing`."""

from __future__ import annotations

from typing import Any

from games.rating.entries import (
    FORMAT,
    VERSION,
    Anchors,
    Correction,
    Entry,
    Fit,
    GameEntry,
    Header,
    Placement,
    SideNumbers,
)


def header_object(header: Header) -> dict[str, Any]:
    """Return the first line as a JSON object."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "generation": header.generation,
        "last_seq": header.last_seq,
    }


def entry_object(entry: Entry) -> dict[str, Any]:
    """Return an entry as a JSON object."""
    match entry:
        case GameEntry():
            return {
                "seq": entry.seq,
                "kind": "game",
                "at": entry.at,
                "pool": str(entry.pool),
                "game": entry.game,
                "white": entry.white,
                "black": entry.black,
                "winner": entry.winner,
                "not_rated": entry.not_rated,
                "before": _sides(entry.before),
                "after": _sides(entry.after),
            }
        case Placement():
            return {
                "seq": entry.seq,
                "kind": "placement",
                "at": entry.at,
                "pool": str(entry.pool),
                "person": entry.person,
                "games": [{"level": game.level, "result": game.result} for game in entry.games],
                "after": list(entry.after) if entry.after else None,
            }
        case Anchors(seq, rules, ratings):
            return {"seq": seq, "kind": "anchors", "rules": rules, "ratings": list(ratings)}
        case Fit(seq, rules, advantage):
            return {"seq": seq, "kind": "advantage", "rules": rules, "advantage": advantage}
        case Correction(seq, game, is_annulled, reason):
            kind = "annulment" if is_annulled else "restoration"
            return {"seq": seq, "kind": kind, "game": game, "reason": reason}


def _sides(sides: SideNumbers | None) -> dict[str, list[int]] | None:
    return {"white": list(sides.white), "black": list(sides.black)} if sides else None
