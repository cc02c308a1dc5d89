"""Configuration of the app for lobbies, their options, seats and game starts."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Registers the hub topics for a lobby and for the lists of open lobbies and running games."""

    name = "lobby"

    def ready(self) -> None:
        """Registers protocol messages, hub topics, periodic tasks and the game-over callback."""
        from lobby import lobby_handlers, lobby_presence, lobby_topics, public_lists, rematch
        from lobby.lobby_topics import LobbyPeople, LobbyState
        from lobby.public_lists import ListsState
        from play import protocol
        from play.runtime.game_service import on_game_over
        from play.runtime.runtime import register_periodic_task, register_source
        from play.sockets import topic_handlers

        protocol.register("lobby:CODE", None, (LobbyState, LobbyPeople))
        protocol.register("lists[:RULES]", None, (ListsState,))
        register_source("lobby", lambda runtime: lobby_topics.LobbySource(runtime.games))
        register_source("lists", public_lists.ListsSource)
        topic_handlers.register("lobby", lobby_handlers.LobbyHandler())
        topic_handlers.register("lists", lobby_handlers.ListsHandler())
        on_game_over(rematch.reopen_after_game)
        register_periodic_task(lobby_presence.WRITE_INTERVAL_S, lobby_presence.write_presence)
        register_periodic_task(
            lobby_presence.CLOSE_INTERVAL_S, lobby_presence.close_abandoned_lobbies
        )
