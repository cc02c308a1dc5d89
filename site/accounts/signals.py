"""Signals about users and sessions, for parts of the site that `accounts` does not import.

Signals about the end of sessions are sent last in the transaction that ends them, or right after
it; `revocations` then writes a row for all processes.
"""

from django.dispatch import Signal

renamed = Signal()  # user_id: a user has another name; after the commit, from any thread
# old, new: digests of the keys of a session that goes on for the same user
session_moved = Signal()
session_ended = Signal()  # session: digest of one that was given up for another user
sessions_ended = Signal()  # user_id, keep: all sessions of a user but the one with that digest
# user_ids: two users, after one blocks or unblocks the other; after the commit
blocks_changed = Signal()
