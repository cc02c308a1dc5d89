"""Configuration of the app for lobbies, their options, seats and game starts."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Registers the hub topics for a lobby and for the lists of open lobbies and running games."""

    name = "lobby"

    def ready(self) -> None:
        """Registers protocol messages, hub topics, periodic tasks and the game-over callback."""
        from accounts import signals
        from lobby import lobby_handlers, lobby_presence, lobby_topics, public_lists, rematch
        from lobby.lobby_topics import LobbyPeople, LobbyState
        from lobby.public_lists import ListsState
        from lobby.standing import offer_tasks, visits
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
        signals.blocks_changed.connect(end_challenges, dispatch_uid="lobby.end_challenges")
        on_game_over(rematch.reopen_after_game)
        on_game_over(offer_tasks.refill_after_game)
        register_periodic_task(visits.WRITE_INTERVAL_S, visits.write_visits)
        register_periodic_task(offer_tasks.SWEEP_INTERVAL_S, offer_tasks.sweep_offers)
        register_periodic_task(lobby_presence.WRITE_INTERVAL_S, lobby_presence.write_presence)
        register_periodic_task(lobby_presence.UNLIST_INTERVAL_S, lobby_presence.unlist_departed)
        register_periodic_task(
            lobby_presence.CLOSE_INTERVAL_S, lobby_presence.close_abandoned_lobbies
        )


def end_challenges(sender: object, user_ids: tuple[int, int], **about: object) -> None:
    """Declines the challenges that wait between two users if one now blocks the other."""
    from accounts.blocks import is_blocked
    from lobby.challenges import decline_between

    if is_blocked(*user_ids):
        decline_between(*user_ids)
