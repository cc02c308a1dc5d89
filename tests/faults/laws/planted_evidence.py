"""Faults planted into correct evidence, each with the law that must fail.

A `Plant` gets its own copy of the evidence and changes it in place.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.faults.laws import page_laws, record_laws
from tests.faults.laws.evidence import Evidence
from tests.faults.laws.verdict import Law
from tests.support.page_client import PageLog

Plant = Callable[[Evidence], Any]


def last_act(evidence: Evidence) -> dict[str, Any]:
    """The last entry that is an action."""
    return [entry for entry in evidence.rows.entries if entry["kind"] == "act"][-1]


def first_of(page: PageLog, kind: str) -> dict[str, Any]:
    """The first event of a kind that a page logged."""
    return next(event for event in page.log if event["e"] == kind)


def busiest(evidence: Evidence) -> PageLog:
    """The page with the most receipts."""
    return max(evidence.clients, key=lambda page: sum(e["e"] == "receipt" for e in page.log))


def lose_an_acknowledged_action(evidence: Evidence) -> None:
    """As if the last commit had not reached the disk."""
    entry = last_act(evidence)
    body = json.loads(entry["body"])
    steps = evidence.rows.steps
    steps[:] = [row for row in steps if row["undone"] or row["number"] < body["step"]]
    del evidence.rows.entries[entry["rev"] :]
    evidence.game["rev"], evidence.game["step"] = entry["rev"] - 1, body["step"]


def lose_a_step(evidence: Evidence) -> None:
    """As if the ledger had been written and the step had not."""
    evidence.rows.steps.remove(evidence.standing[-1])
    evidence.game["step"] -= 1


def double_a_step(evidence: Evidence) -> None:
    """As if a resent frame had been played once more."""
    for step in evidence.standing[3:]:
        step["number"] += 1
    evidence.rows.steps.append({**evidence.standing[2], "number": 3})
    evidence.game["step"] += 1


def double_an_entry(evidence: Evidence) -> None:
    """The same with the entry, under the next rev."""
    evidence.game["rev"] += 1
    evidence.rows.entries.append({**last_act(evidence), "rev": evidence.game["rev"]})


def swap_two_steps(evidence: Evidence) -> None:
    """As if two frames had been taken in the other order."""
    _, one, two, *_ = evidence.standing
    one["joint"], two["joint"] = two["joint"], one["joint"]


def swap_the_roles(evidence: Evidence) -> None:
    """As if each role had got the other's seal."""
    step = evidence.standing[0]
    joint = json.loads(step["joint"])
    joint["white"], joint["black"] = joint["black"], joint["white"]
    step["joint"] = json.dumps(joint)


def leave_a_seal_behind(evidence: Evidence) -> None:
    """As if a seal had not been moved to its turn."""
    evidence.rows.sealed.append({"role": "white", "number": 0, "action": "troops 10 0 0"})


def acknowledge_another_rev(evidence: Evidence) -> None:
    """As if a receipt had been written before the commit."""
    page = busiest(evidence)
    receipt = first_of(page, "receipt")
    page.log.append({**receipt, "rev": receipt["rev"] + 1, "again": True})


def acknowledge_what_nobody_did(evidence: Evidence) -> None:
    """As if a receipt had gone to the wrong page."""
    receipt = {"e": "receipt", "id": "ghost", "rev": 1, "again": False, "at": 0}
    busiest(evidence).log.append(receipt)


def accept_twice_as_new(evidence: Evidence) -> None:
    """As if a resent frame had been taken for a new one."""
    page = busiest(evidence)
    anew = {**first_of(page, "receipt"), "again": False}
    page.log.extend([anew, anew])


def refuse_what_was_done(evidence: Evidence) -> None:
    """As if an error had been told after the commit."""
    receipt = first_of(busiest(evidence), "receipt")
    receipt.update(e="refused", reason="stale_step")


def refuse_without_need(evidence: Evidence) -> None:
    """As if a turn that the server had offered had been called illegal."""
    receipt = {"e": "refused", "id": "f-ghost", "reason": "illegal"}
    busiest(evidence).log.append(receipt)


def never_answer(evidence: Evidence) -> None:
    """As if a frame had been swallowed."""
    frame = {"t": "act", "id": "f-ghost", "step": 0, "actions": []}
    busiest(evidence).log.append({"e": "sent", "ns": 0, "id": "f-ghost", "frame": frame})


def invent_an_action(evidence: Evidence) -> None:
    """As if the record had an action of its own."""
    last_act(evidence)["action_id"] = "ghost"


def drop_a_flag(evidence: Evidence) -> None:
    """As if down-time had been charged to a clock."""
    evidence.game["rev"] += 1
    last = evidence.rows.entries[-1]
    flag = {"rev": evidence.game["rev"], "kind": "flag", "role": None, "action_id": None}
    evidence.rows.entries.append({**last, **flag})


def write_another_body(evidence: Evidence) -> None:
    """As if the ledger spoke of another step."""
    entry = last_act(evidence)
    entry["body"] = json.dumps({**json.loads(entry["body"]), "step": 0})


def change_the_record(evidence: Evidence) -> None:
    """As if a step held another legal action than the one that was sent."""
    step = evidence.standing[0]
    joint = json.loads(step["joint"])
    joint["white"] = "troops 0 10 0" if joint["white"] == "troops 10 0 0" else "troops 10 0 0"
    step["joint"] = json.dumps(joint)


def set_column(column: str, value: Any) -> Plant:
    """As if a column of the game were not what the steps make it."""

    def plant(evidence: Evidence) -> None:
        assert evidence.game[column] != value
        evidence.game[column] = value

    return plant


def charge_a_second(evidence: Evidence) -> None:
    """As if a clock had lost a second."""
    times = json.loads(evidence.game["times"])
    times["left"]["white"] -= 1_000
    evidence.game["times"] = json.dumps(times)


def tell_another_time(evidence: Evidence) -> None:
    """As if a step had taken longer than it did."""
    step = evidence.standing[0]
    spent = json.loads(step["spent"])
    step["spent"] = json.dumps({role: ms + 1 for role, ms in spent.items()})


def leave_a_page_behind(evidence: Evidence) -> None:
    """As if a page had not been told of the end."""
    evidence.clients[-1].state["rev"] -= 1


def show_another_board(evidence: Evidence) -> None:
    """As if one page had ended on a board of its own."""
    evidence.clients[-1].state["view"]["turns"] += 1


def show_another_state(evidence: Evidence) -> None:
    """As if a page had seen something else than the others on the way."""
    page = evidence.clients[-1]
    page.log.insert(0, {**first_of(page, "state"), "common": {"view": 0}})


def go_back(evidence: Evidence) -> None:
    """As if a restarted server had forgotten a commit that it had shown."""
    evidence.clients[-1].log.append({"e": "pong", "rev": evidence.game["rev"] - 1})


def export_another_game(evidence: Evidence) -> None:
    """As if the export had left out the last step."""
    evidence.exports.record["actions"].pop()


def show_steps_on_another_board(evidence: Evidence) -> None:
    """As if a step were shown with the position before it."""
    evidence.exports.steps[1]["view"] = evidence.exports.steps[0]["view"]


def load_another_state(evidence: Evidence) -> None:
    """As if the page of the game were drawn from something else than its socket."""
    evidence.exports.page["snapshot"]["rev"] -= 1


def play_what_was_taken_back(evidence: Evidence) -> None:
    """As if a takeback had not marked the steps that it undid."""
    evidence.undone[-1]["undone"] = None


def forget_what_was_taken_back(evidence: Evidence) -> None:
    """As if a takeback had deleted a step."""
    evidence.rows.steps.remove(evidence.undone[-1])


def take_back_more(evidence: Evidence) -> None:
    """As if a takeback had led to an earlier step than it had to."""
    entry = next(entry for entry in evidence.rows.entries if entry["kind"] == "takeback-accept")
    entry["body"] = json.dumps({"to": json.loads(entry["body"])["to"] - 1})


def take_out(rows: str) -> Plant:
    """As if a row were missing in the middle."""

    def plant(evidence: Evidence) -> None:
        found = evidence.standing if rows == "steps" else evidence.rows.entries
        getattr(evidence.rows, rows).remove(found[2])

    return plant


def change_a_hash(evidence: Evidence) -> None:
    """As if an entry had been rewritten without its successors."""
    last_act(evidence)["hash"] = "0" * 64


def open_with_another_salt(evidence: Evidence) -> None:
    """As if a reveal did not open what was committed to."""
    step = evidence.standing[0]
    seals = json.loads(step["seals"])
    seals["white"]["salt"] = "0" * 32
    step["seals"] = json.dumps(seals)


def let_a_clock_run_on(evidence: Evidence) -> None:
    """As if the end had not stopped the clocks."""
    times = json.loads(evidence.game["times"])
    evidence.game["times"] = json.dumps({**times, "running": ["white"]})


FAULTS: list[tuple[str, Plant, Law]] = [
    (
        "amazons-10x10",
        lose_an_acknowledged_action,
        page_laws.accepted_is_kept,
    ),
    ("pincer", lose_a_step, record_laws.steps_are_what_was_sent),
    ("pincer", double_a_step, record_laws.steps_are_what_was_sent),
    ("pincer", double_a_step, record_laws.record_replays_to_position),
    ("pincer", double_an_entry, page_laws.accepted_is_kept),
    ("amazons", swap_two_steps, record_laws.steps_are_what_was_sent),
    ("amazons", swap_two_steps, record_laws.record_replays_to_position),
    ("blotto", swap_two_steps, record_laws.record_replays_to_position),
    ("blotto", swap_the_roles, record_laws.steps_are_what_was_sent),
    ("blotto", leave_a_seal_behind, record_laws.steps_are_what_was_sent),
    ("blotto", change_the_record, record_laws.steps_are_what_was_sent),
    ("amazons", acknowledge_another_rev, page_laws.accepted_is_kept),
    ("pincer", acknowledge_what_nobody_did, page_laws.accepted_is_kept),
    ("pincer", accept_twice_as_new, page_laws.accepted_is_kept),
    ("amazons-8x8", refuse_what_was_done, record_laws.nothing_is_invented),
    ("amazons-8x8", refuse_without_need, record_laws.refusals_are_explained),
    ("blotto", never_answer, page_laws.nobody_waits_for_ever),
    ("blotto", invent_an_action, record_laws.nothing_is_invented),
    ("amazons-8x8", drop_a_flag, record_laws.nothing_is_invented),
    ("amazons", write_another_body, record_laws.entries_say_what_was_sent),
    ("amazons", take_out("entries"), record_laws.order_is_gapless),
    ("amazons", take_out("steps"), record_laws.steps_are_what_was_sent),
    ("blotto", set_column("position", "-"), record_laws.record_replays_to_position),
    (
        "pincer",
        set_column("goals", '{"white":1,"black":1}'),
        record_laws.record_replays_to_position,
    ),
    ("blotto", set_column("reason", "time"), record_laws.record_replays_to_position),
    ("pincer", set_column("ended", None), page_laws.ends_are_final),
    ("amazons-8x8", charge_a_second, record_laws.clocks_add_up),
    ("blotto", tell_another_time, record_laws.clocks_add_up),
    ("blotto", leave_a_page_behind, page_laws.pages_agree),
    ("amazons", show_another_board, page_laws.pages_end_alike),
    ("pincer", show_another_state, page_laws.pages_agree),
    ("pincer", go_back, page_laws.pages_agree),
    ("blotto", export_another_game, page_laws.exports_are_the_record),
    ("pincer", show_steps_on_another_board, page_laws.exports_are_the_record),
    ("amazons-10x10", play_what_was_taken_back, record_laws.steps_are_what_was_sent),
    ("amazons-10x10", forget_what_was_taken_back, record_laws.takebacks_are_kept),
    ("amazons-10x10", forget_what_was_taken_back, record_laws.clocks_add_up),
    ("amazons-10x10", take_back_more, record_laws.takebacks_are_kept),
    ("amazons-10x10", set_column("takebacks", 0), record_laws.takebacks_are_kept),
    ("amazons", load_another_state, page_laws.exports_are_the_record),
    ("pincer", change_a_hash, record_laws.the_ledger_is_chained),
    ("blotto", open_with_another_salt, record_laws.seals_are_what_was_committed),
    ("amazons-8x8", let_a_clock_run_on, record_laws.flags_are_just),
]
