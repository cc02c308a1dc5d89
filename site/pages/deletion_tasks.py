"""Periodic task that completes account deletions.

It resigns running games, leaves lobbies, deletes chat, notices, sightings, puzzle attempts and
studies, and takes the name off published reviews. It is repeated until nothing is left, so that a
restarted server continues it.
"""

from functools import partial

from accounts import account_service
from accounts.models import User
from analysis.reviews.reviews import forget_reviewer
from analysis.studies.study_service import delete_studies_of
from chat.personal_data import delete_chat_of
from lobby.lobbies.challenges import decline_all
from lobby.lobbies.lobby_service import leave_all_lobbies
from lobby.pairing.search_service import forget_search
from notices.inbox.notice_data import delete_notices_of
from play.models import Game
from play.runtime import game_commands
from play.runtime.periodic import each
from play.runtime.runtime import Runtime
from play.storage.holiday_rows import delete_holidays
from puzzles.puzzle_data import delete_puzzles_of
from ratings.fair_play.sightings import delete_sightings_of

DELETION_INTERVAL_S = 2.0


async def finish_deletions(runtime: Runtime) -> None:
    """Resigns games, leaves lobbies, deletes chat and notices of users who are being deleted."""
    for user in await runtime.games.run_in_db_thread(account_service.list_leaving):
        slugs = await runtime.games.run_in_db_thread(_list_running, user)
        await each(slugs, partial(game_commands.resign, runtime.games, user=user))
        await runtime.games.run_in_db_thread(_settle, user)


def _list_running(user: int) -> list[str]:
    return list(Game.objects.played_by(user).values_list("slug", flat=True))


def _settle(pk: int) -> None:
    user = User.objects.get(pk=pk)
    delete_chat_of(pk, user.username)
    decline_all(user)
    forget_search(pk)
    delete_notices_of(pk)
    delete_sightings_of(pk)
    delete_puzzles_of(pk)
    delete_studies_of(pk)
    forget_reviewer(pk)
    if leave_all_lobbies(user) and not _list_running(pk):
        delete_holidays(pk)
        account_service.mark_settled(pk)
