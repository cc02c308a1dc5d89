"""Configuration of the app that pairs people who search for a game."""

from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    """Pairs people who search for a game; registers the topics of searches."""

    name = "matchmaking"

    def ready(self) -> None:
        """Registers protocol messages, hub topics and the periodic task."""
        from matchmaking import search_presence, search_topics
        from play import protocol
        from play.runtime.runtime import register_periodic_task, register_source
        from play.sockets import topic_handlers

        messages, states = search_topics.SearchMessage, search_topics.SearchState
        protocol.register("search", messages, (states,))
        protocol.register("searches", None, (search_topics.SearchesState,))
        register_source("search", lambda runtime: search_topics.SearchSource(runtime.games))
        register_source("searches", lambda runtime: search_topics.SearchesSource(runtime.games))
        topic_handlers.register("search", search_topics.SearchHandler())
        topic_handlers.register("searches", search_topics.SearchesHandler())
        register_periodic_task(search_presence.INTERVAL_S, search_presence.beat)
