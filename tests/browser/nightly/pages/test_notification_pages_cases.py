"""The bell and the settings of notifications in a browser: two tabs, keyboard, time zone."""

from playwright.async_api import expect

from tests.browser.prepared.notice_rows import tell, user_of


async def test_the_page_of_notifications_needs_no_script(visit, site, chromium):
    ada = await visit("ada")
    user = await user_of(ada, site)
    tell(site, user, "game-1")
    state = await ada.page.context.storage_state()
    plain = await chromium.new_context(java_script_enabled=False, storage_state=state)
    page = await plain.new_page()
    await page.goto(ada.home)
    await page.click("#bell a")
    await page.wait_for_url("**/notifications/")
    await expect(page.locator(".notification.unread")).to_have_count(1)
    await page.click("text=Mark all as read")
    await expect(page.locator(".notification")).to_have_count(1)
    await expect(page.locator(".notification.unread")).to_have_count(0)
    await plain.close()


async def test_the_time_zone_of_the_browser_is_offered_and_kept(visit, site):
    ada = await visit("ada")
    await user_of(ada, site)
    await ada.page.goto(f"{ada.home}settings/notifications/")
    zone = await ada.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    if zone == "UTC":
        await ada.page.select_option("#notify_time_zone", "Asia/Kathmandu")
    await ada.page.click("#zone-use")
    await expect(ada.page.locator("#zone-offer")).to_be_hidden()
    await ada.page.uncheck("[name=ended][value=push]")
    await ada.page.fill("[name=quiet_from]", "22:30")
    await ada.page.fill("[name=quiet_until]", "07:00")
    await ada.page.click("text=Save")
    await expect(ada.page.locator(".account-messages")).to_contain_text("saved")
    await expect(ada.page.locator("#notify_time_zone")).to_have_value(zone)
    await expect(ada.page.locator("[name=ended][value=push]")).not_to_be_checked()
    await expect(ada.page.locator("[name=quiet_from]")).to_have_value("22:30")
