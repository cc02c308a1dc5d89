"""The invariants of a record: what the rows of a game must be, whoever was told what."""

import json
from collections import Counter, defaultdict
from itertools import pairwise

from games.catalogue import rules_of
from games.core import NOOP, advance
from games.ledger import GENESIS, chained, commitment, text_of
from tests.faults.evidence import DEPARTURE, Evidence, Trouble
from tests.faults.rows import Row

STUCK = 5_000  # ms after which a flag that has not fallen is overdue
MAYBE = {"busy", "slow_down", "unsure"}  # refusals after which the same id was sent again
# Said of another body under the same id, or to somebody who has lost his seat since he sent it.
OTHERWISE = {"conflict", "not_seated"}
UNSENT = {"open", "flag", "credit", "idle"}  # entries that nobody sends


def nothing_is_invented(e: Evidence) -> Trouble:
    """I2: each entry is a frame that was sent; what was refused is not there."""
    for (role, id), entries in e.by_id.items():
        if len(entries) > 1:
            yield "doubled", f"{role} {id} has {len(entries)} entries"
        if id == DEPARTURE:
            continue
        is_of_client = any(client.role == role for client in e.clients)
        frame = e.sent.get((role, id))
        if is_of_client and (frame is None or kind_of(frame) != entries[0]["kind"]):
            yield "doubled", f"rev {entries[0]['rev']} {entries[0]['kind']} was never sent"
    for entry in e.rows.entries:
        if entry["action_id"] is None and entry["kind"] not in UNSENT:
            yield "doubled", f"rev {entry['rev']} is {entry['kind']}, by nobody"
    accepted = {(c.role or "", event["id"]) for c, event in e.heard("receipt")}
    for client, event in e.heard("refused"):
        key = (client.role or "", event.get("id") or "")
        if event["reason"] in MAYBE or event["reason"] in OTHERWISE or key not in e.by_id:
            continue
        word = "accepted and refused" if key in accepted else "refused and done"
        yield "doubled", f"{key} was {word} ({event['reason']})"


def kind_of(frame: Row) -> str:
    """What the record calls the change that a frame asks for."""
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


def turns_are_what_was_sent(e: Evidence) -> Trouble:
    """I6, I7, I13: folding the record gives turns, seals, position and end; all of it legal."""
    rows, game = e.rows, e.rows.game
    standing = sorted((t for t in rows.turns if t["undone"] is None), key=lambda t: t["number"])
    numbers = [turn["number"] for turn in standing]
    if numbers != list(range(game["turn"])):
        kind = "doubled" if len(set(numbers)) < len(numbers) else "lost"
        yield kind, f"turns {numbers} in a game at turn {game['turn']}"
    waiting = {(seal["role"], seal["number"]): seal["action"] for seal in rows.sealed}
    if any(number != game["turn"] for _, number in waiting):
        yield "doubled", f"a seal is left of a turn that is resolved: {sorted(waiting)}"
    if not e.has_computer:
        for trouble in e.fold.trouble:
            yield "broken", trouble
        if not e.fold.trouble:
            yield from _compare(e, standing, waiting)
    joints = [json.loads(turn["joint"]) for turn in standing]
    yield from _replayed(game, joints)


def _compare(e: Evidence, standing: list[Row], waiting: dict[tuple[str, int], str]) -> Trouble:
    stored = [json.loads(turn["joint"]) for turn in standing]
    folded = [turn.joint for turn in e.fold.turns]
    if stored != folded:
        n = next((n for n, (a, b) in enumerate(zip(stored, folded, strict=False)) if a != b), -1)
        kind = (
            "lost"
            if len(stored) < len(folded)
            else "doubled"
            if len(stored) > len(folded)
            else "broken"
        )
        yield kind, f"{len(folded)} turns were accepted, {len(stored)} are stored; they part at {n}"
    expected = {(role, len(folded)): text for role, text in e.fold.waiting.items()}
    if waiting != expected:
        yield "lost", f"{sorted(expected)} should wait as seals, and {sorted(waiting)} do"


def _replayed(game: Row, joints: list[dict[str, str]]) -> Trouble:
    rules = rules_of(game["rules"])
    state = rules.start()
    try:
        for joint in joints:
            state = advance(
                rules,
                state,
                {r: rules.parse(joint[r]) if r in joint else NOOP for r in rules.roles},
            )
    except ValueError as error:
        yield "broken", f"the turns cannot be played: {error}"
        return
    if rules.write(state) != game["position"]:
        yield "broken", "the stored position is not that of the turns"
    outcome = rules.outcome(state)
    if outcome and (game["reason"], game["winner"] or None) != (outcome.reason, outcome.winner):
        yield "broken", f"the rules say {outcome}, and stored is {game['reason']}"


def clocks_add_up(e: Evidence) -> Trouble:
    """I10: times spent and left are those of the moments of receipt, less the lag given back."""
    if e.has_computer or e.fold.trouble or e.fold.undone:
        return
    standing = sorted((t for t in e.rows.turns), key=lambda t: t["number"])
    stored = [json.loads(turn["spent"]) for turn in standing]
    folded = [turn.spent for turn in e.fold.turns]
    if stored != folded:
        yield "broken", f"spent were {folded}, and stored is {stored}"
    left = json.loads(e.rows.game["times"])["left"]
    is_live = e.rows.game["ended"] is None
    if (
        e.rows.game["clock_kind"] == "fischer"
        and is_live
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
    elif timed and e.at:
        limit = times["since"] + min(times["left"][role] for role in times["running"])
        if game["deadline"] != limit:
            yield "broken", f"the deadline is {game['deadline']}, and the clocks say {limit}"
        if e.at > limit + STUCK:
            yield "broken", f"the game is stuck: its flag should have fallen {e.at - limit} ms ago"


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
        if entry["hash"] != (head := chained(head, text)):
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
            published[body["turn"], entry["role"]].add(body["commitment"])
    for turn in e.rows.turns:
        for role, proof in json.loads(turn.get("seals") or "{}").items():
            action = json.loads(turn["joint"])[role]
            made = commitment(e.rows.game["slug"], turn["number"], role, action, proof["salt"])
            if made != proof["commitment"] or made not in published[turn["number"], role]:
                yield "broken", f"{role} sealed something else in round {turn['number']}"
