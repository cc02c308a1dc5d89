"""Outgoing messages of the bus, and watchers of topics in other processes."""

from play.runtime.bus.outgoing import Outgoing
from play.runtime.bus.topic_watchers import TopicWatchers

X = ("game", "x")


def test_counts_for_all_replace_older_ones_that_wait_for_single_processes():
    outgoing = Outgoing()
    outgoing.single["b"].counts[X] = {"white": 1}
    outgoing.count_for_all(X, {})
    batch = outgoing.take()
    assert [message.crowds for _, message in batch.messages()] == [[("game", "x", {})]]
    assert not batch.by_process


def test_processes_that_left_unheard_are_forgotten_when_nobody_gets_a_message():
    watchers = TopicWatchers()
    watchers.add(X, "b")
    watchers.begin_batch()
    watchers.note_received(X, 0)
    assert watchers.others(X) is not None and not list(watchers.others(X))


def test_a_count_that_differs_from_the_known_processes_proves_nothing():
    watchers = TopicWatchers()
    watchers.add(X, "b")
    watchers.begin_batch()
    watchers.note_received(X, 2)
    assert watchers.others(X) is None
