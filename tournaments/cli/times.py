"""Times as a user gives and reads them: when a run is to end, time spans, and times of day in the user's zone."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

from referee.core.errors import WrongUse
from referee.core.text import seconds_of


def utc(at_ms: int) -> str:
    """A time in milliseconds since 1970 as a date and a time of day, in UTC."""
    return datetime.fromtimestamp(at_ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


class WrongTime(WrongUse):
    """A time that cannot be read."""


def span_s(text: str, option: str = "--for") -> int:
    """The seconds of a time span such as `20m`, `8h` or `1d12h`, which was given with an option.

    Raises:
        WrongTime: it is no time span, or it is empty.
    """
    try:
        return seconds_of(text)
    except ValueError as error:
        raise WrongTime(f"{option} {error}") from error


def until_s(text: str, now: datetime) -> float:
    """How many seconds remain from `now` until a time: `07:30` (the next one to come) or `2026-11-23 07:30`, local.

    Raises:
        WrongTime: it is no time, or it is over.
    """
    try:
        clock = datetime.strptime(text, "%H:%M")
        then = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
        then += timedelta(days=then <= now)
    except ValueError:
        then = moment(text, "--until", now.tzinfo, "07:30 or 2026-11-23T07:30")
    if then <= now:
        raise WrongTime(f"--until {text}: that time is over")
    return then.timestamp() - now.timestamp()


def moment(text: str, option: str, zone: tzinfo | None, example: str = "2026-11-23T07:30") -> datetime:
    """A time such as `2026-11-23T07:30` that was given with an option; in this zone, unless it names another one.

    Raises:
        WrongTime: it is no time. The sentence says how to write one, by an example.
    """
    try:
        then = datetime.fromisoformat(text)
        return (then if then.tzinfo else then.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise WrongTime(f"{option} {text}: not a time; write for instance {example}") from error


def after(seconds: float, clock: Callable[[], float] = time.monotonic) -> Callable[[], bool]:
    """Whether so many seconds have passed since this was called."""
    began = clock()
    return lambda: clock() - began >= seconds


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
