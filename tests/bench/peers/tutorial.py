"""Django and Channels the tutorial's way: one consumer a socket, the ORM for every action, the
state to everybody by the layer. A project in one file, on SQLite and the in-memory layer.

    TUTORIAL_DATA=folder python -m tests.bench.peers.tutorial   (makes the tables)
    TUTORIAL_DATA=folder daphne tests.bench.peers.tutorial:application
"""

import os
import secrets
from pathlib import Path
from typing import Any

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": Path(os.environ["TUTORIAL_DATA"]) / "tutorial.sqlite3",
        }
    },
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[],
    ROOT_URLCONF=__name__,
    SECRET_KEY="tutorial",
)
django.setup(set_prefix=False)

from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.http import HttpRequest, JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402

from games.catalogue import rules_of  # noqa: E402
from games.core import IllegalAction, advance, assemble_joint  # noqa: E402

RULES = rules_of("amazons-10x10")


def token() -> str:
    """A new token of a seat."""
    return secrets.token_urlsafe(12)


class Game(models.Model):
    """A game."""

    position = models.TextField()
    step = models.IntegerField(default=0)
    white = models.CharField(max_length=32, default=token)
    black = models.CharField(max_length=32, default=token)

    class Meta:
        app_label = "tutorial"

    def state(self) -> dict[str, Any]:
        """The public state of the game."""
        state = RULES.read(self.position)
        return {
            "type": "game.state",
            "step": self.step,
            "view": RULES.view(state, None),
            "control": sorted(RULES.control(state)),
        }


class GameConsumer(AsyncJsonWebsocketConsumer):
    """A socket of a game."""

    async def connect(self) -> None:
        """Joins the game's group, and shows the state."""
        self.pk = self.scope["url_route"]["kwargs"]["pk"]
        self.group = f"game_{self.pk}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send_json(await self.read())

    async def disconnect(self, code: int) -> None:
        """Leaves the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        """Plays an action, and tells everybody."""
        try:
            state = await self.play(content)
        except (IllegalAction, ValueError) as error:
            await self.send_json({"type": "refused", "say": str(error)})
            return
        await self.channel_layer.group_send(self.group, state)

    async def game_state(self, event: dict[str, Any]) -> None:
        """Passes on a message of the group."""
        await self.send_json(event)

    @database_sync_to_async
    def read(self) -> dict[str, Any]:
        """The state as it is."""
        return Game.objects.get(pk=self.pk).state()

    @database_sync_to_async
    def play(self, content: dict[str, Any]) -> dict[str, Any]:
        """Checks and writes an action. Raises ValueError."""
        game = Game.objects.get(pk=self.pk)
        state = RULES.read(game.position)
        if content["step"] != game.step:
            raise ValueError("That step is over.")
        role = next(iter(RULES.control(state)), None)
        if role is None or content["token"] != getattr(game, role):
            raise ValueError("It is not your turn.")
        joint = assemble_joint(RULES, state, {role: RULES.parse(content["action"])})
        game.position = RULES.write(advance(RULES, state, joint))
        game.step += 1
        game.save()
        return game.state()


def create(request: HttpRequest) -> JsonResponse:
    """Opens a game."""
    game = Game.objects.create(position=RULES.write(RULES.start()))
    return JsonResponse({"pk": game.pk, "white": game.white, "black": game.black})


urlpatterns = [path("games/", create)]
sockets = URLRouter([path("ws/<int:pk>/", GameConsumer.as_asgi())])
application = ProtocolTypeRouter({"http": get_asgi_application(), "websocket": sockets})

if __name__ == "__main__":
    with connection.schema_editor() as editor:
        editor.create_model(Game)
