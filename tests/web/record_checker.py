"""What must hold of a game's record and of what every page was told: functions on plain data.

Nothing here knows how the server stores or shows a game: rows come from the database file, and
the record is folded anew with the pure rules. Each check yields a sentence for each fault.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from real_page import digest, in_common

from games.catalogue import rules_of
from games.core import NOOP, advance, assemble, missing, replay
from games.ledger import commitment

Row = dict[str, Any]
Event = dict[str, Any]
Check = Callable[["Evidence"], Iterator[str]]
# Refusals that trouble explains. Of a go chosen among what the server offered, `illegal` and
# `bad_action` would be the server's own fault; nothing that trouble does explains the rest.
EXPLAINED = {
    "stale_turn",
    "already_sealed",
    "not_in_control",
    "no_offer",
    "offer_stands",
    "no_takeback",
    "over",
}
NONSENSE = {"illegal", "bad_action"}


@dataclass(frozen=True)
class PageLog:
    """What a page said and heard, in order, and the state that it showed in the end."""

    name: str
    role: str | None
    log: list[Event]
    state: Row | None


@dataclass(frozen=True)
class Evidence:
    """All that is known of one game when everything is over."""

    game: Row
    turns: list[Row]  # those that stand
    undone: list[Row]  # those that were taken back
    entries: list[Row]
    sealed: list[Row]
    pages: list[PageLog]
    page: Row  # what the page of the game holds when it is loaded anew
    shown_turns: list[Row]  # what the address of the turns gives
    export: Row  # the exported record


def read_rows(database: Path) -> dict[str, dict[str, Any]]:
    """The rows of every game by its slug; the file is opened for reading alone."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as file:
        file.row_factory = sqlite3.Row
        assert [tuple(row) for row in file.execute("PRAGMA integrity_check")] == [("ok",)]
        assert list(file.execute("PRAGMA foreign_key_check")) == []

        def rows(table: str, key: str, game: int, order: str) -> list[Row]:
            query = f"SELECT * FROM {table} WHERE {key} = ? ORDER BY {order}"
            return [dict(row) for row in file.execute(query, [game])]

        def turns(game: int) -> list[Row]:
            return rows("play_turn", "game_id", game, "id")

        return {
            game["slug"]: {
                "game": dict(game),
                "turns": [row for row in turns(game["id"]) if row["undone"] is None],
                "undone": [row for row in turns(game["id"]) if row["undone"] is not None],
                "entries": rows("play_entry", "game_id", game["id"], "id"),
                "sealed": rows("play_sealed", "game_id", game["id"], "id"),
            }
            for game in file.execute("SELECT * FROM play_game")
        }


def heard(evidence: Evidence, kind: str) -> Iterator[tuple[PageLog, Event]]:
    """All events of a kind, page by page."""
    for page in evidence.pages:
        for event in page.log:
            if event["e"] == kind:
                yield page, event


def sent_frames(evidence: Evidence) -> dict[tuple[str | None, str], Row]:
    """Every frame that wanted an answer, by role and id."""
    return {(p.role, e["frame"]["id"]): e["frame"] for p, e in heard(evidence, "sent")}


def kind_of(frame: Row) -> str:
    """What the record calls the change that a frame asks for."""
    return f"{frame['t']}-{frame['do']}" if "do" in frame else frame["t"]


def revs_are_gapless(evidence: Evidence) -> Iterator[str]:
    """Entries are numbered 0 to the game's rev, in the order in which they were written."""
    revs = [entry["rev"] for entry in evidence.entries]
    if revs != list(range(evidence.game["rev"] + 1)):
        yield f"the entries have the revs {revs}, the game {evidence.game['rev']}"
    times = [entry["received_at"] for entry in evidence.entries]
    if times != sorted(times):
        yield "entries were received in another order than they were written"


def turns_are_gapless(evidence: Evidence) -> Iterator[str]:
    """Turns are numbered from 0 to one below the number of the next."""
    numbers = [turn["number"] for turn in evidence.turns]
    if numbers != list(range(evidence.game["turn"])):
        yield f"the turns have the numbers {numbers}, the game is at {evidence.game['turn']}"


def what_was_accepted_stands_where_acknowledged(evidence: Evidence) -> Iterator[str]:
    """A receipt names the rev of exactly one entry, which has its role, id, kind and time."""
    found = defaultdict(list)
    for entry in evidence.entries:
        found[entry["role"], entry["action_id"]].append(entry)
    sent = sent_frames(evidence)
    for page, event in heard(evidence, "receipt"):
        entries = found[page.role, event["id"]]
        if len(entries) != 1:
            yield f"{page.name}: {event['id']} was accepted and stands {len(entries)} times"
            continue
        (entry,) = entries
        stands = (entry["rev"], entry["received_at"], entry["lag"], entry["hash"])
        if stands != tuple(event.get(key) for key in ("rev", "at", "lag", "hash")):
            yield f"{page.name}: {event['id']} does not stand where the receipt says"
        if (page.role, event["id"]) not in sent:
            yield f"{page.name}: a receipt for {event['id']}, which nobody sent"


def receipts_agree(evidence: Evidence) -> Iterator[str]:
    """An id is accepted once; every other receipt of it says the same, and that it is a repeat."""
    receipts = defaultdict(list)
    for page, event in heard(evidence, "receipt"):
        receipts[page.role, event["id"]].append(event)
    for (role, id), events in receipts.items():
        said = [{key: value for key, value in event.items() if key != "again"} for event in events]
        if any(each != said[0] for each in said):
            yield f"{role}: the receipts of {id} differ"
        if sum(not event["again"] for event in events) > 1:
            yield f"{role}: {id} was accepted anew more than once"


def what_was_refused_is_not_in_the_record(evidence: Evidence) -> Iterator[str]:
    """A refusal means that nothing was done, and it has a reason that the trouble explains."""
    ids = {(entry["role"], entry["action_id"]) for entry in evidence.entries}
    for page, event in heard(evidence, "refused"):
        if (page.role, event["id"]) in ids:
            yield f"{page.name}: {event['id']} was refused ({event['reason']}) and done"
        may_be_nonsense = str(event["id"]).startswith("x")
        if event["reason"] not in EXPLAINED | (NONSENSE if may_be_nonsense else set()):
            yield f"{page.name}: {event['id']} was refused as {event['reason']}"


def everything_was_answered(evidence: Evidence) -> Iterator[str]:
    """Whoever asked heard what became of it."""
    for page in evidence.pages:
        answered = {event["id"] for event in page.log if event["e"] in ("receipt", "refused")}
        for event in page.log:
            if event["e"] == "sent" and event["frame"]["id"] not in answered:
                yield f"{page.name}: {event['frame']['id']} was never answered"


def says(game: Row, entry: Row, frame: Row) -> bool:
    """Whether an entry has what a page sent: the actions, or a commitment to the sealed one."""
    body = json.loads(entry["body"])
    if "commitment" not in body:
        return (body["turn"], body["actions"]) == (frame["turn"], list(frame["actions"]))
    opened = body.get("reveal", {}).get(entry["role"])
    if opened is None:
        return body["turn"] == frame["turn"]
    text, role = (*frame["actions"], entry["role"])
    made = commitment(game["slug"], frame["turn"], role, text, opened["salt"])
    return (body["turn"], body["commitment"]) == (frame["turn"], made)


def nothing_was_invented(evidence: Evidence) -> Iterator[str]:
    """Each entry is a frame that a page of its role sent, or time given back."""
    sent = sent_frames(evidence)
    for entry in evidence.entries:
        if entry["role"] is None:
            if entry["kind"] != ("open" if entry["rev"] == 0 else "credit"):
                yield f"rev {entry['rev']} is {entry['kind']}, by nobody"
            continue
        frame = sent.get((entry["role"], entry["action_id"]))
        if frame is None or kind_of(frame) != entry["kind"]:
            yield f"rev {entry['rev']} is {entry['kind']} {entry['action_id']}, which was not sent"
        elif "actions" in frame and not says(evidence.game, entry, frame):
            yield f"rev {entry['rev']} says {entry['body']} of {frame}"


@dataclass
class Folded:
    """What the accepted actions make of a game, sealed in the order of the revs."""

    turns: list["FoldedTurn"]
    undone: list[tuple[int, int, "FoldedTurn"]]  # rev of the takeback, number, turn
    left: dict[str, int]  # ms, of a Fischer clock
    waiting: dict[str, str]  # sealed for a turn that was never resolved
    led_to: list[int]  # the numbers of the turns to which takebacks have led

    @property
    def joints(self) -> list[dict[str, str]]:
        return [turn.joint for turn in self.turns]


@dataclass(frozen=True)
class FoldedTurn:
    """One turn of them, with the state before it."""

    joint: dict[str, str]
    spent: dict[str, int]  # ms
    before: Any
    go: int


def beginning(turns: list[FoldedTurn], role: str) -> int:
    """The number of the turn with which the latest go of a role began."""
    go = max(turn.go for turn in turns if role in turn.joint)
    return next(n for n, turn in enumerate(turns) if turn.go == go)


def folded(evidence: Evidence) -> Folded:
    """Plays what was sent, entry by entry, as far as the rules allow it."""
    game, rules, sent = evidence.game, rules_of(evidence.game["rules"]), sent_frames(evidence)
    left = dict.fromkeys(("white", "black"), game["clock_initial"])
    fold, state, sealed, since = Folded([], [], left, {}, []), rules.start(), {}, 0
    for entry in evidence.entries:
        at, role, lag = entry["received_at"], entry["role"], entry["lag"]
        if entry["kind"] == "open":
            since = at
        elif entry["kind"] == "credit":
            since += json.loads(entry["body"])["ms"]
        elif entry["kind"] == "takeback-accept":
            (asker,) = {"white", "black"} - {role}
            if not any(asker in turn.joint for turn in fold.turns):
                return fold
            number = beginning(fold.turns, asker)
            fold.led_to.append(number)
            for r in rules.control(state):
                left[r] -= max(0, at - since)
            state, since = fold.turns[number].before, at
            undone = enumerate(fold.turns[number:], start=number)
            fold.undone.extend((entry["rev"], n, turn) for n, turn in undone)
            del fold.turns[number:]
        elif entry["kind"] == "act":
            for text in sent.get((role, entry["action_id"]), {}).get("actions", []):
                if role in sealed:  # a seal is final: a second one cannot have been accepted
                    return fold
                try:
                    sealed[role] = (rules.parse(text), max(0, at - since) - lag)
                    lag = 0  # the first action has had it
                    actions = {r: action for r, (action, _) in sealed.items()}
                    if missing(rules, state, actions):
                        continue
                    before, goes = state, rules.goes(state)
                    state = advance(rules, state, assemble(rules, state, actions))
                except ValueError:  # not a sentence, or not allowed here
                    return fold
                earned = game["clock_increment"] if rules.goes(state) > goes else 0
                for r, (_, ms) in sealed.items():
                    left[r] += earned - ms
                joint = {r: str(action) for r, action in actions.items()}
                spent = {r: ms for r, (_, ms) in sealed.items()}
                fold.turns.append(FoldedTurn(joint, spent, before, goes))
                sealed, since = {}, at
    fold.waiting = {r: str(action) for r, (action, _) in sealed.items()}
    return fold


def the_turns_are_what_was_sent(evidence: Evidence) -> Iterator[str]:
    """Sealing what was accepted, in the order of the revs, gives the record's turns exactly."""
    fold = folded(evidence)
    stored = [json.loads(turn["joint"]) for turn in evidence.turns]
    if fold.joints != stored:
        yield f"accepted were {fold.joints}, and the record has {stored}"
    waiting = {(seal["role"], seal["number"]): seal["action"] for seal in evidence.sealed}
    if waiting != {(role, len(stored)): text for role, text in fold.waiting.items()}:
        yield f"{fold.waiting} waited for the other role, and stored is {waiting}"


def what_was_taken_back_is_kept(evidence: Evidence) -> Iterator[str]:
    """A takeback leads to the beginning of the asker's latest go, and marks what it undoes."""
    fold = folded(evidence)
    accepts = [entry for entry in evidence.entries if entry["kind"] == "takeback-accept"]
    if [json.loads(entry["body"]) for entry in accepts] != [{"to": n} for n in fold.led_to]:
        yield f"takebacks led to {fold.led_to}, and the record says {accepts}"
    if evidence.game["takebacks"] != len(accepts):
        yield f"there were {len(accepts)} takebacks, the game says {evidence.game['takebacks']}"
    undone = [(rev, number, turn.joint) for rev, number, turn in fold.undone]
    rows = [(row["undone"], row["number"], json.loads(row["joint"])) for row in evidence.undone]
    if sorted(rows, key=lambda row: row[:2]) != sorted(undone, key=lambda row: row[:2]):
        yield f"undone were {undone}, and the record has {rows}"


def the_record_replays_to_the_position(evidence: Evidence) -> Iterator[str]:
    """The stored position, outcome and goals are those of the turns, byte for byte."""
    game, rules = evidence.game, rules_of(evidence.game["rules"])
    stored = [json.loads(turn["joint"]) for turn in evidence.turns]
    try:
        joints = [
            {role: rules.parse(acts[role]) if role in acts else NOOP for role in rules.roles}
            for acts in stored
        ]
        *_, state = replay(rules, joints)
    except ValueError as error:
        yield f"the record cannot be played: {error}"
        return
    if rules.write(state) != game["position"]:
        yield f"the turns lead to {rules.write(state)}, and stored is {game['position']}"
    outcome = rules.outcome(state)
    if outcome and (game["reason"], game["winner"] or None) != (outcome.reason, outcome.winner):
        yield f"the rules say {outcome}, and stored is {game['winner']!r} {game['reason']!r}"
    if outcome and json.loads(game["goals"]) != dict(outcome.goals):
        yield f"the rules say {outcome}, and stored is {game['goals']}"
    if game["ended"] is None:
        yield "the game has no end"


def clocks_add_up(evidence: Evidence) -> Iterator[str]:
    """Times spent and left are those of the moments at which actions were received."""
    game, fold = evidence.game, folded(evidence)
    rows = [*evidence.turns, *sorted(evidence.undone, key=lambda r: (r["undone"], r["number"]))]
    spent = [turn.spent for turn in (*fold.turns, *(turn for _, _, turn in fold.undone))]
    if spent != [json.loads(row["spent"]) for row in rows]:
        yield "the turns say that other times were spent"
    if game["clock_kind"] == "fischer" and json.loads(game["times"])["left"] != fold.left:
        yield f"left are {fold.left}, and stored is {game['times']}"


def no_page_went_back(evidence: Evidence) -> Iterator[str]:
    """What a page is told never gets older, over all of its lines and servers."""
    for page in evidence.pages:
        newest = -1
        for event in page.log:
            if event["e"] in ("state", "pong"):
                if event["rev"] < newest:
                    yield f"{page.name}: heard of rev {event['rev']} after {newest}"
                newest = max(newest, event["rev"])


def all_pages_saw_the_same(evidence: Evidence) -> Iterator[str]:
    """At one rev every page sees the same, and all end on the last rev and its position."""
    game, rules = evidence.game, rules_of(evidence.game["rules"])
    view = rules.view(rules.read(game["position"]), None)
    seen = defaultdict(Counter)
    for _, event in heard(evidence, "state"):
        seen[event["rev"]][event["common"]] += 1
    for rev, sights in seen.items():
        if len(sights) > 1:
            yield f"at rev {rev} pages saw {len(sights)} different things"
    for page in evidence.pages:
        state = page.state
        if state is None or (state["rev"], state["turn"]) != (game["rev"], game["turn"]):
            yield f"{page.name} ended at rev {state and state['rev']} instead of {game['rev']}"
        elif state["view"] != view or (state["outcome"] or {}).get("reason", "") != game["reason"]:
            yield f"{page.name} ended on another position or result"
    if len({digest(in_common(page.state or {})) for page in evidence.pages}) > 1:
        yield "the pages ended on different states"


def the_exports_are_the_record(evidence: Evidence) -> Iterator[str]:
    """The game's page, its turns and its exported record say what the database says."""
    rules, state = rules_of(evidence.game["rules"]), rules_of(evidence.game["rules"]).start()
    both = rules.kind == "split"
    stored = [json.loads(turn["joint"]) for turn in evidence.turns]
    actions = [[j["white"], j["black"]] if both else next(iter(j.values())) for j in stored]
    open_state = next((page.state for page in evidence.pages if page.state), {})
    if in_common(evidence.page["snapshot"]) != in_common(open_state):
        yield "the page shows another state than those that were open"
    if evidence.export["actions"] != actions:
        yield "the exported record has other actions"
    if [turn["n"] for turn in evidence.shown_turns] != list(range(len(stored))):
        yield "other turns are shown than there are"
        return
    for joint, shown in zip(stored, evidence.shown_turns, strict=True):
        acts = {role: rules.parse(text) for role, text in joint.items()}
        state = rules.play(state, assemble(rules, state, acts))
        if shown["view"] != rules.view(state, None) or shown["text"].keys() != joint.keys():
            yield f"turn {shown['n']} is shown otherwise than it is"
    times = [(turn["at"], turn["spent"]) for turn in evidence.shown_turns]
    if times != [(turn["at"], json.loads(turn["spent"])) for turn in evidence.turns]:
        yield "turns are shown with other times"
    more = ("view", "at", "spent")
    if evidence.page["turns"] != [
        {key: value for key, value in turn.items() if key not in more}
        for turn in evidence.shown_turns
    ]:
        yield "the page has other turns"


CHECKS: list[Check] = [
    revs_are_gapless,
    turns_are_gapless,
    what_was_accepted_stands_where_acknowledged,
    receipts_agree,
    what_was_refused_is_not_in_the_record,
    everything_was_answered,
    nothing_was_invented,
    the_turns_are_what_was_sent,
    what_was_taken_back_is_kept,
    the_record_replays_to_the_position,
    clocks_add_up,
    no_page_went_back,
    all_pages_saw_the_same,
    the_exports_are_the_record,
]
