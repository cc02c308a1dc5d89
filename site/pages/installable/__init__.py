"""The site as an installable app: manifest, icons, service worker and offline page."""
