"""A referee for bots that play board games with hidden information."""
