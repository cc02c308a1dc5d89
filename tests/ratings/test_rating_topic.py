"""A page learns on its socket that its rated game has been rated."""

import pytest
from asgiref.sync import sync_to_async

from play.domain.clocks import now
from play.storage.ended_games import run_steps
from ratings.rating_topic import RatingSource, read_revs
from tests.support.loop_runtime import game_service
from tests.support.page_socket import Tab
from tests.support.rated_games import create_accounts, rated_game

pytestmark = pytest.mark.django_db
