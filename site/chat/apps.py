"""Configuration of the app for chat in lobbies and games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

DELETE_INTERVAL_S = 3600.0


class ChatConfig(AppConfig):
    """Chat lines, their visibility, mutes and reports."""

    name = "chat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        """Registers protocol messages, hub topics, the rename signal and the periodic deletion."""
        from accounts import signals
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
        signals.renamed.connect(show_new_name, dispatch_uid="chat.show_new_name")
        signals.blocks_changed.connect(apply_blocks, dispatch_uid="chat.apply_blocks")
        register_periodic_task(DELETE_INTERVAL_S, delete_old_lines)


def show_new_name(sender: object, user_id: int, **about: object) -> None:
    """Publishes a user's chat lines again under the new name."""
    from chat import chat_service

    chat_service.show_new_name(user_id)


def apply_blocks(sender: object, user_ids: tuple[int, ...], **about: object) -> None:
    """Refreshes the chat permissions of users whose blocks have changed."""
    from accounts.models import User
    from chat import chat_service

    present = User.objects.filter(pk__in=user_ids, is_active=True)
    chat_service.apply_blocks(list(present.values_list("pk", flat=True)))
