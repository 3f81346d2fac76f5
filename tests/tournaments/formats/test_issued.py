from collections.abc import Sequence

from tests.tournaments.leagues import league
from tournaments.formats.format import Counted
from tournaments.formats.issue import Issue, line_ups_of, next_deal
from tournaments.formats.issued import Issued, Issuing

TABLES = league().tables


class FirstTwo:
    """The first two of the roster meet, three times."""

    def decide(self, issues: Sequence[Issue], roster: Sequence[str], counted: Counted) -> Issue | None:
        assert counted() == ()
        if len(issues) == 3:
            return None
        return Issue(tuple(roster), tuple(line_ups_of(TABLES, [roster[:2]])), next_deal(issues), 2)


def test_a_wave_is_decided_and_kept_when_it_is_first_asked_for_and_stands_from_then_on() -> None:
    roster, kept = ["ann@1", "bob@1", "cid@1"], list[tuple[int, Issue]]()
    issuing = Issuing("nim", [], FirstTwo(), lambda: tuple(roster), lambda number, issue: kept.append((number, issue)))
    first = issuing.wave(0, tuple)
    roster.remove("ann@1")
    second, again = issuing.wave(1, tuple), issuing.wave(0, tuple)
    assert first is not None
    assert second is not None
    assert again is not None
    assert list(again) == list(first)
    assert {fixture.entries for fixture in first} == {("ann@1", "bob@1"), ("bob@1", "ann@1")}
    assert {fixture.entries for fixture in second} == {("bob@1", "cid@1"), ("cid@1", "bob@1")}
    assert ([fixture.deal for fixture in first], second.deals) == ([0, 0, 1, 1], range(2, 4))
    assert [number for number, _ in kept] == [0, 1]


def test_a_run_goes_on_with_the_waves_that_were_kept_and_a_reader_sees_just_these() -> None:
    roster = ("ann@1", "bob@1")
    kept: list[Issue] = []
    issuing = Issuing("nim", [], FirstTwo(), lambda: roster, lambda _number, issue: kept.append(issue))
    waves = [issuing.wave(number, tuple) for number in range(4)]
    assert waves[3] is None
    again = Issuing("nim", kept[:2], FirstTwo(), lambda: roster, lambda _number, issue: kept.append(issue))
    reader = Issued("nim", kept[:2])
    for number, wave in enumerate(waves[:3]):
        goes_on = again.wave(number, tuple)
        assert wave is not None
        assert goes_on is not None
        assert list(goes_on) == list(wave)
    assert kept[3:] == kept[2:3]
    assert [reader.wave(number, tuple) is None for number in range(4)] == [False, False, True, True]
