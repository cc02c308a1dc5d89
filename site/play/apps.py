"""Application config of live play."""

from django.apps import AppConfig


class PlayConfig(AppConfig):
    """Registers the topics of games, the protocol and the periodic tasks of play."""

    name = "play"

    def ready(self) -> None:
        """Register the source of snapshots, the messages and the periodic tasks."""
        from play.domain.reply_plans import RepliesState, Saved, Tried
        from play.domain.snapshot import Explained, GamePeople, GamePlan, GameSnapshot
        from play.runtime import periodic_tasks
        from play.runtime.game_topics import GameSource
        from play.runtime.reply_player import ReplySource
        from play.runtime.topics import TopicKind, register_topic
        from play.runtime.worker_tasks import register_worker_task
        from play.sockets.game_handler import GameHandler
        from play.sockets.messages import Anew, GameMessage
        from play.sockets.reply_handler import ReplyHandler, ReplyMessage
        from play.storage.ended_games import EndedGamesTask
        from play.storage.receipts import Receipt

        register_topic(
            TopicKind(
                "game:SLUG",
                lambda runtime: GameSource(runtime.games, runtime.seats),
                GameHandler(),
                GameMessage,
                (GameSnapshot, GamePlan, Explained, GamePeople, Receipt, Anew),
            )
        )
        register_topic(
            TopicKind(
                "replies:SLUG",
                lambda runtime: ReplySource(runtime.games),
                ReplyHandler(),
                ReplyMessage,
                (RepliesState, Saved, Tried),
            )
        )
        periodic_tasks.register_all()
        register_worker_task(EndedGamesTask())
