"""Plays a search for better values of a bot's parameters.

Each round is a league of its own in one store: some steps of the search, each a deal on which two versions of the bot
meet each other, or the same others. So every round is stored and resumed as leagues are, and the course of the search
follows from what is stored.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from referee.core import seeds
from referee.files.manifest import VALUE, BotParameter
from referee.match.terms import EntryTerms
from tournaments.comparison.compare import Comparison
from tournaments.comparison.match_plan import GrowingWaves
from tournaments.comparison.spsa import Spsa, Values
from tournaments.comparison.stopping_rule import DealLeads
from tournaments.league.model import Entry, League
from tournaments.play.environment import Environment
from tournaments.play.run import open_run
from tournaments.schedule.formats.issued_waves import IssuedLineUps

STEPS_A_ROUND = 8
"""So many pairs of versions play at once, with any number of workers: the course must not depend on the machine."""


class Tuning:
    """A search under way.

    Attributes:
        name: a digest of all that it depends on.
        course: the values after each round, the first ones included.
    """

    def __init__(
        self, base: Comparison, parameters: Mapping[str, BotParameter], terms: EntryTerms, deals: int, gain: float
    ) -> None:
        """Begin with the present values.

        Args:
            base: compares the bot with itself under the conditions of the search, with a seed; others may follow.
            parameters: the parameters, by name.
            terms: the other terms on which the bot plays.
            deals: how many deals the search has, at most.
            gain: as `Spsa` takes it.
        """
        self._league = base.league
        self._parameters = parameters
        self._terms = terms
        self._deals = deals
        identity = base.league.name, parameters, deals, gain
        self.name = hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:12]
        start = tuple((each.value - each.low) / (each.high - each.low) for each in parameters.values())
        least = tuple(each.step / (each.high - each.low) for each in parameters.values())
        seed = seeds.child(bytes.fromhex(base.league.seed or ""), "tune")
        self._search = Spsa(start, least, deals, gain, seed)
        self.course = [start]

    def rounds(self, url: str, machine: Environment) -> Iterator[int]:
        """Play the rounds that remain; after each, give the number of deals so far.

        Raises:
            LockHeld, FileProblems, StoreError, WorkersFail, BotsUnreachable, MachineBusy: as `open_run` and `Run.play`.
        """
        for first in range(0, self._deals, STEPS_A_ROUND):
            steps = range(first, min(first + STEPS_A_ROUND, self._deals))
            self._search.take(list(self._leads(steps, url, machine)))
            self.course.append(self._search.values)
            yield steps.stop

    def values(self, place: Values) -> dict[str, str]:
        """The values of the parameters at a point of the course, as the bot gets them."""
        return {name: each.at(at) for (name, each), at in zip(self._parameters.items(), place, strict=True)}

    def terms(self, place: Values) -> EntryTerms:
        """The terms on which a version plays."""
        values = self.values(place)
        words = (each.argument.replace(VALUE, values[name]) for name, each in self._parameters.items())
        variables = {each.environment: values[name] for name, each in self._parameters.items() if each.environment}
        environment = dict(sorted((self._terms.environment | variables).items()))
        return replace(self._terms, arguments=(*self._terms.arguments, *filter(None, words)), environment=environment)

    def _leads(self, steps: range, url: str, machine: Environment) -> Iterator[tuple[int, float]]:
        """For each step whose matches all count, the lead of its first version. All steps of a round share a deal."""
        number = steps.start // STEPS_A_ROUND
        pairs = {step: self._entries(step) for step in steps}
        others = self._league.entries[2:]
        leagues = {step: replace(self._league, entries=(*pair, *others)) for step, pair in pairs.items()}
        line_ups = {step: Comparison(league, alike=False, contents={}).line_ups for step, league in leagues.items()}
        everybody = (*chain.from_iterable(pairs.values()), *others)
        league = replace(self._league, name=f"{self.name}-{number}", entries=everybody)
        together = IssuedLineUps([line_up for each in line_ups.values() for _, line_up in each.numbered()])
        format_ = GrowingWaves(league.game, together, range(number, number + 1))
        with open_run(league, url, machine, format_) as run:
            for _ in run.play():
                pass
            for step, (one, other) in pairs.items():
                deals = DealLeads(one.name, other.name, [(number, len(line_ups[step]))])
                for fixture, played in run.results.state.counted():
                    if {one.name, other.name}.intersection(fixture.entries):
                        deals.settle(fixture, played.outcome, played.offenders)
                yield from ((step, deal.lead) for deal in deals.ready())

    def _entries(self, step: int) -> tuple[Entry, Entry]:
        bot = self._league.entries[0]
        one, other = (self.terms(place) for place in self._search.versions(step))
        return (
            replace(bot, name=f"up-{step}-{bot.answers_to}", terms=one),
            replace(bot, name=f"down-{step}-{bot.answers_to}", terms=other),
        )


def with_terms(base: Comparison, terms: Sequence[EntryTerms], seed: str) -> League:
    """The comparison of two versions of a bot on other deals, without its name."""
    new, old, *others = base.league.entries
    pair = (replace(new, terms=terms[0]), replace(old, terms=terms[1]))
    return replace(base.league, name="", entries=(*pair, *others), seed=seed)
