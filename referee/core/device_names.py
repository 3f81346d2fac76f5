"""Names of devices: Windows opens the device, whichever folder a file of this name is in."""

import re

_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")


def device_in(name: str) -> str | None:
    """The device that Windows sees in a name without upper case, whatever follows a dot; None: it sees none."""
    found = _DEVICES.fullmatch(name)
    return None if found is None else found[1]
