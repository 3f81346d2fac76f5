"""The words of values, and of seats as they are seen from the own one."""

import re
from enum import Enum
from typing import Any


def value_name(value: Any) -> str:
    """A value in words."""
    return value.name.lower() if isinstance(value, Enum) else str(value)


def after_own(number: int) -> str:
    """A seat or a side in words, as it is seen from the own one."""
    return f"{number} after own" if number else "own"


def seen_from_own(words: str) -> str:
    """Words about an action of seat 0, with its seats named as they are seen from the own one."""
    turned = re.sub(r"\bseat (\d)", lambda found: f"the seat {after_own(int(found[1]))}", words)
    return turned.replace("the seat own", "the own seat")
