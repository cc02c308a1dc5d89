"""Configuration of the app for chat in lobbies and games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

DELETE_INTERVAL_S = 3600.0


class ChatConfig(AppConfig):
    """Chat lines, their visibility, mutes and reports."""

    name = "chat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        """Registers protocol messages, hub topics and the periodic deletion."""
        from chat import chat_handler, chat_messages, chat_service, chat_view
        from play.runtime.runtime import Runtime, register_periodic_task
        from play.runtime.topics import TopicKind, register_topic

        async def delete_old_lines(runtime: Runtime) -> None:
            await runtime.games.run_in_db_thread(chat_service.delete_old_lines)

        register_topic(
            TopicKind(
                "chat:game|lobby/IDENT",
                lambda runtime: chat_view.ChatSource(runtime.games),
                chat_handler.ChatHandler(),
                chat_messages.ChatMessage,
                (chat_messages.ChatState, chat_messages.ChatReceipt),
            )
        )
        register_topic(
            TopicKind("chat-member", lambda runtime: chat_view.ChatMemberSource(runtime.games))
        )
        register_periodic_task(DELETE_INTERVAL_S, delete_old_lines)
