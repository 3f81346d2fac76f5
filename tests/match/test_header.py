from referee.core import seeds
from referee.match.header import header
from referee.match.transcript import Header

ROOT = seeds.from_text("7")


def made(fixture: str = "nim/a+b/deal-0/turn-0", deal: int = 0) -> Header:
    return header(
        game="nim", rules_version=1, options={}, fixture=fixture, entries=("a@1", "b@1"), root=ROOT, deal=deal
    )


def test_the_deal_hangs_on_its_number_alone() -> None:
    assert made("nim/a+b/deal-0/turn-0").deal_seed == made("nim/b+a/deal-0/turn-1").deal_seed
    assert made(deal=0).deal_seed != made(deal=1).deal_seed


def test_what_bots_are_told_hangs_on_the_fixture_and_not_on_the_deal() -> None:
    one, other = made("nim/a+b/deal-0/turn-0"), made("nim/b+a/deal-0/turn-1")
    assert one.match_id != other.match_id
    assert set(one.bot_seeds).isdisjoint(other.bot_seeds)
    assert made(deal=0).bot_seeds == made(deal=5).bot_seeds


def test_seats_have_different_seeds_of_16_bytes_and_matches_ids_of_8() -> None:
    settled = made()
    assert len({*settled.bot_seeds}) == 2
    assert {len(seed) for seed in settled.bot_seeds} == {32}
    assert len(settled.match_id) == 16


def test_the_paths_are_those_of_the_docs() -> None:
    settled = made()
    assert settled.deal_seed == seeds.child(ROOT, "deal", "0").hex()
    assert settled.bot_seeds[1] == seeds.child(ROOT, "bot", settled.fixture, "1")[:16].hex()
    assert settled.match_id == seeds.child(ROOT, "match", settled.fixture)[:8].hex()
