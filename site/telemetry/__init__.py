"""Telemetry of a process: metrics, outages, keys shortened for the log."""
