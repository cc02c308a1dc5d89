"""Capture of log records with the site's own filters and formatters."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config.log_filters import EventLimit
from config.logs import make_formatter


class Records(logging.Handler):
    """Keeps each record in both formats."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(logging.DEBUG)
        self.addFilter(EventLimit(**limits))
        self.lines: list[str] = []
        self.objects: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(make_formatter("line").format(record))
        self.objects.append(make_formatter("json").format(record))

    def as_json(self) -> list[dict[str, Any]]:
        """The records as objects."""
        return [json.loads(line) for line in self.objects]

    def text(self) -> str:
        """The text of all records, in both formats."""
        return "\n".join([*self.lines, *self.objects])

    @contextmanager
    def listening(self, logger: logging.Logger) -> Iterator["Records"]:
        """Adds itself to a logger's handlers for the block."""
        logger.addHandler(self)
        try:
            yield self
        finally:
            logger.removeHandler(self)
