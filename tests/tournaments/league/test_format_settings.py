import pytest

from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
    WrongSettings,
    settings_of,
)


@pytest.mark.parametrize(
    ("raw", "settings"),
    [
        ({}, BalancedSettings()),
        ({"matches": 500}, BalancedSettings(500)),
        ({"kind": "round-robin"}, BalancedSettings()),
        ({"kind": "gauntlet", "challengers": ["ann", "bob@2"]}, GauntletSettings(("ann", "bob@2"))),
        ({"kind": "swiss"}, SwissSettings()),
        ({"kind": "swiss", "rounds": 7}, SwissSettings(7)),
        ({"kind": "knockout", "seeds": ["ann"], "advance": 2, "further": 0}, KnockoutSettings(("ann",), 2, 0)),
        ({"kind": "open", "uncertainty": 1, "random": 0.5}, OpenSettings(uncertainty=1.0, random=0.5)),
    ],
)
def test_the_keys_of_a_format_are_read(raw: dict[str, object], settings: Settings) -> None:
    assert settings_of(raw) == settings


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"kind": "ladder"}, "kind: 'ladder' is not known; allowed: round-robin, gauntlet, swiss, knockout, open"),
        ({"kind": 3}, "kind: 3 is not known; allowed: round-robin, gauntlet, swiss, knockout, open"),
        ({"kind": "swiss", "round": 3}, "round: not a key of a swiss league; allowed: kind, rounds"),
        ({"rounds": 3}, "rounds: not a key of a round-robin league; allowed: kind, matches"),
        ({"kind": "swiss", "rounds": 0}, "rounds: expected int >= 1"),
        ({"kind": "swiss", "rounds": "many"}, "rounds: expected int | null, got str"),
        ({"kind": "gauntlet"}, "challengers: this key is missing"),
        ({"kind": "gauntlet", "challengers": "ann"}, "challengers: expected array, got str"),
        ({"kind": "gauntlet", "challengers": [1]}, "challengers[0]: expected str, got int"),
        ({"kind": "open", "random": 1.5}, "random: expected float <= 1.0"),
    ],
)
def test_what_is_wrong_is_one_sentence_that_begins_with_the_key(raw: dict[str, object], sentence: str) -> None:
    with pytest.raises(WrongSettings) as wrong:
        settings_of(raw)
    assert str(wrong.value) == sentence
