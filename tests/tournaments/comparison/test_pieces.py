"""Pieces of a comparison: together they are what one machine would have played, and others are refused."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.match.terms import USUAL
from tournaments.comparison.pieces import ComparisonPiece, MergedDeals, WrongPieces, check_same, missing, numbers
from tournaments.comparison.stopping_rule import DealLead, Judge, TwoSided

LIMIT = 200
DEALS = [
    DealLead(Random(number).choice([-1, 0, 0.5, 1, 1]), 2, number=number, digest=str(number)) for number in range(LIMIT)
]
LEFT_OUT = {7, 31}


def piece(shard: int, shards: int) -> ComparisonPiece:
    own = numbers(shard, shards, LIMIT)
    return ComparisonPiece(
        new="new@1",
        old="old@1",
        commits={},
        seed="5",
        bots=(("a", USUAL), ("b", USUAL)),
        conditions={"game": "nim", "clock": {"move_ms": 5}},
        shard=shard,
        shards=shards,
        limit=LIMIT,
        deals=tuple(DEALS[number] for number in own if number not in LEFT_OUT),
        left_out=tuple(number for number in own if number in LEFT_OUT),
    )


def judged(*pieces: ComparisonPiece) -> tuple[Judge, MergedDeals]:
    judge, merged = Judge(0.05, TwoSided(0.05)), MergedDeals(pieces)
    judge.hear(merged)
    return judge, merged


WHOLE, ONE_MACHINE = judged(piece(1, 1))


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_pieces_in_any_order_give_the_verdict_after_the_deal_at_which_one_machine_stops(
    shards: int, luck: Random
) -> None:
    pieces = [piece(shard, shards) for shard in range(1, shards + 1)]
    luck.shuffle(pieces)
    check_same({str(each.shard): each for each in pieces})
    judge, merged = judged(*pieces)
    assert (judge.finding, judge.looks, merged.counted) == (WHOLE.finding, WHOLE.looks, ONE_MACHINE.counted)
    assert merged.left_out == ONE_MACHINE.left_out > 0
    assert missing(pieces) == []


def test_nothing_counts_from_the_first_missing_deal_on_and_what_is_missing_is_said() -> None:
    cut = replace(piece(2, 4), deals=piece(2, 4).deals[:3])
    judge, merged = judged(piece(1, 4), cut, piece(3, 4))
    assert merged.next == 3
    assert judge.finding.verdict == "undecided"
    assert missing([piece(1, 4), cut, piece(3, 4)]) == ["piece 4 of 4", "piece 2 from deal 13 on"]
    assert f"{(1 << 40) - 6} more pieces" in missing([replace(piece(1, 4), shards=1 << 40)])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": "6"}, "two: is of another comparison than one: seed differ"),
        ({"bots": (("a", USUAL), ("c", USUAL))}, "bots differ"),
        ({"conditions": {"game": "nim", "clock": {"move_ms": 6}}}, "clock differ"),
        ({"conditions": {"game": "nim", "clock": {"move_ms": 5}, "version": "9"}}, "version differ"),
        ({"shards": 3}, "shards differ"),
        ({"limit": 300}, "limit differ"),
        ({"shard": 1}, "two: has deals that are not those of piece 1 of 2"),
        ({"left_out": (1, 3)}, "two: has deals that are not those of piece 2 of 2"),
        ({"shard": 1, "deals": (), "left_out": ()}, "two: is piece 1, as one is"),
    ],
)
def test_pieces_of_other_comparisons_and_pieces_given_twice_are_refused(
    change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(WrongPieces) as error:
        check_same({"one": piece(1, 2), "two": replace(piece(2, 2), **change)})
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        {"shards": 0},
        {"limit": 1 << 50},
        {"bots": []},
        {"deals": [{"lead": 1.5, "matches": 2}]},
        {"deals": [{"lead": 1, "matches": 2, "margin": 1e300}]},
        {"format": "other"},
    ],
)
def test_a_document_with_impossible_values_is_no_piece(change: dict[str, object]) -> None:
    document = msgspec.to_builtins(piece(1, 2)) | change
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(document), type=ComparisonPiece)


def test_a_piece_survives_its_own_document() -> None:
    assert msgspec.json.decode(msgspec.json.encode(piece(2, 3)), type=ComparisonPiece) == piece(2, 3)
