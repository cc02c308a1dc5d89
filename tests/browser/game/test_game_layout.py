"""Game page on a phone and on a desktop: nothing is covered, and no buttons meet."""

from tests.browser.probes.layout_probes import check_no_buttons_meet, check_nothing_is_covered


async def test_no_offer_or_notice_covers_anything_on_a_phone_and_on_a_desktop(visit, proxy):
    await check_nothing_is_covered(visit, proxy, "pincer", [(360, 740), (1280, 800)])


async def test_no_two_buttons_meet_while_a_turn_of_pincer_is_composed(visit):
    await check_no_buttons_meet(visit, "pincer")
