"""Trees of random legal turns, and requests about studies, for tests."""

import json
from random import Random
from typing import Any

from django.test import Client

from analysis.board.position_tree import ROOT
from analysis.studies.study_tree import StudyNode
from games.catalogue import rules_of
from games.core import assemble_joint


def random_turn(rules: Any, state: Any, rng: Random) -> tuple[list[str], Any]:
    """A legal turn of the role in control, and the state after it."""
    turn, texts = rules.turns(state), []
    while rules.turns(state) == turn and rules.outcome(state) is None:
        (role,) = rules.control(state)
        texts.append(rng.choice(list(map(str, rules.choices(state, role)))))
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(texts[-1])}))
    return texts, state


def random_tree(key: str, count: int, seed: int = 1, known: Any = ()) -> list[StudyNode]:
    """A tree of random turns that begins with the nodes of `known`."""
    rules, rng = rules_of(key), Random(seed)
    nodes, states = [*known], {ROOT: rules.start()}
    for index, node in enumerate(nodes):
        states[index] = played(rules, states[node.parent], node.actions)
    while len(nodes) < count:
        newest = max(ROOT, len(nodes) - 20) if rng.random() < 0.9 else ROOT
        parent = rng.randrange(newest, len(nodes))
        if rules.outcome(states[parent]) is not None:
            continue
        actions, states[len(nodes)] = random_turn(rules, states[parent], rng)
        nodes.append(StudyNode(parent, actions))
    return nodes


def played(rules: Any, state: Any, actions: list[str]) -> Any:
    for text in actions:
        (role,) = rules.control(state)
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(text)}))
    return state


def as_json(nodes: Any) -> list[dict[str, Any]]:
    """Nodes as a page sends them."""
    return [
        {"parent": n.parent, "actions": n.actions, "comment": n.comment, "mark": n.mark}
        for n in nodes
    ]


def post(browser: Client, address: str, body: Any) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return browser.post(address, text, content_type="application/json")


def make(browser: Client, key: str = "pincer", title: str = "Ideas", nodes: Any = ()) -> str:
    """A new study, made as the page does; its slug."""
    body = {"rules": key, "title": title, "nodes": as_json(nodes)}
    answer = post(browser, "/studies/new", body)
    assert answer.status_code == 201, answer.content
    return answer.json()["url"].split("/")[2]
