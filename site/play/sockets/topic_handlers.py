"""Handlers of topics on a socket: admit pages to a topic and answer their messages.

Each kind of topic that pages subscribe to has a handler, beside the source of its frames
(`runtime.topics.TopicKind`).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from accounts.refusals import Refused
from play.domain.game_refusals import Reason
from play.runtime.topics import KINDS, Rev, Topic
from play.sockets.subscription import Scope, Subscription


class Admission(NamedTuple):
    """The topic of the hub that a page follows, and its audience there."""

    topic: Topic
    audience: str
    viewer: int | None = None  # the user, if their name may be shown to the others


class TopicHandler(ABC):
    """Actions of pages on one kind of topic; a handler implements `admit`."""

    ident = re.compile(r"[0-9A-Za-z-]{1,32}")  # of the topics of this kind
    has_text_revs = False  # revs are texts that differ, not integers that grow
    fault = Reason.BUSY  # the answer to a message after an internal error
    # Kinds of messages that have a bucket of their own on each socket, with how many of them are
    # handled in a second; more are dropped, and not answered.
    rates: Mapping[str, float] = MappingProxyType({})

    @abstractmethod
    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the topic and the audience of a page. Raise `Refused` if it may see nothing."""

    async def came(self, subscription: Subscription) -> None:
        """Note that a page follows a topic, before it is sent the state.

        Callbacks given to `subscription.on_end` are called when it does no longer.
        """
        return

    def parse(self, text: str) -> Any:
        """Return a message about a topic from its frame. Raise `Refused`."""
        raise Refused(Reason.UNKNOWN_MESSAGE)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Answer a message that `parse` has returned. Raise `Refused`."""
        raise Refused(Reason.UNKNOWN_MESSAGE)

    async def bring_up(self, subscription: Subscription, rev: Rev) -> None:
        """Answer a page that has `rev`: with the state if that is older, else with a pong."""
        if subscription.runtime.hub.is_behind(subscription.topic, rev):
            subscription.show_newer(rev)
        else:
            subscription.confirm()

    def check_rev(self, rev: Rev) -> None:
        """Raise `Refused` for a rev that this kind of topic cannot have."""
        if isinstance(rev, str) and not self.has_text_revs:
            raise Refused(Reason.MALFORMED)


def handler_of(name: str) -> tuple[TopicHandler, str]:
    """Return the handler of a topic with its ident. Raise `Refused` for a name that none has."""
    word, _, ident = name.partition(":")
    handler: TopicHandler | None = KINDS[word].handler if word in KINDS else None
    if handler is None or not handler.ident.fullmatch(ident):
        raise Refused(Reason.GONE)
    return handler, ident
