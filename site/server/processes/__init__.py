"""The processes of `manage.py serve`: the parent, the web process, and the workers beside it."""
