"""Application config of live play."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers the topic of games, the protocol and the periodic tasks of play."""

    name = "play"

    def ready(self) -> None:
        """Register the source of snapshots, the messages and the periodic tasks."""
        from play import protocol
        from play.domain.snapshot import Explained, GamePeople, GamePlan, GameSnapshot
        from play.runtime import periodic_tasks
        from play.runtime.game_topics import GameSource
        from play.runtime.runtime import register_source
        from play.sockets import topic_handlers
        from play.sockets.game_handler import GameHandler
        from play.sockets.messages import FROM_SOCKET, Anew, GameMessage, SocketMessage
        from play.storage.receipts import Receipt

        protocol.register("", SocketMessage, FROM_SOCKET)
        sent = (GameSnapshot, GamePlan, Explained, GamePeople, Receipt, Anew)
        protocol.register("game:SLUG", GameMessage, sent)
        register_source("game", lambda runtime: GameSource(runtime.games, runtime.presence))
        topic_handlers.register("game", GameHandler())
        periodic_tasks.register_all()
