"""Times of day, in the zone of the user."""

import os
from datetime import UTC, datetime

from referee.core.errors import WrongUse


class WrongZone(WrongUse):
    """The variable TZ names no time zone."""


def local_time(time_ms: int) -> datetime:
    """A time, in milliseconds since 1970 (UTC), with the zone of the user.

    Raises:
        WrongZone: the zone is not one.
    """
    try:
        return datetime.fromtimestamp(time_ms / 1000, UTC).astimezone()
    except ValueError as error:  # a zone may be at most a day away from UTC
        zone = os.environ.get("TZ", "")
        raise WrongZone(f"TZ={zone!r} is no time zone; write for instance TZ=Europe/Berlin, or unset it") from error
