"""Tables of processes: which work they do alone, which pages they have open, that one is alive."""

from django.db import models


class Lease(models.Model):
    """The process that does a kind of periodic work alone, see `play.storage.leases`."""

    name = models.CharField(max_length=20, primary_key=True)
    process = models.CharField(max_length=64)
    until = models.BigIntegerField()  # any process may take it after that

    def __str__(self) -> str:
        return f"lease of {self.name} by {self.process}"


class ProcessPresence(models.Model):
    """The open pages of a web process, see `play.runtime.presence`."""

    process = models.CharField(max_length=16, primary_key=True)
    at = models.BigIntegerField()  # when it was written (epoch ms)
    counts = models.JSONField()  # of sockets by name of a topic and audience
    users = models.JSONField()  # ids of those with an open page

    def __str__(self) -> str:
        return f"pages of the process {self.process}"


class Heartbeat(models.Model):
    """The last time at which some server process was alive; one row."""

    at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"alive at {self.at}"
