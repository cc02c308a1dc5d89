"""The work on placements, anchors and advantages in a real process that is killed at any moment."""

import pytest

from tests.ratings.killed_processes import last_line_of, prepared

# Ends a placement and two games, then forks a process for each statement of the work that follows;
# it kills itself before that statement.
CODE = """
import json, os, signal, sys
sys.path[:0] = ["site", "."]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django; django.setup()
from django.db import connection
from games.rating import advantage
from play.domain.clocks import now
from ratings import scale
from ratings.rules.fold_check import check_current
from ratings.models import FittedAdvantage, FurtherEntry, Standing
from ratings.placing.closing import close_placements, judge_ended_games
from ratings.placing.search_state import ask_to_finish
from tests.ratings.placement_games import PINCER, begin, end
from tests.support.rated_games import apply_all, create_accounts, rated_game

scale.MIN_GAMES = advantage.MIN_GAMES = 2
scale.append_anchors(now())
ada, bob, cy = create_accounts("ada", "bob", "cy")
games = [rated_game(bob, cy, "white"), rated_game(cy, bob, "white")]
apply_all()

game = begin(ada)
end(game, ada)
judge_ended_games()
ask_to_finish(ada, PINCER)
before = check_current().entries

def work_until(limit):
    done = 0
    def count(execute, *rest):
        nonlocal done
        done += 1
        if done > limit:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*rest)
    with connection.execute_wrapper(count):
        close_placements()
        scale.ScaleTask().run("same", now())
    os._exit(0)

killed = 0
while True:
    connection.close()
    child = os.fork()
    if not child:
        work_until(killed)
    status = os.waitpid(child, 0)[1]
    assert check_current().standings == 2 + Standing.objects.filter(games=0).count()
    kinds = list(FurtherEntry.objects.filter(seq__gt=before).values_list("kind", flat=True))
    assert len(kinds) == len(set(kinds)), kinds
    assert FittedAdvantage.objects.count() == kinds.count("advantage")
    assert Standing.objects.filter(games=0).count() == kinds.count("placement")
    if not os.WIFSIGNALED(status):
        break
    killed += 1
print(json.dumps([killed, sorted(kinds)]))
"""


@pytest.mark.nightly
@pytest.mark.embedded("statements of one process on SQLite")
def test_a_process_killed_at_any_statement_appends_no_entry_by_half_or_twice(tmp_path) -> None:
    killed, kinds = last_line_of(CODE, prepared(tmp_path), 170)
    assert killed > 30
    assert kinds == ["advantage", "placement"]
