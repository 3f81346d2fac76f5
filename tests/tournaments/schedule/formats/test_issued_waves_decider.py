from tests.tournaments.leagues import league
from tournaments.league.model import TableSpec
from tournaments.schedule.formats.issued_waves import IssuedLineUps, IssuedWave, group_size, line_ups_of, next_deal
from tournaments.schedule.formats.wave import LineUp, Wave, spelled

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
