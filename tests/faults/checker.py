"""What must hold after every fault: the invariants, on rows of the database and logs of clients.

Nothing here comes from the server's own code but the pure rules. Each law yields what is wrong,
and of which kind: `lost`, `doubled`, `reordered`, `leaked`, or `broken` for the rest.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from games.catalogue import rules_of
from games.core import NOOP, advance
from games.ledger import GENESIS, chained, commitment, text_of
from tests.faults.canaries import Canaries
from tests.faults.client import Client
from tests.faults.folding import Fold, fold
from tests.faults.rows import GameRows, Row

# An action may wait so long for the database that another process commits a later one first.
SKEW = 30_000  # ms
GRACE = 500  # ms after a deadline before a flag may fall
STUCK = 5_000  # ms after which a flag that has not fallen is overdue
MAYBE = {"busy", "slow_down", "unsure"}  # refusals after which the same id was sent again
UNSENT = {"open", "flag", "credit", "idle"}  # entries that nobody sends


@dataclass(frozen=True)
class Finding:
    """Something that must not be."""

    kind: str
    law: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text} ({self.law})"


@dataclass
class Evidence:
    """One game, and what its clients were told."""

    rows: GameRows
    clients: list[Client]
    at: int = 0  # ms, when the rows were read; 0: clocks are not looked at
    skew: int = 0  # ms by which the clocks of its servers may differ
    extra: dict[str, Any] = field(default_factory=dict)

    def heard(self, kind: str) -> Iterator[tuple[Client, Row]]:
        """All events of a kind, client by client, in order."""
        for client in self.clients:
            for event in client.log:
                if event["e"] == kind:
                    yield client, event

    @cached_property
    def sent(self) -> dict[tuple[str, str], Row]:
        """Every frame by role and id; of an id with two bodies the one that was sent first."""
        frames: dict[tuple[str, str], Row] = {}
        for client, event in sorted(self.heard("sent"), key=lambda each: each[1]["ns"]):
            frames.setdefault((client.role or "", event["id"]), event["frame"])
        return frames

    @cached_property
    def bodies(self) -> dict[tuple[str, str], list[Row]]:
        """Every body that was sent under an id."""
        bodies = defaultdict(list)
        for client, event in self.heard("sent"):
            bodies[client.role or "", event["id"]].append(event["frame"])
        return bodies

    @cached_property
    def by_id(self) -> dict[tuple[str, str], list[Row]]:
        """The entries of an id."""
        entries = defaultdict(list)
        for entry in self.rows.entries:
            if entry["action_id"] is not None:
                entries[entry["role"], entry["action_id"]].append(entry)
        return dict(entries)

    @cached_property
    def fold(self) -> Fold:
        """What the accepted frames make of it."""
        sent = dict(self.sent)
        for key, bodies in self.bodies.items():
            if len({json.dumps(body, sort_keys=True) for body in bodies}) > 1:
                sent[key] = self._accepted_body(key, bodies)
        return fold(self.rows, sent)

    def _accepted_body(self, key: tuple[str, str], bodies: list[Row]) -> Row:
        """Of several bodies under one id, the one that the record has."""
        played = [text for turn in self.rows.turns for text in json.loads(turn["joint"]).values()]
        played += [seal["action"] for seal in self.rows.sealed]
        found = [body for body in bodies if body.get("actions", [None])[0] in played]
        return (found or bodies)[0]

    @property
    def has_computer(self) -> bool:
        """Whether a seat acts that is none of the clients'."""
        if self.extra.get("is_restored"):
            return True
        return bool({"white", "black"} - {client.role for client in self.clients})


Law = Callable[[Evidence], Iterator[tuple[str, str]]]


def accepted_is_kept(e: Evidence) -> Iterator[tuple[str, str]]:
    """I1, I4: what has a receipt stands in the record once, as the receipt says, every time."""
    told = defaultdict(list)
    for client, event in e.heard("receipt"):
        told[client.role or "", event["id"]].append(event)
    for key, receipts in told.items():
        entries = e.by_id.get(key, [])
        if not entries:
            yield "lost", f"{key} has a receipt for rev {receipts[0]['rev']} and no entry"
            continue
        if len(entries) > 1:
            yield "doubled", f"{key} stands {len(entries)} times"
        for receipt in receipts:
            if (receipt["rev"], receipt["at"]) != (entries[0]["rev"], entries[0]["received_at"]):
                yield "broken", f"{key} stands at {entries[0]['rev']}, told was {receipt['rev']}"
            for name in ("hash", "lag", "clock"):
                stored = entries[0].get(name)
                if name == "clock" and stored is not None:
                    stored = json.loads(stored) or {"white": None, "black": None}
                if name in receipt and stored is not None and receipt[name] != stored:
                    yield "broken", f"the receipt of {key} has another {name} than its entry"
        kept = ("rev", "at", "lag", "hash", "clock", "commitment")
        same = {json.dumps([receipt.get(k) for k in kept], sort_keys=True) for receipt in receipts}
        if len(same) > 1:
            yield "broken", f"the receipts of {key} differ: {same}"
        if sum(not receipt["again"] for receipt in receipts) > 1:
            yield "doubled", f"{key} was accepted anew more than once"


def nothing_is_invented(e: Evidence) -> Iterator[tuple[str, str]]:
    """I2: each entry is a frame that was sent; what was refused is not there."""
    for (role, id), entries in e.by_id.items():
        if len(entries) > 1:
            yield "doubled", f"{role} {id} has {len(entries)} entries"
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
        if event["reason"] in MAYBE or event["reason"] == "conflict" or key not in e.by_id:
            continue
        word = "accepted and refused" if key in accepted else "refused and done"
        yield "doubled", f"{key} was {word} ({event['reason']})"


def kind_of(frame: Row) -> str:
    """What the record calls the change that a frame asks for."""
    if frame["t"] == "claim" and frame.get("as"):
        return f"claim-{frame['as']}"
    return f"{frame['t']}-{frame['do']}" if "do" in frame else frame["t"]


def order_is_gapless(e: Evidence) -> Iterator[tuple[str, str]]:
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


def turns_are_what_was_sent(e: Evidence) -> Iterator[tuple[str, str]]:
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


def _compare(
    e: Evidence, standing: list[Row], waiting: dict[tuple[str, int], str]
) -> Iterator[tuple[str, str]]:
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


def _replayed(game: Row, joints: list[dict[str, str]]) -> Iterator[tuple[str, str]]:
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


def clocks_add_up(e: Evidence) -> Iterator[tuple[str, str]]:
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


def flags_are_just(e: Evidence) -> Iterator[tuple[str, str]]:
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


def ends_are_final(e: Evidence) -> Iterator[tuple[str, str]]:
    """I12: the end that was shown first is the end, and nothing comes after it."""
    shown = {event["outcome"] for _, event in e.heard("state") if event["outcome"]}
    if len(shown) > 1:
        yield "broken", f"{len(shown)} different ends were shown"
    if shown and e.rows.game["ended"] is None:
        yield "lost", "an end was shown, and the game goes on"
    for _, event in e.heard("state"):
        if event["outcome"] and event["rev"] != e.rows.game["rev"]:
            yield (
                "broken",
                f"an end was shown at rev {event['rev']}, the last is {e.rows.game['rev']}",
            )
            break


def pages_agree(e: Evidence) -> Iterator[tuple[str, str]]:
    """I8, I9: at one rev all see the same, nobody goes back, and in the end all have the newest."""
    common: dict[int, Row] = {}
    for client, event in e.heard("state"):
        first, now = common.setdefault(event["rev"], event["common"]), event["common"]
        if first != now:
            fields = sorted(name for name in first | now if first.get(name) != now.get(name))
            yield "broken", f"{client.name} saw other {', '.join(fields)} at rev {event['rev']}"
    for client in e.clients:
        revs = [event["rev"] for event in client.log if event["e"] in ("state", "pong")]
        revs = [rev for rev in revs if rev is not None]
        back = [(a, b) for a, b in pairwise(revs) if b < a]
        if back:
            yield "reordered", f"{client.name} went back: {back[:3]}"
        if e.extra.get("is_quiet") and client.line is not None and client.rev != e.rows.game["rev"]:
            yield "broken", f"{client.name} is left at rev {client.rev} of {e.rows.game['rev']}"
        if revs and max(revs) > e.rows.game["rev"]:
            yield "lost", f"{client.name} saw rev {max(revs)}, stored is {e.rows.game['rev']}"


def nobody_waits_for_ever(e: Evidence) -> Iterator[tuple[str, str]]:
    """I14: whoever asked heard what became of it, and two different users sit."""
    if len({seat["user_id"] for seat in e.rows.seats}) != 2:
        yield "broken", "not two users hold the seats"
    if not e.extra.get("is_quiet"):
        return
    for client in e.clients:
        answered = {event.get("id") for event in client.log if event["e"] in ("receipt", "refused")}
        for event in client.log:
            if event["e"] == "sent" and event["id"] not in answered and client.line is not None:
                yield "lost", f"{client.name}: {event['id']} was never answered"


def the_ledger_is_chained(e: Evidence) -> Iterator[tuple[str, str]]:
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


def seals_are_what_was_committed(e: Evidence) -> Iterator[tuple[str, str]]:
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


def salts_of(e: Evidence) -> Iterator[tuple[int, dict[str, str]]]:
    """The salts of every reveal, by turn and role."""
    for turn in e.rows.turns:
        proofs = json.loads(turn.get("seals") or "{}")
        yield turn["number"], {role: proof["salt"] for role, proof in proofs.items()}


LAWS: tuple[Law, ...] = (
    accepted_is_kept,
    nothing_is_invented,
    order_is_gapless,
    turns_are_what_was_sent,
    clocks_add_up,
    flags_are_just,
    ends_are_final,
    pages_agree,
    nobody_waits_for_ever,
    the_ledger_is_chained,
    seals_are_what_was_committed,
)


def judged(evidence: list[Evidence], canaries: Canaries) -> list[Finding]:
    """All that is wrong."""
    found = [
        Finding(
            kind, law.__name__, f"{each.rows.game['rules']} {each.rows.game['slug'][:6]}: {text}"
        )
        for each in evidence
        for law in LAWS
        for kind, text in law(each)
    ]
    for each in evidence:
        for turn, salts in salts_of(each):
            canaries.salts(each.rows.game["slug"], turn, salts)
    return found + [Finding("leaked", "view safety", text) for text in canaries.leaks]
