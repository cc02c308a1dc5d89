"""Tables of the explorer: the counted games, and the frequencies of turns.

`OpeningGame` lists the counted games, and `OpeningTurn` follows from it and from the games' steps;
`manage.py explorer --check` proves that.
"""

from django.db import models

from play.models import Game


class OpeningCount(models.Model):
    """The number of the present generation of counts; one row, locked by writers of counts.

    A rebuild raises it: then all games are counted anew.
    """

    generation = models.IntegerField(default=1)

    def __str__(self) -> str:
        return f"generation {self.generation} of openings"


class OpeningGame(models.Model):
    """An ended public game that has been counted, or examined and found not to count.

    The group depends on the ratings at the time of counting; a rebuild keeps it.
    """

    game = models.OneToOneField(Game, models.CASCADE, related_name="+")
    group = models.CharField(max_length=12, blank=True)  # blank: it does not count
    generation = models.IntegerField()  # in which it was counted last

    def __str__(self) -> str:
        return f"opening of game {self.game_id}"


class OpeningTurn(models.Model):
    """Number of games in which a group played a turn in a position, by their result.

    No game is referred to by a key of the database: counts stay when a game is deleted.
    """

    pk = models.CompositePrimaryKey("position", "group", "turn")
    position = models.BigIntegerField()  # `games.opening_keys.position_key`
    group = models.CharField(max_length=12)
    turn = models.CharField(max_length=24)  # canonical, for people: "d1-d7/g7"
    white = models.IntegerField()  # games that white has won
    draws = models.IntegerField()
    black = models.IntegerField()
    last_game = models.BigIntegerField()  # highest id of a game with this turn

    def __str__(self) -> str:
        return f"{self.turn} by {self.group}"
