"""All mutations, by number."""

from tests.mutations import (
    accounts,
    clocks_and_offers,
    commits_and_sockets,
    pages_and_settings,
    people_and_messages,
    rated_play,
    rules,
    scripts,
    secrets_of_games,
)
from tests.mutations.mutation import Mutation

AREAS = (
    rules,
    clocks_and_offers,
    secrets_of_games,
    commits_and_sockets,
    accounts,
    rated_play,
    people_and_messages,
    pages_and_settings,
    scripts,
)
MUTATIONS: tuple[Mutation, ...] = tuple(
    sorted((each for area in AREAS for each in area.MUTATIONS), key=lambda each: each.number)
)
