"""Knock-out: a bot that does not go on from its group is out, and the last one wins.

A round is a wave of new deals: each group plays all of them, at every table and in all line-ups. Its best go on, by
their mean share of these matches. If the last bot that would go on and the next are equal, their group plays as many
deals again, in one wave with all such groups; but bots that were ahead or behind stay so. After a fixed number of such
waves, the higher seed goes on. A group without a match that counts is not equal: it has not met. If all its bots are
there, it plays on new deals, however many waves that takes.

Bots of one author meet as late as possible (`knockout_rounds.parted`), and a bot's share of a match is that of the bots
of other authors. If a group has bots of one author alone, its matches decide nothing: named seeds go on before others,
and between these the league's seed decides.

A group counts when each of its line-ups was played on at least half of its deals; before that no next round is decided
(`tournaments.schedule.counting_rules`).

Only bots that were in the league when the first round was issued play. A bot that leaves or is suspended is out, and
its opponents go on. If too few bots remain to fill any table, the highest seed of them wins.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

from referee.core import seeds
from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.model import TableSpec
from tournaments.schedule.formats.format import Counted, means
from tournaments.schedule.formats.issued_waves import IssuedWave, group_size, line_ups_of, next_deal, unfit_tables
from tournaments.schedule.formats.knockout_bracket import Bracket
from tournaments.schedule.formats.knockout_rounds import JudgedRound, KnockoutRules, dealt, judged_rounds, layout


def problems(settings: KnockoutSettings, tables: Sequence[TableSpec], names: Sequence[str] | None) -> list[str]:
    """The faults of these tables and entries for a knock-out, a sentence each; empty if there are none.

    `names` is None where bots may be submitted: then nobody knows yet whether there will be a bot of some name.
    """
    found = list(unfit_tables(tables, "a knock-out", "two sides"))
    sizes = {group_size(table): table.name for table in reversed(tables) if table.seating != "copies"}
    if len(sizes) > 1:
        filled = ", ".join(f"{name!r} by {size}" for size, name in sorted(sizes.items()))
        found.append(f"tables: in a knock-out all must be filled by the same number of bots; here they are: {filled}")
    size = max(sizes, default=0)
    if settings.advance is not None and settings.advance >= size > 1:
        found.append(f"advance: {settings.advance} of {size} bots cannot go on; allowed: 1 to {size - 1}")
    if names is not None:
        unknown = [given for given in settings.seeds if not any(means(given, name) for name in names)]
        bots = ", ".join(sorted(names))
        found += [f"seeds: {given!r} is no bot of this league; its bots are: {bots}" for given in unknown]
    return found


class KnockoutRounds:
    """Decides the rounds of a knock-out. A `Decider`. Entries that are not named as seeds are seeded by the roster."""

    authors: Mapping[str, str] = {}

    def __init__(self, settings: KnockoutSettings, tables: Sequence[TableSpec], deals: int, seed: bytes) -> None:
        """`problems` finds nothing wrong with the settings. A round has so many deals, and so has each further wave.

        `seed` is the league's, 32 bytes.
        """
        self._seed = seeds.child(seed, "knockout")
        self._settings = settings
        self._tables = tables
        self._deals = deals
        self._size = group_size(tables[0])
        self._advance = settings.advance or self._size // 2

    def decide(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
    ) -> IssuedWave | None:
        """The next round, or further deals for groups of this one; None if the knock-out is over."""
        return self._next(self._rounds(issues, roster, counted, gone), issues, roster)

    def bracket(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        counted: Counted,
        gone: Sequence[Set[str]] = (),
        *,
        playing: bool,
    ) -> Bracket:
        """The knock-out so far, from what `decide` takes.

        While matches of the last wave remain (`playing`), nobody goes on from it.
        """
        rounds = self._rounds(issues, roster, counted, gone)
        over = not playing and self._next(rounds, issues, roster) is None
        order = self._seeded(issues[0].roster if issues else roster)
        champion = min(self._left(rounds, roster), key=order.index, default=None) if over else None
        values = (each.value(playing=playing and each is rounds[-1]) for each in rounds)
        return Bracket(tuple(values), over, champion)

    def _next(
        self, rounds: Sequence[JudgedRound], issues: Sequence[IssuedWave], roster: Sequence[str]
    ) -> IssuedWave | None:
        again = [group.members for group in rounds[-1].groups if group.plays_on] if rounds else []
        if again:
            return self._issue(issues, roster, again)
        players = self._left(rounds, roster)
        if len(players) < self._size:
            return None
        byes, number = layout(len(players), self._size, self._advance)
        groups = dealt(players, rounds[-1].former() if rounds else {}, byes, number, self.authors)
        return self._issue(issues, roster, groups, players[:byes])

    def _left(self, rounds: Sequence[JudgedRound], roster: Sequence[str]) -> list[str]:
        """Those who are not out, by slot."""
        return rounds[-1].left(set(roster)) if rounds else self._seeded(roster)

    def _seeded(self, roster: Sequence[str]) -> list[str]:
        """The entries from the highest seed to the lowest."""
        return sorted(roster, key=self._rank)

    def _rank(self, name: str) -> int:
        """The place of an entry among the named seeds, from 0; after all of them if it is not named."""
        given = self._settings.seeds
        return next((at for at, each in enumerate(given) if means(each, name)), len(given))

    def _issue(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        groups: Iterable[Iterable[str]],
        byes: Sequence[str] = (),
    ) -> IssuedWave:
        chosen = tuple(line_ups_of(self._tables, groups))
        return IssuedWave(tuple(roster), chosen, next_deal(issues), self._deals, tuple(byes))

    def _rounds(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]]
    ) -> list[JudgedRound]:
        if not issues:
            return []
        numbers = {name: seed for seed, name in enumerate(self._seeded(issues[0].roster), 1)}
        luck = {name: (self._rank(name), seeds.child(self._seed, name)) for name in numbers}
        rules = KnockoutRules(numbers, self._size, self._advance, self._settings.further, self.authors, luck)
        return judged_rounds(issues, roster, gone, counted(), rules)
