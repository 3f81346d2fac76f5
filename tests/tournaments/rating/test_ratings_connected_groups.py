from tests.tournaments.rating.leagues import solo
from tournaments.rating.contest import Contest, Member, comparisons
from tournaments.rating.ratings import groups


def met(contests: list[Contest], players: str) -> list[str]:
    kinds = [kind for contest in contests for kind in comparisons(contest)]
    return ["".join(group) for group in groups(kinds, list(players))]


def test_players_meet_directly_or_by_way_of_others() -> None:
    assert met([solo("a", "b"), solo("b", "c"), solo("e", "d")], "abcdef") == ["abc", "de", "f"]


def test_who_never_played_is_alone() -> None:
    assert met([], "ab") == ["a", "b"]


def sided(first: str, second: str) -> Contest:
    return Contest("deal", ((Member(first), Member("~one")), (Member(second), Member("~two"))), (1, 2))


def test_the_strength_of_a_side_does_not_let_players_meet() -> None:
    assert met([sided("a", "b"), sided("c", "d"), sided("a", "a")], "abcd") == ["ab", "cd"]


def test_players_who_play_against_the_same_game_meet_in_it() -> None:
    against = [Contest("deal", ((Member(player),), (Member("~game"),)), (1, 2)) for player in "ab"]
    assert met([*against, solo("c", "d")], "abcd") == ["ab", "cd"]


def test_partners_meet_each_other() -> None:
    contest = Contest("deal", ((Member("a", 0.5), Member("b", 0.5)), (Member("c", 0.5), Member("d", 0.5))), (1, 2))
    assert met([contest], "abcd") == ["abcd"]
