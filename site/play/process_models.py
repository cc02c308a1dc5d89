"""Tables of processes: which work they do alone, who looks at their pages, that one is alive."""

from django.db import models


class Lease(models.Model):
    """The process that does a kind of periodic work alone, see `play.storage.leases`."""

    name = models.CharField(max_length=20, primary_key=True)
    process = models.CharField(max_length=64)
    until = models.BigIntegerField()  # any process may take it after that

    def __str__(self) -> str:
        return f"lease of {self.name} by {self.process}"


class ProcessViewers(models.Model):
    """The sockets of a web process by topic and audience, see `play.runtime.viewer_counts`."""

    process = models.CharField(max_length=16, primary_key=True)
    at = models.BigIntegerField()  # when it was written (epoch ms)
    counts = models.JSONField()  # by name of a topic and audience

    def __str__(self) -> str:
        return f"viewers of the process {self.process}"


class Heartbeat(models.Model):
    """The last time at which some server process was alive; one row."""

    at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"alive at {self.at}"
