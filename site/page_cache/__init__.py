"""Cache of the parts of pages that are the same for all; names, tokens and sessions stay out."""
