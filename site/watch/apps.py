"""Configuration of the app for lists of games: public ones, and a user's own."""

from django.apps import AppConfig


class WatchConfig(AppConfig):
    """Registers the topics `lists` and `mine`; has no models of its own."""

    name = "watch"

    def ready(self) -> None:
        """Register messages, sources and handlers of the topics."""
        from play.runtime.topics import TopicKind, register_topic
        from watch import lists_handler, own_games, public_lists

        register_topic(
            TopicKind(
                "lists[:RULES]",
                public_lists.ListsSource,
                lists_handler.ListsHandler(),
                from_site=(public_lists.ListsState,),
            )
        )
        register_topic(
            TopicKind(
                "mine",
                lambda runtime: own_games.OwnGamesSource(runtime.games),
                own_games.OwnGamesHandler(),
                from_site=(own_games.MineState,),
            )
        )
