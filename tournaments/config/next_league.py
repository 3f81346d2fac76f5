"""The file of the next league of a course, made from the file of the one before. Pure: text in, text out."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import tomlkit

_NUMBER = re.compile(r"[0-9]+$")
_TIMES = ("starts", "ends")
_TIMES_OF_SUBMISSIONS = ("opens", "closes")


def next_name(name: str) -> str:
    """The name with its last number counted on: `week09` is followed by `week10`, and `cup` by `cup-2`."""
    number = _NUMBER.search(name)
    if number is None:
        return f"{name}-2"
    return name[: number.start()] + str(int(number[0]) + 1).zfill(len(number[0]))


def next_league(text: str, after_s: int, zone: ZoneInfo | None = None, seeds: Sequence[str] = ()) -> str:
    """The text of the next league file. Comments and the order of the keys stay.

    Its name is counted on, all times are later, and its bots come from the league before until their owners submit
    others. A seed is left out, since that of the league before becomes public; only a rehearsal keeps it.

    Args:
        text: a league file without mistakes.
        after_s: how much later all times are, in seconds.
        zone: keeps the hour there when clocks change; None: times keep their distance from UTC.
        seeds: the seeds of a knock-out, the best first.
    """
    document = tomlkit.parse(text)
    name = str(document["name"])
    document["name"] = next_name(name)
    if not document.get("rehearsal"):
        document.pop("seed", None)
    submissions = document.setdefault("submissions", tomlkit.table())
    submissions["from"] = name
    for part, keys in ((document, _TIMES), (submissions, _TIMES_OF_SUBMISSIONS)):
        for key in keys:
            if key in part:
                part[key] = _later(part[key], after_s, zone)
    if seeds:
        document["format"]["seeds"] = list(seeds)
    return tomlkit.dumps(document)


def _later(value: Any, after_s: int, zone: ZoneInfo | None) -> Any:
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    later = moment + timedelta(seconds=after_s)
    if zone is not None:
        clock = moment.astimezone(zone).replace(tzinfo=None) + timedelta(seconds=after_s)
        there = clock.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)  # an hour that the change leaves out
        later = there.replace(tzinfo=timezone(there.utcoffset() or timedelta()))
    return later.isoformat() if isinstance(value, str) else later
