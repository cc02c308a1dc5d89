"""Pages about the site: who runs it, how it works, privacy, terms, contact, source."""
