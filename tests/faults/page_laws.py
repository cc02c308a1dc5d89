"""The invariants of what pages are told: receipts are kept, states agree, nobody goes back."""

import json
from collections import defaultdict
from itertools import pairwise

from tests.faults.evidence import Evidence, Trouble
from tests.faults.rows import Row


def accepted_is_kept(e: Evidence) -> Trouble:
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


def ends_are_final(e: Evidence) -> Trouble:
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


def pages_agree(e: Evidence) -> Trouble:
    """I8, I9: at one rev all see the same, nobody goes back, and in the end all have the newest."""
    common: dict[int, Row] = {}
    for client, event in e.heard("state"):
        first, now = common.setdefault(event["rev"], event["common"]), event["common"]
        if first != now:
            fields = sorted(name for name in first | now if first.get(name) != now.get(name))
            if fields == ["seats"] and e.has_departed:
                continue  # a name may change at any rev, and that of who goes does
            yield "broken", f"{client.name} saw other {', '.join(fields)} at rev {event['rev']}"
    for client in e.clients:
        revs = [event["rev"] for event in client.log if event["e"] in ("state", "pong")]
        revs = [rev for rev in revs if rev is not None]
        back = [(a, b) for a, b in pairwise(revs) if b < a]
        if back:
            yield "reordered", f"{client.name} went back: {back[:3]}"
        if e.extra.get("is_quiet") and client.is_open and client.rev != e.rows.game["rev"]:
            yield "broken", f"{client.name} is left at rev {client.rev} of {e.rows.game['rev']}"
        if revs and max(revs) > e.rows.game["rev"]:
            yield "lost", f"{client.name} saw rev {max(revs)}, stored is {e.rows.game['rev']}"


def nobody_waits_for_ever(e: Evidence) -> Trouble:
    """I14: whoever asked heard what became of it, and two different users sit."""
    if len({seat["user_id"] for seat in e.rows.seats}) != 2:
        yield "broken", "not two users hold the seats"
    if not e.extra.get("is_quiet"):
        return
    for client in e.clients:
        answered = {event.get("id") for event in client.log if event["e"] in ("receipt", "refused")}
        for event in client.log:
            if event["e"] == "sent" and event["id"] not in answered and client.is_open:
                yield "lost", f"{client.name}: {event['id']} was never answered"
