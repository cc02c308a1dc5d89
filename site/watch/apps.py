"""Configuration of the app for lists of games: public ones, and a user's own."""

from django.apps import AppConfig


class WatchConfig(AppConfig):
    """Registers the topics `lists` and `mine`; has no models of its own."""

    name = "watch"

    def ready(self) -> None:
        """Register messages, sources and handlers of the topics."""
        from play import protocol
        from play.runtime.runtime import register_source
        from play.sockets import topic_handlers
        from watch import lists_handler, own_games, public_lists

        protocol.register("lists[:RULES]", None, (public_lists.ListsState,))
        register_source("lists", public_lists.ListsSource)
        topic_handlers.register("lists", lists_handler.ListsHandler())
        protocol.register("mine", None, (own_games.MineState,))
        register_source("mine", lambda runtime: own_games.OwnGamesSource(runtime.games))
        topic_handlers.register("mine", own_games.OwnGamesHandler())
