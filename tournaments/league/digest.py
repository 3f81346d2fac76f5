"""The digest of a league: two leagues with the same digest were played alike, match by match."""

from collections.abc import Iterable
from hashlib import sha256


def league_digest(matches: Iterable[tuple[str, str]]) -> str:
    """SHA-256, in hex, over matches in the order given. The digest of a league is over those that count, in plan order.

    Args:
        matches: fixture id and match digest of each; both are hashed as one line, `id digest` and a newline.
    """
    total = sha256()
    for fixture, digest in matches:
        total.update(f"{fixture} {digest}\n".encode())
    return total.hexdigest()
