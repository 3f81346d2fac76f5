from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType

from tests.tournaments.leagues import league
from tournaments.league.model import TableSpec
from tournaments.league.roster import OrganizerDecisions, RosterChange
from tournaments.schedule.formats.format import Counted, NothingPlayed
from tournaments.schedule.formats.issued_waves import (
    Decider,
    IssuedLineUps,
    IssuedWave,
    IssuedWaves,
    IssuingWaves,
    RosterSnapshot,
    group_size,
    line_ups_of,
    next_deal,
)
from tournaments.schedule.formats.wave import LineUp, Wave, spelled
from tournaments.schedule.suspension import Suspension

TABLES = league().tables


class FirstTwo:
    """The first two of the roster meet, three times."""

    authors: Mapping[str, str] = {}

    def decide(
        self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
    ) -> IssuedWave | None:
        assert not self.authors
        assert not any(gone)
        assert counted() == ()
        if len(issues) == 3:
            return None
        return IssuedWave(tuple(roster), tuple(line_ups_of(TABLES, [roster[:2]])), next_deal(issues), 2)


class Book:
    """What a store does: it has a roster, and keeps waves that were decided for the roster as it is."""

    def __init__(self, *roster: str) -> None:
        self.roster = list(roster)
        self.changes = 0
        self.kept: list[IssuedWave] = []
        self.ended: list[int] = []

    def roll(self) -> RosterSnapshot:
        return RosterSnapshot(tuple(self.roster), self.changes)

    def keep(self, number: int, issue: IssuedWave, known: OrganizerDecisions) -> bool:
        if len(known.changes) == self.changes:
            assert number == len(self.kept)
            self.kept.append(issue)
        return len(known.changes) == self.changes

    def end(self, deals: int, _known: OrganizerDecisions) -> None:
        self.ended.append(deals)

    def issuing(self, issues: Sequence[IssuedWave] = (), decider: Decider = FirstTwo()) -> IssuingWaves:  # noqa: B008
        return IssuingWaves("nim", issues, decider, self.roll, self.keep, self.end)


def test_a_wave_is_decided_and_kept_when_it_is_first_asked_for_and_stands_from_then_on() -> None:
    registry = Book("ann@1", "bob@1", "cid@1")
    issuing = registry.issuing()
    first = issuing.wave(0, NothingPlayed())
    registry.roster.remove("ann@1")
    second, again = issuing.wave(1, NothingPlayed()), issuing.wave(0, NothingPlayed())
    assert first is not None
    assert second is not None
    assert again is not None
    assert list(again) == list(first)
    assert {fixture.entries for fixture in first} == {("ann@1", "bob@1"), ("bob@1", "ann@1")}
    assert {fixture.entries for fixture in second} == {("bob@1", "cid@1"), ("cid@1", "bob@1")}
    assert ([fixture.deal for fixture in first], second.deals) == ([0, 0, 1, 1], range(2, 4))
    assert [issue.roster for issue in registry.kept] == [("ann@1", "bob@1", "cid@1"), ("bob@1", "cid@1")]


def test_a_run_goes_on_with_the_waves_that_were_kept_and_a_reader_sees_just_these() -> None:
    registry = Book("ann@1", "bob@1")
    waves = [registry.issuing(registry.kept[:number]).wave(number, NothingPlayed()) for number in range(4)]
    assert waves[3] is None
    stored = registry.kept[:2]
    del registry.kept[2:]
    again, reader = registry.issuing(stored), IssuedWaves("nim", stored)
    for number, wave in enumerate(waves[:3]):
        goes_on = again.wave(number, NothingPlayed())
        assert wave is not None
        assert goes_on is not None
        assert list(goes_on) == list(wave)
    assert [reader.wave(number, NothingPlayed()) is None for number in range(4)] == [False, False, True, True]


def test_it_is_told_when_the_last_wave_has_ended_up_to_which_deal_and_not_before() -> None:
    registry = Book("ann@1", "bob@1")
    issuing = registry.issuing()
    for number in range(3):
        issuing.wave(number, NothingPlayed())
    assert registry.ended == []
    issuing.wave(3, NothingPlayed())
    assert registry.ended == [6]


def test_a_bot_that_is_suspended_is_in_no_later_wave() -> None:
    class OneSuspended(NothingPlayed):
        suspensions: Mapping[str, Suspension] = MappingProxyType({"bob@1": Suspension("bob@1", 5, 5, 5)})

    registry = Book("ann@1", "bob@1", "cid@1")
    registry.issuing().wave(0, OneSuspended())
    assert [issue.roster for issue in registry.kept] == [("ann@1", "cid@1")]


def test_a_wave_that_was_decided_for_a_roster_of_before_is_not_issued_and_is_decided_again() -> None:
    registry = Book("ann@1", "bob@1", "cid@1")

    class Slow(FirstTwo):
        """While it decides for the first time, the first of the roster leaves."""

        def decide(
            self, issues: Sequence[IssuedWave], roster: Sequence[str], counted: Counted, gone: Sequence[Set[str]] = ()
        ) -> IssuedWave | None:
            if registry.changes == 0:
                registry.changes = 1
                registry.roster.remove("ann@1")
            return super().decide(issues, roster, counted, gone)

    class OneLeft(NothingPlayed):
        decisions = OrganizerDecisions((RosterChange("ann@1", None, 0, 5),))

    issuing = registry.issuing(decider=Slow())
    assert issuing.wave(0, NothingPlayed()) is None
    assert issuing.wave(0, NothingPlayed()) is None
    wave = issuing.wave(0, OneLeft())
    assert wave is not None
    assert {entry for fixture in wave for entry in fixture.entries} == {"bob@1", "cid@1"}
    assert [issue.roster for issue in registry.kept] == [("bob@1", "cid@1")]


PAIR = TableSpec("b-pair", 2, {})
PARTNERS = TableSpec("a-partners", 4, {}, "teams", ((0, 2), (1, 3)))


def test_a_wave_s_deals_follow_those_of_the_wave_before() -> None:
    assert next_deal([]) == 0
    assert next_deal([IssuedWave((), (), 0, 3), IssuedWave((), (), 3, 4)]) == 7


def test_a_table_is_filled_by_a_bot_for_each_seat_or_for_each_side() -> None:
    assert (group_size(PAIR), group_size(PARTNERS)) == (2, 2)
    assert group_size(TableSpec("alone", 4, {}, "distinct", ((0, 2), (1, 3)))) == 4


def test_groups_play_at_every_table_in_every_turn() -> None:
    assert list(line_ups_of([PAIR, PARTNERS], [("bob", "ann")])) == [
        LineUp("a-partners", ("ann", "bob", "ann", "bob"), 0),
        LineUp("a-partners", ("bob", "ann", "bob", "ann"), 1),
        LineUp("b-pair", ("ann", "bob"), 0),
        LineUp("b-pair", ("bob", "ann"), 1),
    ]


def test_a_listed_wave_finds_its_fixtures_by_their_ids_and_no_others() -> None:
    line_ups = list(line_ups_of(league().tables, [("ann@1", "bob@1"), ("cid@1", "dan@1")]))
    wave = Wave("nim", IssuedLineUps(line_ups), range(6, 8))
    fixtures = list(wave)
    assert len(fixtures) == len(wave) == 2 * len(line_ups)
    assert [wave.find(spelled(fixture.id)) for fixture in fixtures] == list(enumerate(fixtures))
    assert wave.find(spelled(fixtures[0].id.replace("bob@1", "dan@1"))) is None
    assert wave.find(spelled(fixtures[0].id.replace("deal-6", "deal-5"))) is None
