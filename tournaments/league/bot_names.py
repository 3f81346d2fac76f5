"""The rules for new names of bots and authors. Names that are there already need not follow them. Pure.

Some names are devices: Windows opens the device, whichever folder a file of this name is in.
"""

import re
from collections.abc import Iterable, Iterator

_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


def device_in(name: str) -> str | None:
    """The device that Windows sees in a name without upper case, whatever follows a dot; None: it sees none."""
    found = _DEVICES.fullmatch(name)
    return None if found is None else found[1]


_LOOKS = str.maketrans("01i_", "oll-")
_PAIRS = {"rn": "m", "vv": "w"}
"""Among the characters that names may have, those that look like others (Unicode Technical Standard 39)."""


def name_faults(name: str, others: Iterable[str]) -> Iterator[str]:
    """The reasons why nobody may take a new name, a sentence each.

    `others` are the names that it must not be taken for.
    """
    if name.startswith("-"):
        yield f"the name {name} begins with -, as options of commands do; choose another one"
    if device_in(name.casefold()) is not None:
        yield f"the name {name} is that of a device on some systems; choose another one"
    alike = next((other for other in others if look_of(other) == look_of(name)), None)
    if alike is not None:
        yield f"the name {name} is too like a name that is taken, {alike}; choose another one"


def look_of(name: str) -> str:
    """A text that is the same for all names that people could take for one another."""
    look = name.casefold().translate(_LOOKS)
    for pair, letter in _PAIRS.items():
        look = look.replace(pair, letter)
    return look
