"""The Chromium that the tests start, and its flags."""

import shutil

# The shell draws the same pages without a browser's own windows, for a quarter of the CPU time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
