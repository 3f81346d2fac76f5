"""Scrimmages: small separate leagues beside a league, on deals that no league has. Their results do not count."""
