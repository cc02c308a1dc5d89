"""Application config of live play."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers the topics of games, the protocol and the periodic tasks of play."""

    name = "play"

    def ready(self) -> None:
        """Register the source of snapshots, the messages and the periodic tasks."""
        from play import protocol
        from play.domain.reply_plans import RepliesState, Saved, Tried
        from play.domain.snapshot import Explained, GamePeople, GamePlan, GameSnapshot
        from play.runtime import periodic_tasks
        from play.runtime.game_topics import GameSource
        from play.runtime.reply_topics import ReplySource
        from play.runtime.runtime import register_source
        from play.runtime.worker_tasks import register_worker_task
        from play.sockets import topic_handlers
        from play.sockets.game_handler import GameHandler
        from play.sockets.messages import FROM_SOCKET, Anew, GameMessage, SocketMessage
        from play.sockets.reply_handler import ReplyHandler, ReplyMessage
        from play.storage.ended_games import EndedGamesTask
        from play.storage.receipts import Receipt

        protocol.register("", SocketMessage, FROM_SOCKET)
        sent = (GameSnapshot, GamePlan, Explained, GamePeople, Receipt, Anew)
        protocol.register("game:SLUG", GameMessage, sent)
        protocol.register("replies:SLUG", ReplyMessage, (RepliesState, Saved, Tried))
        register_source("replies", lambda runtime: ReplySource(runtime.games))
        topic_handlers.register("replies", ReplyHandler())
        register_source("game", lambda runtime: GameSource(runtime.games, runtime.presence))
        topic_handlers.register("game", GameHandler())
        periodic_tasks.register_all()
        register_worker_task(EndedGamesTask())
