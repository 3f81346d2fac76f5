"""One line of the standings and one cell of the crosstable, as anybody may see them once their table is shown."""

import msgspec

from tournaments.rating.bot_records import NoteMeans
from tournaments.rating.scale import Interval


class StandingView(msgspec.Struct, frozen=True):
    """One bot's line in the table. `tournaments.results.standings.Standing` says more of the numbers.

    It is kept in this form, too, as anybody may see it, but without the author.

    Attributes:
        rank: its place in the table of its group, from 1.
        bot: its entry name.
        author: whose it is; `organizer` for those of the league file. Empty as long as it is kept: a bot can be given
            to somebody else.
        rating: the mean of its skill; the mean over all bots of its group is 25.
        sigma: the deviation of its skill, as the rating's model sees it.
        interval: the 95 % interval of the rating; None with too few deals.
        separated: whether it is separated from the next line; None for the last.
        may_be_best: whether it may be the best of its group; None without an interval.
        matches: how many of its matches count.
        wins: first places, unless the match was a draw.
        draws: matches in which all places were equal.
        losses: all other matches.
        score: the mean share of the sides held by others that its side came before; None before its first match.
        faults: matches that the bot's own fault cut short.
        mean_decision_ms: its mean thinking time for a decision; None where none is known to the viewer.
        group: the number of its group, from 1; bots of different groups never met.
        ranks: the 95 % interval of its rank; None without one.
        first: the probability that it is the first; None without an interval.
        beats_next: the probability that it beats the next of its group; None where that has no meaning.
        suspended: whether it is suspended.
        trend: its rating after each part of the matches, as in `RatingsView`; None before its first match.
        mean_return: the mean of what the game counts, such as chips, over its seats in matches that no fault cut short;
            where sides are dealt, on closed deals. None if the game counts nothing.
        notes: what its notes count; None if they count nothing, or nothing that the viewer may know.
    """

    rank: int
    bot: str
    author: str
    rating: float
    sigma: float
    interval: Interval | None
    separated: bool | None
    may_be_best: bool | None
    matches: int
    wins: int
    draws: int
    losses: int
    score: float | None
    faults: int
    mean_decision_ms: float | None
    group: int
    ranks: tuple[int, int] | None
    first: float | None
    beats_next: float | None
    suspended: bool
    trend: tuple[float | None, ...]
    mean_return: float | None = None
    notes: NoteMeans | None = None


class CellView(msgspec.Struct, frozen=True, gc=False):
    """How a bot did against another.

    Attributes:
        matches: how often they met.
        score: its mean score in these matches.
        expected: the mean score that the ratings expect of them.
        difference: its rating minus that of the other; None if they never met, not even by way of others.
        interval: the 95 % interval of the difference; None if there is none.
        beats: the probability that it beats the other; None where there is no difference.
    """

    matches: int
    score: float | None
    expected: float | None
    difference: float | None
    interval: Interval | None
    beats: float | None
