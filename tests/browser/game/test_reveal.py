"""Reveal of a round of Blotto: no part of the page tells its result before the last field opens."""

from tests.browser.probes.reveal_frames import check_no_frame_tells


async def test_no_frame_of_a_round_tells_its_result_before_the_third_field_is_open(visit):
    await check_no_frame_tells(visit, "no-preference", 1)
