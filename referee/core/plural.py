"""Numbers with words that agree with them."""


def several(number: int, one: str, more: str) -> str:
    """A number with the words for one, or those for any other number: `1 match is`, `2,000 matches are`."""
    return f"{number:,} {one if number == 1 else more}"
