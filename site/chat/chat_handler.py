"""Chats as topics of a socket: admit followers, and handle messages of users."""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict

from accounts.limits.networks import of_scope
from accounts.limits.rate_limits import CHAT, TooOften, spend
from accounts.refusals import Refused
from chat import chat_messages, chat_service
from chat.permissions import STRANGER, ChatReason, Viewer, is_chat_on
from play.domain.wire_types import Frame, encode_frame
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler


class OwnTopicListener:
    """Updates the audience of a page when its user's private chat state changes."""

    audience = ""
    viewer: int | None = None
    reader: int | None = None
    is_visible = False

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    def show(self, frame: Frame) -> None:
        """Sets the audience of the subscription and renders the chat again."""
        self._subscription.audience = frame
        self._subscription.show_newest()

    def post(self, frame: Frame) -> None:
        """Does nothing: this topic has no message about other people present."""


class ChatHandler(TopicHandler):
    """The handler of `chat:game/SLUG` and `chat:lobby/CODE`, for the circle of its user."""

    ident = re.compile(r"(game|lobby)/[0-9A-Za-z]{1,32}")
    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Returns the topic of the user's circle. Raises `Refused`, also where chat is off."""
        if not is_chat_on():
            raise Refused(ChatReason.OFF)
        user, hub = scope["user"].pk, scope["runtime"].hub
        place = await hub.source("chat").venue(ident)
        circle = chat_service.enter_venue(place, user)[1]
        viewer = STRANGER if user is None else await hub.source("chat-member").load(str(user))
        return Admission(("chat", f"{ident}/{circle}"), _audience(viewer))

    async def came(self, subscription: Subscription) -> None:
        """Follows changes of the user's private chat state until the subscription ends."""
        user = subscription.scope["user"].pk
        if user is None:
            return
        own, listener = ("chat-member", str(user)), OwnTopicListener(subscription)
        hub = subscription.runtime.hub
        subscription.on_end(lambda: hub.leave(own, listener))
        subscription.audience = _audience(await hub.join(own, listener))

    def parse(self, text: str) -> chat_messages.ChatMessage:
        """Returns a message of chat. Raises `Refused`."""
        return chat_messages.parse(text)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Handles a message of the user and confirms it."""
        receipt = await subscription.runtime.games.run_in_db_thread(
            HANDLERS[type(message)], subscription.scope, subscription.ident, message
        )
        subscription.reply(receipt)


def _audience(viewer: Viewer | None) -> str:
    """Returns a viewer as the audience of chat; a deleted or suspended user is a stranger."""
    return encode_frame(asdict(viewer or STRANGER))


def _say(scope: Scope, ident: str, message: chat_messages.Say) -> chat_messages.ChatReceipt:
    (kind, place), user = ident.split("/"), scope["user"].pk
    try:
        spend(CHAT, user, of_scope(scope))
    except TooOften as error:
        raise Refused(ChatReason.TOO_FAST) from error
    done = chat_service.say(kind, place, user, message.id, message.text, message.phrase)  # type: ignore[arg-type]
    return chat_messages.ChatReceipt(message.id, done.line, done.again)


def _mute(scope: Scope, ident: str, message: chat_messages.Mute) -> chat_messages.ChatReceipt:
    chat_service.mute(scope["user"].pk, message.name, message.on)
    return chat_messages.ChatReceipt(message.id, None, False)


def _block(scope: Scope, ident: str, message: chat_messages.Block) -> chat_messages.ChatReceipt:
    chat_service.block(scope["user"].pk, message.name)
    return chat_messages.ChatReceipt(message.id, None, False)


def _report(scope: Scope, ident: str, message: chat_messages.Report) -> chat_messages.ChatReceipt:
    (kind, place), user = ident.split("/"), scope["user"].pk
    done = chat_service.report(kind, place, user, message.line, message.why)  # type: ignore[arg-type]
    return chat_messages.ChatReceipt(message.id, done.line, done.again)


HANDLERS: dict[type, Callable[[Scope, str, Any], chat_messages.ChatReceipt]] = {
    chat_messages.Say: _say,
    chat_messages.Mute: _mute,
    chat_messages.Block: _block,
    chat_messages.Report: _report,
}
