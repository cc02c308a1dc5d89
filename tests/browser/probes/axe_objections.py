"""axe-core's objections to a page, in light, dark, desktop and phone."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.visitors.browser_visitors import Visitor

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
# All rules run in the light on the desktop and in the dark on the phone, those about colours and
# targets in the two looks between.
COLOURS = ["color-contrast", "link-in-text-block", "target-size"]
ALL_LOOKS = [
    ("light", DESKTOP, []),
    ("dark", DESKTOP, COLOURS),
    ("light", PHONE, COLOURS),
    ("dark", PHONE, []),
]
# For pages that the nightly matrix looks at in all looks.
FEW_LOOKS = [ALL_LOOKS[0], ("dark", PHONE, COLOURS)]
TWO_LOOKS = [ALL_LOOKS[0], ALL_LOOKS[3]]


async def objections(person: Visitor, where: str, looks: Any = TWO_LOOKS) -> list[str]:
    """The violations that axe-core finds on the current page."""
    page, found = person.page, []
    if await page.evaluate("typeof axe") == "undefined":
        await page.evaluate(AXE_SCRIPT)
    for theme, size, rules in looks:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        await page.set_viewport_size(size)
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        options["rules"] = {"target-size": {"enabled": True}}
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        results = await page.evaluate("options => axe.run(options)", options)
        for violation in results["violations"]:
            for node in violation["nodes"]:
                told = " ".join(map(str, node["target"]))
                why = (node["any"] or node["all"] or node["none"])[0]["message"]
                found.append(f"{where} ({theme}, {size['width']}): {violation['id']} {told}: {why}")
    await page.set_viewport_size(DESKTOP)
    return found
