"""Web push: devices, keys, permitted hosts, and the sender."""
