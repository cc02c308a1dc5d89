"""Invariants of the messages to pages: receipts hold, states agree, revs never fall."""

import json
from collections import defaultdict
from itertools import pairwise

from games.catalogue import rules_of
from games.core import assemble_joint
from tests.faults.laws.evidence import Evidence, Trouble
from tests.faults.laws.stored_rows import Row
from tests.support.page_client import in_common


def accepted_is_kept(e: Evidence) -> Trouble:
    """I1, I4: each action with a receipt is in the record once, with the values of all receipts."""
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
    """I14: every frame was answered, and two different users hold the seats."""
    if len({seat["user_id"] for seat in e.rows.seats}) != 2:
        yield "broken", "not two users hold the seats"
    if not e.extra.get("is_quiet"):
        return
    for client in e.clients:
        answered = {event.get("id") for event in client.log if event["e"] in ("receipt", "refused")}
        for event in client.log:
            if event["e"] == "sent" and event["id"] not in answered and client.is_open:
                yield "lost", f"{client.name}: {event['id']} was never answered"


def pages_end_alike(e: Evidence) -> Trouble:
    """I9: all pages that have the end of a game show its stored position and result, alike."""
    game, rules = e.game, rules_of(e.game["rules"])
    if game["ended"] is None:
        return
    view = rules.view(rules.read(game["position"]), None)
    shown = [client for client in e.clients if client.rev == game["rev"]]
    for client in shown:
        state = client.state or {}
        reason = (state["outcome"] or {}).get("reason", "")
        if (state["step"], state["view"], reason) != (game["step"], view, game["reason"]):
            yield "broken", f"{client.name} ended on another position or result"
    states = {json.dumps(in_common(each.state or {}), sort_keys=True) for each in shown}
    if len(states) > 1 and not e.has_departed:
        yield "broken", "the pages ended on different states"


def exports_are_the_record(e: Evidence) -> Trouble:
    """The game's page, its steps and its exported record say what the database says."""
    if e.exports is None:
        return
    rules, state = rules_of(e.game["rules"]), rules_of(e.game["rules"]).start()
    stored = [json.loads(step["joint"]) for step in e.standing]
    is_joint = rules.is_simultaneous
    actions = [[j["white"], j["black"]] if is_joint else next(iter(j.values())) for j in stored]
    open_state = next((client.state for client in e.clients if client.state), {})
    if in_common(e.exports.page["snapshot"]) != in_common(open_state):
        yield "broken", "the page shows another state than those that were open"
    if e.exports.record["actions"] != actions:
        yield "lost", "the exported record has other actions"
    shown_steps = e.exports.steps
    if [step["n"] for step in shown_steps] != list(range(len(stored))):
        yield "lost", "other steps are shown than there are"
        return
    for joint, shown in zip(stored, shown_steps, strict=True):
        acts = {role: rules.parse(text) for role, text in joint.items()}
        state = rules.play(state, assemble_joint(rules, state, acts))
        if shown["view"] != rules.view(state, None) or shown["text"].keys() != joint.keys():
            yield "broken", f"step {shown['n']} is shown otherwise than it is"
    times = [(step["at"], step["spent"]) for step in shown_steps]
    if times != [(step["at"], json.loads(step["spent"])) for step in e.standing]:
        yield "broken", "steps are shown with other times"
    left_out = ("view", "at")
    if e.exports.page["played-steps"] != [
        {key: value for key, value in step.items() if key not in left_out} for step in shown_steps
    ]:
        yield "broken", "the page has other steps"
