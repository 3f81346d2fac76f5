"""Scrimmages: small leagues of their own, beside a league, on deals that no league has. Nothing of them counts."""
