"""Times after which open games and abandoned games are ended, in ms.

The tasks that end them and the page that explains these rules (`pages.abandoned`) read these
constants.
"""

from play.domain.clocks import DAY_MS, MINUTE_MS, SECOND_MS

# Games; see also `clocks.FIRST_TURN_MS`. The first turn of a game by days has the time of any
# other turn, or the whole bank.
IDLE_LIMIT_MS = 7 * DAY_MS  # without a change in a game without a clock
GONE_LIMIT_MS = DAY_MS  # without a change in a slow game to which none of its people can return

# Lobbies, by the time since their host was last present.
LEFT_AFTER_MS = 5 * SECOND_MS  # the last page was closed: no longer listed under a running clock
SEEN_LIVE_MS = 60 * SECOND_MS  # a lobby with a running clock is listed
AWAY_LIVE_MS = 5 * MINUTE_MS  # a public lobby with a running clock stays open
AWAY_INVITED_MS = 60 * MINUTE_MS  # an unlisted one stays open: its host writes to a friend
AWAY_SLOW_MS = 30 * DAY_MS  # a lobby with another clock is listed and stays open
UNPLAYED_KEPT_MS = 7 * DAY_MS  # a closed lobby without a game is kept

# Standing offers, by the time since their owner last visited the site.
OFFER_LIFE_MS = 30 * DAY_MS
