"""Public profile of a person: the avatar made from the name, a bio, a country."""
