"""What happens to people, for parts of the site that `accounts` knows nothing of."""

from django.dispatch import Signal

renamed = Signal()  # user_id: a user has another name; after the commit, from any thread
session_moved = Signal()  # old, new: keys of a session that goes on for the same user
session_ended = Signal()  # session: key of one that was left for another user
sessions_ended = Signal()  # user_id, keep: all sessions of a user but the one with that key (or "")
