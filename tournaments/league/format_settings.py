"""The settings of formats: the keys of `[format]` in a league file, by its `kind`."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

MOST_ROUNDS = 1_000
MOST_MATCHES = 10**12


class BalancedSettings(msgspec.Struct, frozen=True, tag_field="kind", tag="round-robin"):
    """Every group of bots plays, or fewer groups, in which every two bots meet equally often.

    Attributes:
        matches: the most matches of a bot in the whole league; None: every group plays.
    """

    matches: Annotated[int, Meta(ge=1, le=MOST_MATCHES)] | None = None


class GauntletSettings(msgspec.Struct, frozen=True, tag_field="kind", tag="gauntlet"):
    """Challengers meet the field.

    Attributes:
        challengers: entries, each as `name@version`, or as a `name` that stands for all its versions.
    """

    challengers: tuple[str, ...]


class SwissSettings(msgspec.Struct, frozen=True, tag_field="kind", tag="swiss"):
    """In each round, bots with similar scores meet.

    Attributes:
        rounds: how many rounds the league plays; None: as many as are usual for the number of bots in the first round.
    """

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None


class KnockoutSettings(msgspec.Struct, frozen=True, tag_field="kind", tag="knockout"):
    """The best bots of every group advance to the next round.

    Attributes:
        seeds: the highest first, each as `name@version`, or as a `name` that stands for all its versions. Entries that
            are not named come after them, in the order of the roster.
        advance: how many bots of a group advance; None: half of it, rounded down.
        further: how many times at most a group with equal scores plays further deals.
    """

    seeds: tuple[str, ...] = ()
    advance: Annotated[int, Meta(ge=1, lt=1 << 31)] | None = None
    further: Annotated[int, Meta(ge=0, le=100)] = 3


class OpenSettings(msgspec.Struct, frozen=True, tag_field="kind", tag="open"):
    """Bots come and go. The league plays the groups from which the ratings learn most.

    Attributes:
        matches: the league ends before it has more matches than this; None: it never ends for this reason.
        uncertainty: the league ends when no bot has a larger `sigma`, in points; None: it never ends for this reason.
            A bot begins with 25/3. (We use the model's `sigma` and not the interval. An interval takes 200 ratings, and
            after many looks it no longer covers 95 %.)
        least: the smallest part of its even share of matches that a bot plays, from 0 to 1.
        random: the part of the groups that the league draws at random, from 0 to 1.
        growth: how many matches a wave has, as a part of the matches of all earlier waves.
    """

    matches: Annotated[int, Meta(ge=1, le=MOST_MATCHES)] | None = None
    uncertainty: Annotated[float, Meta(gt=0, le=8)] | None = None
    least: Annotated[float, Meta(ge=0, le=0.5)] = 0.2
    random: Annotated[float, Meta(ge=0, le=1)] = 0.1
    growth: Annotated[float, Meta(gt=0, le=1)] = 0.03


ByResults: TypeAlias = SwissSettings | KnockoutSettings | OpenSettings
"""Formats that decide by results: they issue one wave after another."""

Settings: TypeAlias = BalancedSettings | GauntletSettings | ByResults

KINDS: Mapping[str, type[Settings]] = {
    "round-robin": BalancedSettings,
    "gauntlet": GauntletSettings,
    "swiss": SwissSettings,
    "knockout": KnockoutSettings,
    "open": OpenSettings,
}
"""The settings by kind."""


class WrongSettings(ValueError):
    """`[format]` cannot be used as it is; the text is one sentence that begins with the key."""


def settings_of(raw: Mapping[str, Any]) -> Settings:
    """The settings in `[format]`.

    Raises:
        WrongSettings: a key or its value is wrong.
    """
    kind = raw.get("kind", "round-robin")
    if not isinstance(kind, str) or kind not in KINDS:
        raise WrongSettings(f"kind: {kind!r} is not known; allowed: {', '.join(KINDS)}")
    keys = KINDS[kind].__struct_fields__
    for key in raw:
        if key != "kind" and key not in keys:
            raise WrongSettings(f"{key}: not a key of a {kind} league; allowed: {', '.join(('kind', *keys))}")
    try:
        return msgspec.convert({**raw, "kind": kind}, KINDS[kind])
    except msgspec.ValidationError as error:
        raise WrongSettings(_sentence(str(error))) from error


def _sentence(text: str) -> str:
    """Msgspec's message with the key in front: msgspec puts it last."""
    what, _, place = text.partition(" - at `$.")
    key, missing = place.rstrip("`"), "missing required field `"
    if missing in what:
        return f"{what.partition(missing)[2].rstrip('`')}: this key is missing"
    return f"{key}: {what[:1].lower()}{what[1:]}".replace("`", "")
