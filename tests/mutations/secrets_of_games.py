"""Mutations that show a game to people who may not see it: numbers 40 to 49."""

from tests.mutations.mutation import Mutation

VISIBILITY = "site/play/domain/visibility.py"

MUTATIONS = (
    Mutation(
        40,
        "a sealed split of Blotto is sent to spectators and the opponent before the reveal",
        VISIBILITY,
        "seal = game.sealed.get(role) if role and not game.ending else None",
        "seal = next(iter(game.sealed.values()), None)",
        ("test_secrets.py",),
    ),
    Mutation(
        41,
        "the ledger has a sealed action before the reveal",
        "site/play/domain/decide.py",
        'return {"step": command.step, "commitment": waiting.proof.commitment}',
        'return {"step": command.step, "commitment": waiting.proof.commitment, '
        '"say": list(command.actions)}',
        ("test_secrets.py",),
    ),
    Mutation(
        42,
        "a game without spectators is shown to everybody while it runs",
        VISIBILITY,
        "return game.watch or game.ending is not None or game.role_of(user) is not None",
        "return True",
        ("test_private_games.py", "test_game_socket.py"),
    ),
    Mutation(
        43,
        "spectators of an unlisted game whose address is public are led into its lobby",
        VISIBILITY,
        "lobby=None if role is None and game.has_known_address else game.lobby or None,",
        "lobby=game.lobby or None,",
        ("test_public_logs.py",),
    ),
    Mutation(
        44,
        "players see the proven facts of the position while they play",
        VISIBILITY,
        "game.ending is not None or not (game.is_rated or game.role_of(user))",
        "game.ending is not None or not game.is_rated",
        ("test_game_standing.py",),
    ),
    Mutation(
        45,
        "unlisted games are on public lists",
        "site/play/models.py",
        "return self.filter(is_public=True).filter(Q(watch=True) | Q(ended__isnull=False))",
        "return self.filter(Q(watch=True) | Q(ended__isnull=False))",
        ("test_public_lists.py::test_unlisted_games_are_on_no_list_though_they_may_be_watched",),
    ),
    Mutation(
        46,
        "unlisted games are among the finished games of the front page",
        "site/watch/finished_games.py",
        "games = Game.objects.counted().filter(is_public=True, step__gt=0)",
        "games = Game.objects.counted().filter(step__gt=0)",
        ("test_private_games.py", "test_front_page.py"),
    ),
    Mutation(
        47,
        "the opening explorer counts unlisted games",
        "site/analysis/explorer/counting.py",
        "games = games.filter(is_public=True, rules__in=BOARD_RULES)",
        "games = games.filter(rules__in=BOARD_RULES)",
        ("test_opening_counts.py",),
    ),
    Mutation(
        48,
        "challenges and unlisted lobbies are on the public list",
        "site/lobby/models.py",
        "open_to_all = Q(is_public=True, invited=None, host__is_active=True)",
        "open_to_all = Q(host__is_active=True)",
        ("test_public_lists.py", "test_challenges.py"),
    ),
)
