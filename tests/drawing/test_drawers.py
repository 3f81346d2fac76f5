"""Every drawer keeps the rules of `Drawer` that can be seen without a browser."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints
from xml.etree import ElementTree

import pytest

from referee.core.outcome import FAULT
from referee.drawing.drawer import AnyDrawer, LandscapeDrawer, Layers, Moment
from referee.drawing.look import COLOURS, WIDTH, width_of
from referee.drawing.playback import Playback, ViewerMoment, by_everyone, by_seat, watch
from referee.drawing.registry import drawer
from referee.drawing.svg import Element, markup
from referee.drawing.words_drawer import WordsDrawer
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Close, Match, Open
from referee.match.transcript import Transcript
from referee.wire.registry import games
from tests.auction import CLOCK, Auction, auction_header
from tests.drawing.matches import DRAWN_GOLDEN, EVERY_CHOICE, QUICK, drawn_games, golden_match, watched
from tests.golden.tables import Golden

AUCTION = Auction()

every_golden = pytest.mark.parametrize(
    "golden",
    [pytest.param(it, id=str(it), marks=() if it in QUICK else pytest.mark.slow) for it in DRAWN_GOLDEN],
)
every_drawn_game = pytest.mark.parametrize("game", drawn_games())


def test_every_installed_game_is_drawn() -> None:
    assert set(drawn_games()) == set(games())


@every_drawn_game
def test_every_ending_is_among_the_matches_that_are_stepped_through_and_so_is_a_fault(game: str) -> None:
    assert {golden.ending for golden in DRAWN_GOLDEN if golden.game == game} == {*games()[game].game.endings, FAULT}


@every_drawn_game
def test_every_option_and_number_of_players_is_among_the_matches_that_are_stepped_through(game: str) -> None:
    """A field of few values has all of them; of another, such as a list of roles, all that are worth trying."""
    rules, tables = games()[game].game, EVERY_CHOICE[game]
    for field, type_ in get_type_hints(rules.options_type).items():
        tried = {getattr(table.options, field) for table in tables}
        assert tried >= {getattr(options, field) for options in rules.varieties}
        assert tried >= ({False, True} if type_ is bool else set(get_args(type_)) if is_literal(type_) else set())
        assert len(tried) > 1
    for options in rules.varieties:
        assert {table.seats for table in tables if table.options == options} == set(rules.seats(options))


def is_literal(type_: Any) -> bool:
    return get_origin(type_) is Literal


def seen(played: Playback, by: AnyDrawer) -> list[tuple[ViewerMoment, Layers]]:
    """Everything that is drawn of a match."""
    whole = [(sight, by.whole(sight.moment)) for sight in by_everyone(played)]
    return whole + [(it, by.for_seat(it.moment)) for seat in range(played.seats) for it in by_seat(played, seat)]


@lru_cache(100_000)
def attributes(element: Element) -> tuple[dict[str, str], ...]:
    """Those of an element and of all in it. They are held to the rules that need nothing else."""
    ElementTree.fromstring(markup(element))  # noqa: S314 - it is ours
    found = tuple(within(element))
    assert not {"fill", "stroke", "font-size"} & {name for it in found for name in it}
    return found


def within(element: Element) -> Iterator[dict[str, str]]:
    yield dict(element.attributes)
    for part in element.inside:
        if isinstance(part, Element):
            yield from within(part)


@every_golden
def test_every_moment_of_every_viewer_is_drawn_by_the_rules(golden: Golden) -> None:
    by, played = drawer(games()[golden.game].game), watched(golden_match(golden))
    size = by.size(played.options, played.seats)
    assert size.width == WIDTH
    places = set[tuple[str, ...]]()
    for sight, layers in seen(played, by):
        places.add(tuple(layer.name for layer in layers))
        drawn = [it for layer in layers for element in layer.inside for it in attributes(element)]
        check_pieces(drawn)
        check_actions(sight, drawn)
    assert len(places) == 1


@every_golden
def test_a_landscape_picture_names_a_place_for_each_layer_and_is_wider_than_high(golden: Golden) -> None:
    by, played = drawer(games()[golden.game].game), watched(golden_match(golden))
    assert isinstance(by, LandscapeDrawer)
    size, moves = by.landscape(played.options, played.seats)
    assert moves.keys() == {layer.name for layer in seen(played, by)[0][1]}
    assert size.width >= 1.4 * size.height
    assert all(float(scale) >= 1 for move in moves.values() for scale in re.findall(r"scale\((.*)\)", move))


def check_pieces(attributes: list[dict[str, str]]) -> None:
    pieces = [it["data-piece"] for it in attributes if "data-piece" in it]
    assert len(pieces) == len(set(pieces))


def check_actions(sight: ViewerMoment, attributes: list[dict[str, str]]) -> None:
    """Indices of legal actions only; and what stands for the chosen one, and nothing else, is marked as chosen."""
    standing = [it for it in attributes if "data-actions" in it]
    if len(sight.moment.questions) != 1:
        assert not standing
        return
    (question,) = sight.moment.questions
    for it in standing:
        indices = [int(index) for index in it["data-actions"].split()]
        assert indices == sorted(set(indices))
        assert set(indices) <= set(range(len(question.legal)))
        assert ("chosen" in it.get("class", "").split()) == (question.chosen in indices)


@every_drawn_game
def test_a_style_sheet_names_colours_of_the_tokens_only_and_cannot_leave_its_element(game: str) -> None:
    style = drawer(games()[game].game).style
    assert set(re.findall(r"var\(--([\w-]+)\)", style)) <= {*COLOURS, "seat"}
    assert not re.search(r"#[0-9a-fA-F]{3}|rgb|hsl|url|import|</|font-size:(\d|1[0-3])px", style)


@every_drawn_game
def test_a_registered_drawer_is_of_an_installed_game(game: str) -> None:
    assert game in games()


def test_a_game_that_nobody_draws_is_drawn_in_words() -> None:
    by, played = drawer(AUCTION), watch(AUCTION, auction_match())
    layers = [each for _, each in seen(played, by)]
    told = markup([element for layer in layers[-1] for element in layer.inside])
    assert {tuple(layer.name for layer in each if layer.inside) for each in layers} == {("words",)}
    assert "View(seat=1" in told
    assert by.size(played.options, 2).width == WIDTH


def test_more_words_than_fit_are_cut_and_none_leaves_the_picture() -> None:
    by = WordsDrawer(Talkative())
    size = by.size(None, 2)
    *_, layer = by.for_seat(Moment(None, ("a", "b"), None, "x", (), (), None))
    drawn = [(dict(line.attributes), str(line.inside[0])) for line in layer.inside]
    assert drawn[-1][1] == "…"
    assert all(float(place["y"]) < size.height for place, _ in drawn)
    assert all(float(place["x"]) + width_of(words) <= size.width for place, words in drawn)


class Talkative(Auction):
    def describe_view(self, view: Any) -> str:
        return "\n".join(f"  {'a long line of many words ' * 20}{'letters' * 40}" for _ in str(view) * 30)


def auction_match() -> Transcript:
    """A match of a game that no package draws."""
    match = Match(AUCTION, auction_header(), CLOCK)
    for request in match:
        match.reply({Open: Ready(), Ask: Chosen(1), Close: None}[type(request)])
    return match.transcript()
