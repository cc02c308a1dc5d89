"""Signing up during a game, and settings of a device."""


async def test_the_main_button_has_a_border_in_forced_colours(visit):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}log-in/")
    width = (
        "document.querySelector('main .primary').computedStyleMap().get('border-top-width').value"
    )
    assert await ada.page.evaluate(width) == 0
    await ada.page.emulate_media(forced_colors="active")
    assert await ada.page.evaluate(width) == 2
