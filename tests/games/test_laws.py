"""The laws that hold for all games, one test each."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import rules_of
from games.core import (
    NOOP,
    ROLES,
    BadAction,
    IllegalAction,
    advance,
    assemble_joint,
    missing_roles,
    replay,
)
from tests.games.stories import BOARDS, KEYS, finished, moments, playout, random_joint

pytestmark = pytest.mark.parametrize("key", KEYS)
LETTERS = "noopmvefirplaytus 0123456789-+.,x\t\n\0é٣²１\ud800"


def test_control_is_empty_exactly_when_there_is_an_outcome(key):
    rules = rules_of(key)
    for state, _ in moments(key):
        assert (not rules.control(state)) == (rules.outcome(state) is not None)


def test_a_role_out_of_control_has_exactly_noop_while_the_game_runs(key):
    rules = rules_of(key)
    for state, joint in moments(key, every=5):
        if joint is None:
            continue
        for role in set(ROLES) - rules.control(state):
            legal = rules.choices(state, role)
            assert (list(legal), len(legal), bool(legal)) == ([NOOP], 1, True)
            assert NOOP in legal and legal.sample(Random(1)) == NOOP
            rules.check(state, role, NOOP)


def test_a_role_in_control_has_actions_and_noop_is_none_of_them(key):
    rules = rules_of(key)
    for state, _ in moments(key, every=5):
        for role in rules.control(state):
            legal = rules.choices(state, role)
            assert bool(legal) and len(legal) > 0 and NOOP not in legal
            with pytest.raises(IllegalAction) as caught:
                rules.check(state, role, NOOP)
            assert caught.value.code == "must_act"


def test_after_the_end_nobody_has_any_action(key):
    rules, seen = rules_of(key), 0
    played = {joint[role] for _, joint in playout(key, 0)[:-1] for role in ROLES}
    for state in finished(key):
        seen += 1
        assert rules.outcome(state) and not rules.control(state)
        for role in ROLES:
            legal = rules.choices(state, role)
            assert list(legal) == [] and len(legal) == 0 and not legal
            assert rules.prompt(state, role) is None
            for action in {NOOP, *played}:
                assert action not in legal
                with pytest.raises(IllegalAction) as caught:
                    rules.check(state, role, action)
                assert (caught.value.code, caught.value.squares) == ("game_over", ())
            with pytest.raises(IndexError):
                legal.sample(Random(1))
    assert seen


def test_a_state_written_and_read_is_the_same_state(key):
    rules = rules_of(key)
    for state in [*(state for state, _ in moments(key)), *finished(key)]:
        text = rules.write(state)
        assert "\n" not in text and rules.read(text) == state
        assert rules.write(rules.read(text)) == text


def test_a_state_is_frozen_and_hashable(key):
    rules = rules_of(key)
    states = [state for state, _ in moments(key)]
    assert len({rules.read(rules.write(state)) for state in states} | set(states)) == len(
        set(states)
    )
    for name in rules.start().__slots__:
        with pytest.raises(AttributeError):
            setattr(states[0], name, None)


def test_actions_survive_a_round_trip_through_text(key):
    rules = rules_of(key)
    for state, _ in moments(key, games=2, every=15):
        for role in ROLES:
            for action in rules.choices(state, role):
                again = rules.parse(str(action)) if action != NOOP else NOOP
                assert again == action and str(again) == str(action)


def test_replaying_the_record_gives_the_same_texts(key):
    rules = rules_of(key)
    for seed in range(3):
        steps = playout(key, seed)
        record = [
            {role: str(joint[role]) for role in rules.control(state)}
            for state, joint in steps
            if joint
        ]
        state, states = rules.start(), [rules.start()]
        for texts in record:
            sealed = {role: rules.parse(text) for role, text in texts.items()}
            state = advance(rules, state, assemble_joint(rules, state, sealed))
            states.append(state)
        texts = [rules.write(state) for state, _ in steps]
        assert list(map(rules.write, states)) == texts
        joints = [joint for _, joint in steps if joint]
        assert list(map(rules.write, replay(rules, joints))) == texts


def test_states_alike_in_a_roles_view_have_the_same_prompt(key):
    rules, prompts, met = rules_of(key), {}, 0
    for state, _ in [*moments(key, games=6), *moments(key, games=6)]:
        for role in ROLES:
            view = role, json.dumps(rules.view(state, role), sort_keys=True)
            prompt = rules.prompt(rules.read(rules.write(state)), role)
            met += view in prompts
            assert prompts.setdefault(view, prompt) == prompt
    assert met


def test_a_state_has_no_secrets_so_all_see_the_same(key):
    rules = rules_of(key)
    for state, joint in moments(key, every=7):
        spectator = rules.view(state, None)
        assert all(rules.view(state, role) == spectator for role in ROLES)
        if joint:
            seen = rules.effects(state, joint, None)
            assert seen and all(rules.effects(state, joint, role) == seen for role in ROLES)


def test_only_a_role_in_control_has_a_prompt(key):
    rules = rules_of(key)
    for state, _ in moments(key, every=7):
        asked = {role for role in ROLES if rules.prompt(state, role) is not None}
        assert asked == rules.control(state)


def test_only_a_role_that_waits_while_another_decides_has_a_plan(key):
    rules = rules_of(key)
    for state, _ in moments(key, every=7):
        asked = {role for role in ROLES if rules.plan(state, role) is not None}
        assert not asked & rules.control(state)
        assert rules.control(state) or not asked


def test_listing_length_and_membership_agree(key):
    rules = rules_of(key)
    for state, _ in moments(key, games=2, every=15):
        for role in ROLES:
            legal = rules.choices(state, role)
            listed = list(legal)
            assert len(listed) == len(legal) == len(set(listed)) and bool(listed) == bool(legal)
            assert all(action in legal for action in listed)


def test_membership_and_check_agree_with_listing_for_actions_of_other_moments(key):
    rules, rng = rules_of(key), Random(5)
    states = [state for state, _ in moments(key, every=6)]
    actions = {action for state, joint in moments(key) if joint for action in joint.values()}
    some = rng.sample(sorted(actions, key=str), min(150, len(actions)))
    verdicts = set()
    for state in rng.sample(states, min(25, len(states))):
        for role in ROLES:
            legal = rules.choices(state, role)
            listed = set(legal)
            for action in some:
                assert (action in legal) == (action in listed)
                verdicts.add(action in listed)
                try:
                    rules.check(state, role, action)
                except IllegalAction as error:
                    assert action not in listed and str(error).endswith(".")
                else:
                    assert action in listed
    assert verdicts == {True, False}


def test_a_value_that_is_no_action_is_not_among_the_choices(key):
    rules = rules_of(key)
    for role in ROLES:
        legal = rules.choices(rules.start(), role)
        assert all(thing not in legal for thing in (None, "noop", 5, object(), ("move", 1, 2)))


def test_a_sample_is_a_member_and_depends_on_the_generator_alone(key):
    rules = rules_of(key)
    for state, _ in moments(key, games=2, every=9):
        for role in rules.control(state):
            legal = rules.choices(state, role)
            drawn = [legal.sample(Random(seed)) for seed in range(10)]
            assert all(action in legal for action in drawn)
            assert drawn == [legal.sample(Random(seed)) for seed in range(10)]


def test_turns_grow_by_one_or_stay(key):
    rules = rules_of(key)
    for seed in range(3):
        turns = [rules.turns(state) for state, _ in playout(key, seed)]
        assert turns[0] == 0
        steps = {later - earlier for earlier, later in pairwise(turns)}
        assert steps == ({1} if key in {"amazons", "blotto"} else {0, 1})
        assert all(rules.view(s, None)["turns"] == rules.turns(s) for s, _ in playout(key, seed))


def test_goals_are_complete_and_shared_out(key):
    rules = rules_of(key)
    for state in finished(key):
        outcome = rules.outcome(state)
        assert outcome.goals.keys() == set(ROLES)
        assert sum(outcome.goals.values()) == (30 if key == "blotto" else 100)
        white, black = outcome.goals["white"], outcome.goals["black"]
        winner = None if white == black else "white" if white > black else "black"
        assert outcome.winner == winner
        assert hash(outcome) == hash(rules.outcome(state))


def test_a_joint_action_needs_every_role_and_no_other(key):
    rules = rules_of(key)
    state = rules.start()
    joint = dict(random_joint(rules, state, Random(1)))
    assert missing_roles(rules, state, {}) == rules.control(state)
    assert missing_roles(rules, state, joint) == frozenset()
    with pytest.raises(ValueError, match="no action yet of"):
        assemble_joint(rules, state, {})
    for wrong in ({}, {"white": joint["white"]}, joint | {"red": NOOP}):
        with pytest.raises(ValueError, match="needs one action of each"):
            advance(rules, state, wrong)


def test_an_action_of_another_game_is_no_sentence_here(key):
    rules, foreign = rules_of(key), {"amazons": "pincer", "blotto": "amazons"}.get(key, "blotto")
    action = next(iter(rules_of(foreign).choices(rules_of(foreign).start(), "white")))
    assert action not in rules.choices(rules.start(), "white")
    with pytest.raises(BadAction):
        rules.check(rules.start(), "white", action)


@given(st.text(LETTERS, max_size=30) | st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_whatever_the_text_parse_says_its_action_or_bad_action(key, text):
    try:
        assert str(rules_of(key).parse(text)) == text
    except BadAction as error:
        assert str(error).endswith(".") and str(error).isprintable()


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_only_the_canonical_spelling_is_accepted(key, data):
    """One letter added, dropped or changed makes another sentence, or none, never the same."""
    rules = rules_of(key)
    joint = data.draw(st.sampled_from([joint for _, joint in playout(key, 1) if joint]))
    text = str(data.draw(st.sampled_from(list(joint.values()))))
    at = data.draw(st.integers(0, len(text)))
    width = data.draw(st.integers(0, 1))
    other = text[:at] + data.draw(st.text(LETTERS, max_size=2)) + text[at + width :]
    try:
        action = rules.parse(other)
    except BadAction:
        assert other != text or text == "noop"
    else:
        assert str(action) == other


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "noop ",
        " noop",
        "NOOP",
        "noop\n",
        "noop\0",
        "move",
        "move 1 1 1",
        "move 1 1 1 2 ",
        "move 1 1 1 2\n",
        "move  1 1 1 2",
        "move\t1 1 1 2",
        "move 01 1 1 2",
        "move +1 1 1 2",
        "move -1 1 1 2",
        "move 0 1 1 2",
        "move 1 11 1 2",
        "move 1.0 1 1 2",
        "move 1e0 1 1 2",
        "move ١ 1 1 2",
        "move １ 1 1 2",
        "move ² 1 1 2",
        "move 1\u00a01 1 2",
        "move 1 1 1 \ud800",
        "move 1 1 1 " + "9" * 5000,
        "move" + " 1" * 8000,
        "fire 1",
        "fire 1 1 1",
        "play 1 1 1 2",
        "play 1 1 1 2 1 03",
        "troops 3 3",
        "troops 3 3 3 1",
        "troops 10 0 00",
        "troops 11 0 0",
        "troops -1 6 5",
        "troops 10 0 -0",
        "troops 4 3 3 ",
        "troops ٣ 3 4",
        "troops 1" + "0" * 6000 + " 0 0",
        "x" * 16384,
        "\0" * 16384,
    ],
)
def test_a_text_that_no_game_writes_raises_bad_action(key, text):
    with pytest.raises(BadAction) as caught:
        rules_of(key).parse(text)
    assert len(str(caught.value)) < 200


@given(st.text("WBx./ -:,0123456789whiteblackdg", max_size=60) | st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_whatever_the_text_read_gives_its_state_or_value_error(key, text):
    rules = rules_of(key)
    try:
        assert rules.read(text) == rules.read(rules.write(rules.read(text)))
    except ValueError as error:
        assert str(error)


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_position_is_refused_or_is_another_position(key, data):
    rules = rules_of(key)
    states = [state for state, _ in playout(key, 2)]
    text = rules.write(data.draw(st.sampled_from(states)))
    at = data.draw(st.integers(0, len(text)))
    width = data.draw(st.integers(0, 3))
    other = text[:at] + data.draw(st.text("WBx./ -:,019te\0é", max_size=2)) + text[at + width :]
    try:
        state = rules.read(other)
    except ValueError:
        assert other != text
    else:
        assert rules.read(rules.write(state)) == state


@pytest.mark.processes
def test_the_rules_know_nothing_of_the_site(key):
    """Importing them, and playing, brings in neither Django nor anything that waits or draws."""
    code = (
        "import sys; from games import catalogue, notation, perft, records;"
        f"r = catalogue.rules_of({key!r}); r.prompt(r.start(), 'white');"
        "bad = {'django', 'channels', 'asyncio', 'socket', 'msgspec', 'numpy', 'numba'};"
        "print(sorted(bad & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_both_decide_in_every_step_or_never_two(key):
    rules = rules_of(key)
    for state, joint in moments(key, every=3):
        if joint is not None:
            assert len(rules.control(state)) == (2 if rules.is_simultaneous else 1)


def test_rules_that_count_points_show_totals(key):
    rules = rules_of(key)
    for state, _ in moments(key, every=3):
        assert ("totals" in rules.view(state, None)) == rules.counts_points


def test_the_rules_say_their_facts(key):
    rules = rules_of(key)
    assert (rules.key, rules.roles) == (key, ROLES) and rules.name
    assert rules.kind == ("path" if key in BOARDS else "split")
    assert (rules.width > 0) == (rules.height > 0) == (key in BOARDS)
