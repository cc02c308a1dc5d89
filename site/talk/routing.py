"""The sockets of talk."""

from django.urls import re_path

from talk.consumers import TalkSocket

websocket_urlpatterns = [
    re_path(r"^ws/talk/(?P<kind>game|lobby)/(?P<ident>[0-9A-Za-z]{1,32})/\Z", TalkSocket.as_asgi()),
]
