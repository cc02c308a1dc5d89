"""ASGI middleware that finds the user of a socket by its session cookie."""

from typing import Any

from accounts.login.socket_users import NOBODY, digest_of_cookies


def authenticate_sockets(app: Any) -> Any:
    """Return the ASGI application that puts `user`, `session` and `since` into a socket's scope.

    `session` has the digest of the session's key, `since` is the id of the newest revocation that
    was read before the session: later ones end the socket.
    """

    async def authenticated(scope: Any, receive: Any, send: Any) -> None:
        digest = digest_of_cookies(scope["headers"])
        found, since = NOBODY, 0
        if digest is not None:
            found, since = await scope["runtime"].session_users.find(digest)
        about = {"user": found.user, "session": found, "since": since}
        await app({**scope, **about}, receive, send)

    return authenticated
