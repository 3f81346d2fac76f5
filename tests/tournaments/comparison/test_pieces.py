"""Pieces of a comparison: together they are what one machine would have played, and others are refused."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.match.terms import USUAL
from tournaments.comparison.pieces import ComparisonPiece, WrongPieces, merge_pieces, numbers
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


def merge(*pieces: ComparisonPiece) -> tuple[ComparisonPiece, dict[int, int]]:
    return merge_pieces({str(place): each for place, each in enumerate(pieces)})


def judged(piece: ComparisonPiece) -> Judge:
    judge = Judge(0.05, TwoSided(0.05))
    judge.hear(piece.deals)
    return judge


ONE_MACHINE = judged(piece(1, 1))


@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_pieces_in_any_order_give_the_verdict_after_the_deal_at_which_one_machine_stops(
    shards: int, luck: Random
) -> None:
    pieces = [piece(shard, shards) for shard in range(1, shards + 1)]
    luck.shuffle(pieces)
    merged, missing = merge(*pieces)
    assert (merged, missing) == (piece(1, 1), {})
    judge = judged(merged)
    assert (judge.finding, judge.looks, judge.digest) == (ONE_MACHINE.finding, ONE_MACHINE.looks, ONE_MACHINE.digest)


def test_nothing_counts_from_the_first_missing_deal_on_and_what_is_missing_is_said() -> None:
    cut = replace(piece(2, 4), deals=piece(2, 4).deals[:5])
    merged, missing = merge(piece(1, 4), cut, piece(3, 4))
    assert missing == {4: 3, 2: 21}
    assert [deal.number for deal in merged.deals] == [0, 1, 2]
    merged, missing = merge(piece(1, 4), cut, piece(3, 4), piece(4, 4))
    assert missing == {2: 21}
    assert [deal.number for deal in merged.deals] == [number for number in range(21) if number not in LEFT_OUT]
    assert merged.left_out == (7,)


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
        merge_pieces({"one": piece(1, 2), "two": replace(piece(2, 2), **change)})
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
