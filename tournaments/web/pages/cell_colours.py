"""The colours of the cells of a crosstable. Each cell also has its number, so no reader needs the colours."""

_COLOUR_STEPS = 4
_EVEN = 0.02
"""A score this close to a half counts as even."""


def shade(score: float | None) -> str:
    """The class of a cell with this score, from 0 to 1: `w1` to `w4` above a half, `l1` to `l4` below, `e0` at it."""
    if score is None:
        return "none"
    lead = score - 0.5
    if abs(lead) < _EVEN:
        return "e0"
    return f"{'w' if lead > 0 else 'l'}{min(_COLOUR_STEPS, 1 + int(abs(lead) * 2 * _COLOUR_STEPS))}"


KEY = (
    ("l4", "below 13%"),
    ("l3", "below 25%"),
    ("l2", "below 38%"),
    ("l1", "below 48%"),
    ("e0", "even"),
    ("w1", "above 52%"),
    ("w2", "from 63%"),
    ("w3", "from 75%"),
    ("w4", "from 88%"),
)
"""The meaning of the shades, for the line below a table."""
