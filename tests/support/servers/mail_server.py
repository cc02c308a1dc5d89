"""SMTP server on loopback that stores the mails it receives."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from tests.support.servers.server_process import free_port


class MailServer:
    """SMTP handler that keeps mails in their order; `url` is its QUIVER_MAIL_URL."""

    def __init__(self, port: int) -> None:
        self.url = f"smtp://127.0.0.1:{port}"
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:
        """Keeps a mail."""
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    @property
    def texts(self) -> list[str]:
        """The headers and the body of each mail."""
        return [f"{mail}\n{mail.get_content()}" for mail in self.mails]

    def links(self, part: str) -> list[str]:
        """The links with `part` in them, in all mails."""
        return [link for text in self.texts for link in re.findall(rf"https?://\S*{part}\S*", text)]


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Runs one in a thread."""
    port = free_port()
    server = MailServer(port)
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
