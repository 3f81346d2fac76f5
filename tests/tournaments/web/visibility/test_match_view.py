"""The public view of a match does not depend on hidden data."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.outcome import Outcome, Side
from referee.match.header import single
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import FaultKind, FaultMark, Metadata, Record, Remark, Spent, Transcript
from tests.tournaments.fakes import GAME
from tests.tournaments.leagues import league, plan
from tournaments.league.deals import OPEN, ClosedDeals, LeagueDeals, OwnDeals
from tournaments.league.model import Fixture, StoredMatch
from tournaments.web.visibility.match_view import FAULT_SENTENCES, SentenceView, match_seen, transcript_seen
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Permissions, Viewer, Visitor

FIXTURES = plan(league())
AUTHORS = {"ann@1": "alice", "bob@1": "bert"}
VIEWERS: list[Viewer] = [Visitor(), Assistant(), Author("alice"), Author("bert"), Author("organizer"), Organizer()]


def told(fixture: Fixture, luck: Random) -> StoredMatch:
    """A result. `luck` determines all public data."""
    places = tuple(luck.randint(1, 2) for _ in fixture.entries)
    scores = tuple(luck.randint(0, 9) for _ in fixture.entries) if luck.random() < 0.5 else None
    faults = tuple(
        FaultMark(seat, 1, luck.choice(list(FaultKind))) for seat in range(len(places)) if luck.random() < 0.3
    )
    outcome = Outcome(luck.choice(["won", "lost"]), places, (), scores)
    return StoredMatch(fixture.id, "", fixture.entries, outcome, faults, (), (), 0)


def hidden(played: StoredMatch, luck: Random) -> tuple[StoredMatch, list[Remark]]:
    """The same result with all hidden data, which `luck` determines."""
    seats = range(len(played.entries))
    sides = (Side(luck.choice("xy"), tuple(seats)),) if luck.random() < 0.5 else ()
    faults = tuple(replace(fault, decision=luck.randint(0, 9)) for fault in played.faults)
    remarks = [Remark(fault.seat, fault.decision, f"our sentence {luck.random()}", "x") for fault in faults]
    remarks += [Remark(luck.choice(seats), None, str(luck.random()), "x") for _ in range(luck.randint(0, 2))]
    whole = replace(
        played,
        digest=str(luck.random()),
        outcome=replace(played.outcome, sides=sides),
        faults=faults,
        decisions=tuple(luck.randint(0, 9) for _ in seats),
        thinking_us=tuple(luck.randint(0, 9) for _ in seats),
        stored_ms=luck.randint(0, 9),
    )
    return whole, remarks


@given(st.sampled_from(FIXTURES), st.integers(), st.integers(), st.integers(), st.sampled_from(VIEWERS[:-1]))
def test_of_an_open_match_nobody_but_the_organizer_sees_what_is_hidden(
    fixture: Fixture, shown: int, one: int, other: int, viewer: Viewer
) -> None:
    sight = Permissions(viewer, LeagueDeals(OPEN), AUTHORS)
    played = told(fixture, Random(shown))
    seen = [msgspec.json.encode(match_seen(fixture, *hidden(played, Random(world)), sight)) for world in (one, other)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    "deals",
    [
        LeagueDeals(OPEN),
        LeagueDeals(ClosedDeals(1)),
        LeagueDeals(ClosedDeals(0, 9)),
        LeagueDeals(OPEN, rehearsal=True),
        LeagueDeals(OPEN, own=OwnDeals(remote=frozenset({"ann@1"}))),
        LeagueDeals(OPEN, own=OwnDeals(frozenset({"of-2"}))),
    ],
)
def test_a_match_is_told_whole_when_its_deal_is_closed_or_to_the_organizer(deals: LeagueDeals, viewer: Viewer) -> None:
    sight = Permissions(viewer, deals, AUTHORS)
    for fixture in FIXTURES:
        played, remarks = hidden(told(fixture, Random(fixture.id)), Random(1))
        closed = deals != LeagueDeals(OPEN) and (
            deals.rehearsal
            or deals.closing.is_whole
            or (deals.closing.below > fixture.deal)
            or fixture.table in deals.own.tables
            or not deals.own.remote.isdisjoint(fixture.entries)
        )
        seen = match_seen(fixture, played, remarks, sight)
        assert (seen.closed is not None) == (closed or isinstance(viewer, Organizer))
        if seen.closed is not None:
            assert (seen.closed.digest, seen.closed.stored_ms) == (played.digest, played.stored_ms)


def test_sides_that_are_fixed_before_play_are_told_at_once() -> None:
    played, _ = hidden(told(FIXTURES[0], Random(1)), Random(1))
    played = replace(played, outcome=replace(played.outcome, sides=(Side("x", (0,)), Side("y", (1,)))))
    dealt, fixed = (Permissions(Visitor(), LeagueDeals(OPEN), AUTHORS, frozenset(tables)) for tables in ((), ("of-2",)))
    assert [seat.side for seat in match_seen(FIXTURES[0], played, (), dealt).seats] == [None, None]
    assert [seat.side for seat in match_seen(FIXTURES[0], played, (), fixed).seats] == ["x", "y"]


@given(st.integers(), st.integers(), st.sampled_from(VIEWERS[:-1]))
def test_of_an_open_match_with_dealt_sides_nobody_but_the_organizer_sees_how_it_ended(
    one: int, other: int, viewer: Viewer
) -> None:
    sight = Permissions(viewer, LeagueDeals(OPEN), AUTHORS, dealt=frozenset({"of-2"}))
    ends = [hidden(told(FIXTURES[0], Random(world)), Random(world)) for world in (one, other)]
    seen = [match_seen(FIXTURES[0], *end, sight) for end in ends]
    assert seen[0] == seen[1]
    assert (seen[0].ending, {seat.place for seat in seen[0].seats}) == (None, {None})
    assert match_seen(FIXTURES[0], *ends[0], replace(sight, viewer=Organizer())).ending is not None


@pytest.mark.parametrize("kind", FaultKind)
def test_an_author_reads_one_sentence_a_kind_of_fault_and_all_of_ours_when_the_deal_is_closed(kind: FaultKind) -> None:
    fault = FaultMark(0, 17, kind)
    played = StoredMatch(FIXTURES[0].id, "", FIXTURES[0].entries, Outcome("fault", (2, 1), ()), (fault,), (), (), 0)
    remarks = [Remark(0, 17, "index 4,294,967,295 of 3; status: my hand", "stderr")]
    for viewer in VIEWERS[:-1]:
        seen = match_seen(FIXTURES[0], played, remarks, Permissions(viewer, LeagueDeals(OPEN), AUTHORS))
        own = viewer == Author("alice") and FIXTURES[0].entries[0] == "ann@1"
        assert seen.sentences == ((SentenceView(0, FAULT_SENTENCES[kind]),) if own else ())
    assert not any(letter.isdigit() for letter in FAULT_SENTENCES[kind])
    closed = Permissions(Author("alice"), LeagueDeals(ClosedDeals(1)), AUTHORS)
    played = replace(played, decisions=(17, 3), thinking_us=(1, 2))
    assert match_seen(FIXTURES[0], played, remarks, closed).sentences == (
        SentenceView(0, "index 4,294,967,295 of 3; status: my hand", "stderr"),
    )


def transcripts() -> Iterator[Transcript]:
    header = single(GAME, GAME.options_type(), ("ann@1", "bob@1"), "7")
    record = Record(header, (), (), (), Outcome("won", (1, 2), ()))
    remarks = (Remark(0, 1, "of ann", "secret of ann"), Remark(1, 1, "of bob", "secret of bob"))
    yield Transcript(record, Metadata(Clock(), (Spent(0, 5),), remarks, ("/home/ann", "/home/bob"), "bubblewrap"))
    terms = (EntryTerms(environment={"TOKEN": "secret of the organizer"}), EntryTerms())
    yield Transcript(record, Metadata(Clock(), (Spent(0, 5),), remarks, ("/home/ann", "/home/bob"), None, terms))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_transcript_that_is_shown_has_no_place_no_terms_and_remarks_on_own_bots_alone(viewer: Viewer) -> None:
    own = {"alice": {0}, "bert": {1}}.get(viewer.name, set()) if isinstance(viewer, Author) else set()
    own = {0, 1} if isinstance(viewer, Organizer) else own
    for whole in transcripts():
        seen = transcript_seen(whole, Permissions(viewer, LeagueDeals(ClosedDeals(0, 1)), AUTHORS))
        assert (seen.record, seen.metadata.spent, seen.digest) == (whole.record, whole.metadata.spent, whole.digest)
        assert {remark.seat for remark in seen.metadata.remarks} == own
        text = msgspec.json.encode(seen).decode()
        assert "/home" not in text
        assert "organizer" not in text


def test_what_is_the_organizer_s_is_no_author_s_own_whatever_the_author_s_name() -> None:
    sight = Permissions(Author("organizer"), LeagueDeals(OPEN), AUTHORS)
    assert not sight.owns("cid@1")
    assert Permissions(Author("alice"), LeagueDeals(OPEN), AUTHORS).owns("ann@1")
    shown = Permissions(Author("bert"), LeagueDeals(OPEN), AUTHORS, display_names={"alice": "bert", "bert": "Bert Ä"})
    assert [shown.author(entry) for entry in ("ann@1", "bob@1", "cid@1")] == ["bert", "Bert Ä", "organizer"]
    assert [shown.owns(entry) for entry in ("ann@1", "bob@1", "cid@1")] == [False, True, False]  # by the name
    assert not Permissions(Visitor(), LeagueDeals(OPEN), AUTHORS).owns("ann@1")
