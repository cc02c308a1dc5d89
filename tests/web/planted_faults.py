"""Faults planted into honest evidence, each with the law of `record_checker` that has to notice.

A doctor gets its own copy of the evidence and changes it in place.
"""

import json
from collections.abc import Callable
from typing import Any

import record_checker as laws
from record_checker import Check, Evidence, PageLog

Doctor = Callable[[Evidence], Any]


def last_act(evidence: Evidence) -> dict[str, Any]:
    """The last entry that is an action."""
    return [entry for entry in evidence.entries if entry["kind"] == "act"][-1]


def first_of(page: PageLog, kind: str) -> dict[str, Any]:
    """The first event of a kind that a page logged."""
    return next(event for event in page.log if event["e"] == kind)


def busiest(evidence: Evidence) -> PageLog:
    """The page with the most receipts."""
    return max(evidence.pages, key=lambda page: sum(e["e"] == "receipt" for e in page.log))


def lose_an_acknowledged_action(evidence: Evidence) -> None:
    """As if the last commit had not reached the disk."""
    entry = last_act(evidence)
    body = json.loads(entry["body"])
    del evidence.turns[body["turn"] :]
    del evidence.entries[entry["rev"] :]
    evidence.game["rev"], evidence.game["turn"] = entry["rev"] - 1, body["turn"]


def lose_a_turn(evidence: Evidence) -> None:
    """As if the ledger had been written and the turn had not."""
    evidence.turns.pop()
    evidence.game["turn"] -= 1


def double_a_turn(evidence: Evidence) -> None:
    """As if a resent frame had been played once more."""
    evidence.turns.insert(3, dict(evidence.turns[2]))
    for number, turn in enumerate(evidence.turns):
        turn["number"] = number
    evidence.game["turn"] += 1


def double_an_entry(evidence: Evidence) -> None:
    """The same with the entry, under the next rev."""
    evidence.game["rev"] += 1
    evidence.entries.append({**last_act(evidence), "rev": evidence.game["rev"]})


def swap_two_turns(evidence: Evidence) -> None:
    """As if two frames had been taken in the other order."""
    one, two = evidence.turns[1], evidence.turns[2]
    one["joint"], two["joint"] = two["joint"], one["joint"]


def swap_the_roles(evidence: Evidence) -> None:
    """As if each role had got the other's seal."""
    joint = json.loads(evidence.turns[0]["joint"])
    joint["white"], joint["black"] = joint["black"], joint["white"]
    evidence.turns[0]["joint"] = json.dumps(joint)


def leave_a_seal_behind(evidence: Evidence) -> None:
    """As if a seal had not been moved to its turn."""
    evidence.sealed.append({"role": "white", "number": 0, "action": "troops 10 0 0"})


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
    receipt.update(e="refused", reason="stale_turn")


def refuse_without_need(evidence: Evidence) -> None:
    """As if a go that the server had offered had been called illegal."""
    receipt = {"e": "refused", "id": "a-ghost", "reason": "illegal"}
    busiest(evidence).log.append(receipt)


def never_answer(evidence: Evidence) -> None:
    """As if a frame had been swallowed."""
    frame = {"t": "act", "id": "a-ghost", "turn": 0, "actions": []}
    busiest(evidence).log.append({"e": "sent", "frame": frame})


def invent_an_action(evidence: Evidence) -> None:
    """As if the record had an action of its own."""
    last_act(evidence)["action_id"] = "ghost"


def drop_a_flag(evidence: Evidence) -> None:
    """As if down-time had been charged to a clock."""
    evidence.game["rev"] += 1
    last = evidence.entries[-1]
    flag = {"rev": evidence.game["rev"], "kind": "flag", "role": None, "action_id": None}
    evidence.entries.append({**last, **flag})


def write_another_body(evidence: Evidence) -> None:
    """As if the ledger spoke of another turn."""
    entry = last_act(evidence)
    entry["body"] = json.dumps({**json.loads(entry["body"]), "turn": 0})


def change_the_record(evidence: Evidence) -> None:
    """As if a turn held another legal action than the one that was sent."""
    joint = json.loads(evidence.turns[0]["joint"])
    joint["white"] = "troops 0 10 0" if joint["white"] == "troops 10 0 0" else "troops 10 0 0"
    evidence.turns[0]["joint"] = json.dumps(joint)


def set_column(column: str, value: Any) -> Doctor:
    """As if a column of the game were not what the turns make it."""

    def doctor(evidence: Evidence) -> None:
        assert evidence.game[column] != value
        evidence.game[column] = value

    return doctor


def charge_a_second(evidence: Evidence) -> None:
    """As if a clock had lost a second."""
    times = json.loads(evidence.game["times"])
    times["left"]["white"] -= 1_000
    evidence.game["times"] = json.dumps(times)


def tell_another_time(evidence: Evidence) -> None:
    """As if a turn had taken longer than it did."""
    spent = json.loads(evidence.turns[0]["spent"])
    evidence.turns[0]["spent"] = json.dumps({role: ms + 1 for role, ms in spent.items()})


def leave_a_page_behind(evidence: Evidence) -> None:
    """As if a page had not been told of the end."""
    evidence.pages[-1].state["rev"] -= 1


def show_another_board(evidence: Evidence) -> None:
    """As if one page had ended on a board of its own."""
    evidence.pages[-1].state["view"]["goes"] += 1


def show_another_state(evidence: Evidence) -> None:
    """As if a page had seen something else than the others on the way."""
    page = evidence.pages[-1]
    page.log.insert(0, {**first_of(page, "state"), "common": "another"})


def go_back(evidence: Evidence) -> None:
    """As if a restarted server had forgotten a commit that it had shown."""
    evidence.pages[-1].log.append({"e": "pong", "rev": evidence.game["rev"] - 1})


def export_another_game(evidence: Evidence) -> None:
    """As if the export had left out the last turn."""
    evidence.export["actions"].pop()


def show_turns_on_another_board(evidence: Evidence) -> None:
    """As if a turn were shown with the position before it."""
    evidence.shown_turns[1]["view"] = evidence.shown_turns[0]["view"]


def load_another_state(evidence: Evidence) -> None:
    """As if the page of the game were drawn from something else than its socket."""
    evidence.page["snapshot"]["rev"] -= 1


def play_what_was_taken_back(evidence: Evidence) -> None:
    """As if a takeback had not marked the turns that it undid."""
    evidence.turns.append({**evidence.undone.pop(), "undone": None})


def forget_what_was_taken_back(evidence: Evidence) -> None:
    """As if a takeback had deleted a turn."""
    evidence.undone.pop()


def take_back_more(evidence: Evidence) -> None:
    """As if a takeback had led to an earlier turn than it had to."""
    entry = next(entry for entry in evidence.entries if entry["kind"] == "takeback-accept")
    entry["body"] = json.dumps({"to": json.loads(entry["body"])["to"] - 1})


def take_out(rows: str) -> Doctor:
    """As if a row were missing in the middle."""
    return lambda evidence: getattr(evidence, rows).pop(2)


FAULTS: list[tuple[str, Doctor, Check]] = [
    (
        "amazons-10x10",
        lose_an_acknowledged_action,
        laws.what_was_accepted_stands_where_acknowledged,
    ),
    ("pincer", lose_a_turn, laws.the_turns_are_what_was_sent),
    ("pincer", double_a_turn, laws.the_turns_are_what_was_sent),
    ("pincer", double_a_turn, laws.the_record_replays_to_the_position),
    ("pincer", double_an_entry, laws.what_was_accepted_stands_where_acknowledged),
    ("amazons", swap_two_turns, laws.the_turns_are_what_was_sent),
    ("amazons", swap_two_turns, laws.the_record_replays_to_the_position),
    ("blotto", swap_two_turns, laws.the_record_replays_to_the_position),
    ("blotto", swap_the_roles, laws.the_turns_are_what_was_sent),
    ("blotto", leave_a_seal_behind, laws.the_turns_are_what_was_sent),
    ("blotto", change_the_record, laws.the_turns_are_what_was_sent),
    ("amazons", acknowledge_another_rev, laws.what_was_accepted_stands_where_acknowledged),
    ("amazons", acknowledge_another_rev, laws.receipts_agree),
    ("pincer", acknowledge_what_nobody_did, laws.what_was_accepted_stands_where_acknowledged),
    ("pincer", accept_twice_as_new, laws.receipts_agree),
    ("amazons-8x8", refuse_what_was_done, laws.what_was_refused_is_not_in_the_record),
    ("amazons-8x8", refuse_without_need, laws.what_was_refused_is_not_in_the_record),
    ("blotto", never_answer, laws.everything_was_answered),
    ("blotto", invent_an_action, laws.nothing_was_invented),
    ("amazons-8x8", drop_a_flag, laws.nothing_was_invented),
    ("amazons", write_another_body, laws.nothing_was_invented),
    ("amazons", take_out("entries"), laws.revs_are_gapless),
    ("amazons", take_out("turns"), laws.turns_are_gapless),
    ("blotto", set_column("position", "-"), laws.the_record_replays_to_the_position),
    (
        "pincer",
        set_column("goals", '{"white":1,"black":1}'),
        laws.the_record_replays_to_the_position,
    ),
    ("blotto", set_column("reason", "time"), laws.the_record_replays_to_the_position),
    ("pincer", set_column("ended", None), laws.the_record_replays_to_the_position),
    ("amazons-8x8", charge_a_second, laws.clocks_add_up),
    ("blotto", tell_another_time, laws.clocks_add_up),
    ("blotto", leave_a_page_behind, laws.all_pages_saw_the_same),
    ("amazons", show_another_board, laws.all_pages_saw_the_same),
    ("pincer", show_another_state, laws.all_pages_saw_the_same),
    ("pincer", go_back, laws.no_page_went_back),
    ("blotto", export_another_game, laws.the_exports_are_the_record),
    ("pincer", show_turns_on_another_board, laws.the_exports_are_the_record),
    ("amazons-10x10", play_what_was_taken_back, laws.turns_are_gapless),
    ("amazons-10x10", forget_what_was_taken_back, laws.what_was_taken_back_is_kept),
    ("amazons-10x10", forget_what_was_taken_back, laws.clocks_add_up),
    ("amazons-10x10", take_back_more, laws.what_was_taken_back_is_kept),
    ("amazons-10x10", set_column("takebacks", 0), laws.what_was_taken_back_is_kept),
    ("amazons", load_another_state, laws.the_exports_are_the_record),
]
