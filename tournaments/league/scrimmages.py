"""The rules for scrimmages: unrated matches that an author asks for, of an own bot against others. Pure."""

from collections.abc import Iterator, Sequence, Set
from typing import Literal, TypeAlias

import msgspec

from tournaments.league.service_terms import DAY_MS

Stage: TypeAlias = Literal["waiting", "played", "failed"]
"""How a scrimmage stands. A failed one says why, and may be asked for again."""

MOST_DEALS = 8


class ScrimmageRequest(msgspec.Struct, frozen=True):
    """An author's request for a scrimmage.

    Attributes:
        bot: an entry of the author.
        against: the other bots; at a table with three seats or more, several.
        table: the name of a table of the league.
        deals: how many deals; each is played in all line-ups.
        match: the id of a match that everybody may see, on whose deal it is played; empty: on new deals.
    """

    bot: str
    against: tuple[str, ...]
    table: str
    deals: int
    match: str = ""


class Scrimmage(ScrimmageRequest, frozen=True, kw_only=True):
    """A scrimmage that was asked for.

    Attributes:
        number: unique in its store; an author counts on from a random number.
        author: the author who asked.
        stage: how it stands.
        reason: why it failed; else empty.
        asked_ms: when it was asked for, in milliseconds since 1970 (UTC).
        changed_ms: when it got to its stage.
    """

    number: int
    author: str
    stage: Stage
    reason: str
    asked_ms: int
    changed_ms: int


def scrimmage_refusals(
    author: str,
    request: ScrimmageRequest,
    own: Set[str],
    others: Set[str],
    requests: Sequence[Scrimmage],
    a_day: int,
    now_ms: int,
) -> Iterator[str]:
    """The reasons why a scrimmage is refused, a sentence each; nothing if it is not.

    On the roster, `own` are the author's entries, and `others` all that can be played against. `requests` are the
    earlier ones of this author; `a_day` are allowed within 24 hours.
    """
    if request.bot not in own:
        yield f"{request.bot} is not in the league as a bot of yours; your bots: {_names(own)}"
    for name in request.against:
        if name not in others:
            yield f"{name} cannot be played against; these can: {_names(others)}"
    if len({request.bot, *request.against}) <= len(request.against):
        yield "a bot is named twice; name each once, and another than your own"
    if sum(each.asked_ms > now_ms - DAY_MS for each in requests) >= a_day:
        yield f"{author} has asked for {a_day} scrimmages within a day; try again tomorrow"
    if any(each.stage == "waiting" for each in requests):
        yield f"a scrimmage of {author} waits already; ask again when it was played"


def _names(names: Set[str]) -> str:
    return ", ".join(sorted(names)[:_MOST_NAMES]) or "none"


_MOST_NAMES = 20
"""Names in a sentence."""
