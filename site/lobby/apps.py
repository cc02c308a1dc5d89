"""Configuration of the app for finding an opponent: lobbies, standing offers, pairing."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Registers the topics of lobbies and searches, and the periodic tasks."""

    name = "lobby"

    def ready(self) -> None:
        """Register messages, topics, periodic tasks and the callbacks of ended games."""
        from lobby.lobbies import lobby_handlers, lobby_presence, lobby_topics, rematch
        from lobby.offers import offer_tasks, visits
        from lobby.pairing import search_presence, search_topics
        from play.runtime.game_service import on_game_over
        from play.runtime.runtime import register_periodic_task
        from play.runtime.topics import TopicKind, register_topic

        register_topic(
            TopicKind(
                "lobby:CODE",
                lambda runtime: lobby_topics.LobbySource(runtime.games),
                lobby_handlers.LobbyHandler(),
                from_site=(lobby_topics.LobbyState, lobby_topics.LobbyPeople),
            )
        )
        register_topic(
            TopicKind(
                "search",
                lambda runtime: search_topics.SearchSource(runtime.games),
                search_topics.SearchHandler(),
                search_topics.SearchMessage,
                (search_topics.SearchState,),
            )
        )
        register_topic(
            TopicKind(
                "searches",
                lambda runtime: search_topics.SearchesSource(runtime.games),
                search_topics.SearchesHandler(),
                from_site=(search_topics.SearchesState,),
            )
        )
        on_game_over(rematch.reopen_after_game)
        on_game_over(offer_tasks.refill_after_game)
        for interval_s, task in (
            (visits.WRITE_INTERVAL_S, visits.write_visits),
            (offer_tasks.SWEEP_INTERVAL_S, offer_tasks.sweep_offers),
            (lobby_presence.WRITE_INTERVAL_S, lobby_presence.write_presence),
            (lobby_presence.UNLIST_INTERVAL_S, lobby_presence.unlist_departed),
            (lobby_presence.CLOSE_INTERVAL_S, lobby_presence.close_abandoned_lobbies),
            (search_presence.INTERVAL_S, search_presence.beat),
        ):
            register_periodic_task(interval_s, task)
