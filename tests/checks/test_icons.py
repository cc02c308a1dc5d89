"""The icons of the installed app are what the mark draws."""

from io import BytesIO

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from pages.installable.icons import ICONS
from tests.checks.project_files import STATIC


def test_the_icons_are_what_the_mark_draws_and_have_their_sizes() -> None:
    call_command("icons")
    for icon in ICONS:
        data = (STATIC / "img" / "app" / icon.name).read_bytes()
        with Image.open(BytesIO(data)) as image:
            assert (image.size, image.format) == ((icon.size_px, icon.size_px), "PNG")
            corner = image.convert("RGBA").getpixel((0, 0))
        assert isinstance(corner, tuple)
        assert (corner[3] == 255) == (icon.purpose == "maskable"), icon.name


def test_an_icon_that_was_changed_by_hand_is_noticed(settings, tmp_path) -> None:
    settings.BASE_DIR = tmp_path
    call_command("icons", write=True)
    call_command("icons")
    (tmp_path / "static/img/app/icon-192.png").write_bytes(b"another")
    with pytest.raises(CommandError, match=r"icon-192\.png differs"):
        call_command("icons")
