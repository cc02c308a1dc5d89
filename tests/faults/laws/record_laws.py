"""Invariants of a game's record in the database, independent of any client."""

import json
from collections import Counter, defaultdict
from itertools import pairwise

from games.catalogue import rules_of
from games.core import NOOP, advance
from games.ledger import GENESIS, chain_hash, commitment, text_of
from tests.faults.laws.evidence import DEPARTURE, Evidence, Trouble
from tests.faults.laws.stored_rows import Row

STUCK = 5_000  # ms after which a flag that has not fallen is overdue
MAYBE = {"busy", "slow_down", "unsure"}  # refusals after which the same id was sent again
# Said of another body under the same id, or to somebody who has lost his seat since he sent it.
OTHERWISE = {"conflict", "not_seated"}
NONSENSE = {"illegal", "bad_action"}


def nothing_is_invented(e: Evidence) -> Trouble:
    """I2: each entry is a frame that was sent; no refused frame has an entry."""
    for (role, id), entries in e.by_id.items():
        if len(entries) > 1:
            yield "doubled", f"{role} {id} has {len(entries)} entries"
        if id == DEPARTURE:
            continue
        is_of_client = any(client.role == role for client in e.clients)
        frame = e.sent.get((role, id))
        kind = entries[0]["kind"]
        if is_of_client and (frame is None or kind_of(frame, kind == "begin") != kind):
            yield "doubled", f"rev {entries[0]['rev']} {entries[0]['kind']} was never sent"
    for entry in e.rows.entries:
        if entry["action_id"] is None and entry["kind"] not in e.unsent:
            yield "doubled", f"rev {entry['rev']} is {entry['kind']}, by nobody"
    accepted = {(c.role or "", event["id"]) for c, event in e.heard("receipt")}
    for client, event in e.heard("refused"):
        key = (client.role or "", event.get("id") or "")
        if event["reason"] in MAYBE or event["reason"] in OTHERWISE or key not in e.by_id:
            continue
        word = "accepted and refused" if key in accepted else "refused and done"
        yield "doubled", f"{key} was {word} ({event['reason']})"


def refusals_are_explained(e: Evidence) -> Trouble:
    """A refusal has a reason that the fault explains, if the fault lists reasons."""
    if e.explained is None:
        return
    for client, event in e.heard("refused"):
        is_nonsense = str(event["id"]).startswith("x") and event["reason"] in NONSENSE
        if event["reason"] not in e.explained and not is_nonsense:
            yield "broken", f"{client.name}: {event['id']} was refused as {event['reason']}"


def entries_say_what_was_sent(e: Evidence) -> Trouble:
    """I6: an entry has the step and the actions of a frame that was sent under its id, or the
    commitment to the action that was sealed."""
    for entry in e.rows.entries:
        frames = e.bodies.get((entry["role"], entry["action_id"]), [])
        if entry["kind"] == "act" and frames and not any(_says(e, entry, f) for f in frames):
            yield "broken", f"rev {entry['rev']} says {entry['body']} of {frames}"


def _says(e: Evidence, entry: Row, frame: Row) -> bool:
    body = json.loads(entry["body"])
    if body["step"] != frame.get("step"):
        return False
    if "commitment" not in body:
        return body["actions"] == list(frame["actions"])
    opened = body.get("reveal", {}).get(entry["role"])
    if opened is None:
        return True
    (text,) = frame["actions"]
    made = commitment(e.game["slug"], body["step"], entry["role"], text, opened["salt"])
    return body["commitment"] == made


def kind_of(frame: Row, is_begin: bool = False) -> str:
    """The kind of the record's entry for a frame; `is_begin`: the frame began the game."""
    if frame["t"] == "shown" and is_begin:
        return "begin"  # the last page that is shown
    if frame["t"] == "claim" and frame.get("as"):
        return f"claim-{frame['as']}"
    return f"{frame['t']}-{frame['do']}" if "do" in frame else frame["t"]


def order_is_gapless(e: Evidence) -> Trouble:
    """I3: revs have no holes, times do not run back, and each hand's acts keep their order."""
    revs = [entry["rev"] for entry in sorted(e.rows.entries, key=lambda row: row["rev"])]
    if revs != list(range(e.rows.game["rev"] + 1)):
        twice = [rev for rev, count in Counter(revs).items() if count > 1]
        yield ("doubled" if twice else "lost"), f"revs {revs} in a game at {e.rows.game['rev']}"
    times = [entry["received_at"] for entry in e.rows.entries]
    back = max((a - b for a, b in pairwise(times)), default=0)
    if back > e.skew:
        yield "reordered", f"an entry was received {back} ms before the one it follows"
    for client in e.clients:
        answered: dict[str, tuple[int, int]] = {}
        newest = -1
        for event in client.log:
            if event["e"] == "receipt" and event["id"] not in answered:
                answered[event["id"]] = (event["rev"], event["ns"])
                newest = max(newest, event["rev"])
            elif event["e"] == "sent":
                before = newest
                rev = next(
                    (r["rev"] for r in e.by_id.get((client.role or "", event["id"]), [])), None
                )
                if rev is not None and rev <= before and event["id"] not in answered:
                    yield (
                        "reordered",
                        f"{client.name}: {event['id']} stands before what was earlier",
                    )


def steps_are_what_was_sent(e: Evidence) -> Trouble:
    """I6, I7, I13: folding the accepted frames gives the steps and the seals; all are legal."""
    rows, game, standing = e.rows, e.rows.game, e.standing
    numbers = [step["number"] for step in standing]
    if numbers != list(range(game["step"])):
        kind = "doubled" if len(set(numbers)) < len(numbers) else "lost"
        yield kind, f"steps {numbers} in a game at step {game['step']}"
    waiting = {(seal["role"], seal["number"]): seal["action"] for seal in rows.sealed}
    if any(number != game["step"] for _, number in waiting):
        yield "doubled", f"a seal is left of a step that is resolved: {sorted(waiting)}"
    if not e.has_computer:
        for trouble in e.fold.trouble:
            yield "broken", trouble
        if not e.fold.trouble:
            yield from _compare(e, standing, waiting)


def _compare(e: Evidence, standing: list[Row], waiting: dict[tuple[str, int], str]) -> Trouble:
    stored = [json.loads(step["joint"]) for step in standing]
    folded = [step.joint for step in e.fold.steps]
    if stored != folded:
        n = next((n for n, (a, b) in enumerate(zip(stored, folded, strict=False)) if a != b), -1)
        kind = (
            "lost"
            if len(stored) < len(folded)
            else "doubled"
            if len(stored) > len(folded)
            else "broken"
        )
        yield kind, f"{len(folded)} steps were accepted, {len(stored)} are stored; they part at {n}"
    expected = {(role, len(folded)): text for role, text in e.fold.waiting.items()}
    if waiting != expected:
        yield "lost", f"{sorted(expected)} should wait as seals, and {sorted(waiting)} do"


def record_replays_to_position(e: Evidence) -> Trouble:
    """I7, I13: the stored position, outcome and goals are those of the steps, byte for byte."""
    game, rules = e.game, rules_of(e.game["rules"])
    state = rules.start()
    try:
        for joint in (json.loads(step["joint"]) for step in e.standing):
            state = advance(
                rules,
                state,
                {r: rules.parse(joint[r]) if r in joint else NOOP for r in rules.roles},
            )
    except ValueError as error:
        yield "broken", f"the steps cannot be played: {error}"
        return
    if rules.write(state) != game["position"]:
        yield "broken", "the stored position is not that of the steps"
    outcome = rules.outcome(state)
    if outcome and (game["reason"], game["winner"] or None) != (outcome.reason, outcome.winner):
        yield "broken", f"the rules say {outcome}, and stored is {game['reason']}"
    if outcome and json.loads(game["goals"]) != dict(outcome.goals):
        yield "broken", f"the rules say {outcome}, and stored is {game['goals']}"


def takebacks_are_kept(e: Evidence) -> Trouble:
    """A takeback undoes the asker's latest turn and what followed, and deducts its increments."""
    if e.has_computer or e.fold.trouble:
        return
    accepts = [entry for entry in e.rows.entries if entry["kind"] == "takeback-accept"]
    if [json.loads(entry["body"]) for entry in accepts] != e.fold.takebacks:
        yield "broken", f"takebacks were {e.fold.takebacks}, and the record says {accepts}"
    if e.game["takebacks"] != len(accepts):
        yield "broken", f"{len(accepts)} takebacks, and the game says {e.game['takebacks']}"
    undone = [(rev, number, step.joint) for rev, number, step in e.fold.undone]
    rows = [(row["undone"], row["number"], json.loads(row["joint"])) for row in e.undone]
    if rows != sorted(undone, key=lambda row: row[:2]):
        yield "lost", f"undone were {undone}, and the record has {rows}"


def clocks_add_up(e: Evidence) -> Trouble:
    """I10: times spent and left are those of the moments of receipt, less the lag given back."""
    if e.has_computer or e.fold.trouble:
        return
    undone = sorted(e.fold.undone, key=lambda each: each[:2])
    folded = [step.spent for step in (*e.fold.steps, *(step for *_, step in undone))]
    stored = [json.loads(step["spent"]) for step in (*e.standing, *e.undone)]
    if stored != folded:
        yield "broken", f"spent were {folded}, and stored is {stored}"
    left = json.loads(e.game["times"])["left"]
    is_settled = e.game["ended"] is None or e.rows.entries[-1]["kind"] == "act"
    if (
        e.game["clock_kind"] == "fischer"
        and is_settled
        and not e.fold.waiting
        and left != e.fold.left
    ):
        yield "broken", f"left are {e.fold.left}, and stored is {left}"


def flags_are_just(e: Evidence) -> Trouble:
    """I11, I14: no time loss before its time, no flag that hangs, no clock that runs on."""
    game = e.rows.game
    times = json.loads(game["times"])
    timed = game["clock_kind"] != "none"
    if game["ended"] is not None:
        if times["running"]:
            yield "broken", "a clock runs after the end"
        if game["reason"] == "time" and e.rows.entries[-1]["kind"] == "flag" and timed:
            loser = "black" if game["winner"] == "white" else "white"
            if times["left"][loser] > 0:
                yield "broken", f"{loser} lost on time with {times['left'][loser]} ms left"
        if game["reason"] == "no_show" and not e.has_computer and not e.fold.trouble:
            yield from _abort_is_just(e)
    elif timed and e.at:
        purse = {**times["left"], **times["first_turn"]}
        limit = times["begin_by"]
        if limit is None:
            limit = times["since"] + min(purse[role] for role in times["running"])
        if game["deadline"] != limit:
            yield "broken", f"the deadline is {game['deadline']}, and the clocks say {limit}"
        if e.at > limit + STUCK:
            yield "broken", f"the game is stuck: its flag should have fallen {e.at - limit} ms ago"


def _abort_is_just(e: Evidence) -> Trouble:
    """A game is aborted only after an allowance was spent, and nobody has paid for it."""
    rules, fold, at = rules_of(e.game["rules"]), e.fold, e.rows.entries[-1]["received_at"]
    missing = (rules.control(fold.state) - fold.waiting.keys()) & fold.first_turn.keys()
    limits = [fold.since + fold.first_turn[role] for role in missing]
    if not fold.has_begun or not limits or at <= min(limits):
        yield "broken", f"the game was aborted at {at}, and the limits were {limits}"
    if e.game["winner"]:
        yield "broken", "somebody has won a game that was aborted"


def the_ledger_is_chained(e: Evidence) -> Trouble:
    """I7: each entry's hash is made of its text and the hash before; the game has the last."""
    if not e.rows.entries or "hash" not in e.rows.entries[0]:
        return
    head = GENESIS
    for entry in e.rows.entries:
        text = text_of(
            {
                "game": e.rows.game["slug"],
                "rev": entry["rev"],
                "kind": entry["kind"],
                "role": entry["role"],
                "id": entry["action_id"],
                "at": entry["received_at"],
                "lag": entry["lag"],
                "clock": json.loads(entry["clock"]),
                "body": json.loads(entry["body"]),
            }
        )
        if entry["hash"] != (head := chain_hash(head, text)):
            yield "broken", f"the hash of rev {entry['rev']} is not that of its text"
            return
    if e.rows.game.get("head", head) != head:
        yield "broken", "the game has another head than its last entry"


def seals_are_what_was_committed(e: Evidence) -> Trouble:
    """I6: action and salt of each reveal give the commitment that was published at the sealing."""
    published = defaultdict(set)
    for entry in e.rows.entries:
        body = json.loads(entry["body"])
        if entry["kind"] == "act" and "commitment" in body:
            published[body["step"], entry["role"]].add(body["commitment"])
    for step in e.rows.steps:
        for role, proof in json.loads(step.get("seals") or "{}").items():
            action = json.loads(step["joint"])[role]
            made = commitment(e.rows.game["slug"], step["number"], role, action, proof["salt"])
            if made != proof["commitment"] or made not in published[step["number"], role]:
                yield "broken", f"{role} sealed something else in round {step['number']}"
