"""SMTP server with a thread for each connection: it takes every mail and keeps the headers.

Faster than `mail_server`, for many mails and several processes at once.
"""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from email.parser import BytesHeaderParser
from threading import Thread


class _Session(socketserver.StreamRequestHandler):
    """One connection."""

    def handle(self) -> None:
        self._say("220 sink")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self._say("354 go on")
                self._take()
            elif verb == b"QUIT":
                self._say("221 bye")
                return
            self._say("250 OK")

    def _take(self) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        assert isinstance(self.server, SmtpSink)
        self.server.mails.append(BytesHeaderParser().parsebytes(b"".join(lines)))

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class SmtpSink(socketserver.ThreadingTCPServer):
    """SMTP server that keeps the headers of mails in their order."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails: list[Message] = []
        self.port = int(self.server_address[1])


@contextmanager
def smtp_sink() -> Iterator[SmtpSink]:
    """Runs one in a thread."""
    with SmtpSink() as sink:
        thread = Thread(target=sink.serve_forever, daemon=True)
        thread.start()
        try:
            yield sink
        finally:
            sink.shutdown()
            thread.join()
