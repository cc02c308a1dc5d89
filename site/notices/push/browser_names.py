"""Names of devices from the User-Agent header, such as “Chrome on Android”."""

from django.utils.translation import gettext as _

from accounts.plain_text import plain_line

MAX_NAME_CHARS = 60
# In this order: a browser's header also names those that it is compatible with.
BROWSERS = (
    ("SamsungBrowser", "Samsung Internet"),
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Vivaldi", "Vivaldi"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium", "Chromium"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def clean_name(name: str) -> str:
    """Return a name on one line, without control characters, cut to its greatest length."""
    return plain_line(name)[:MAX_NAME_CHARS].strip()


def name_of_browser(user_agent: str) -> str:
    """Return a name for the browser that sends this header."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("A browser")
