"""Every picture of Inside Job, for every viewer, with every choice of roles and talk."""

import re
from functools import lru_cache
from itertools import product

import pytest

from referee.core.outcome import FAULT, Seat
from referee.drawing.columns import BLOCK_WIDTH
from referee.drawing.drawer import Layer, Layers, Moment
from referee.drawing.inside_job.drawer import drawer
from referee.drawing.inside_job.layout import BAND_HEIGHT, block
from referee.drawing.look import fitted
from referee.drawing.playback import Playback, ViewerMoment, by_everyone, by_seat
from referee.drawing.svg import Element, markup
from referee.games.inside_job.cast import fitting_seats
from referee.games.inside_job.common import Common
from referee.games.inside_job.moves import Accused, Judged, PlayCard, Suspected, Voted, WonTrick
from referee.games.inside_job.options import Options, choices_of_roles
from referee.games.inside_job.pieces import VALUE
from referee.games.inside_job.roles import ROLES
from tests.drawing.inside_job.geometry import overlaps, shapes, texts
from tests.drawing.matches import DRAWN_GOLDEN, golden_match, random_match, watched
from tests.golden.tables import Golden, GoldenTable

HOSTILE = (
    "</text><script>alert(1)</script>",
    "W" * 80,
    "\u202e\u05d0\u05d1\u05d2\u05d3" * 10,
    "seat 0\nseat 1 wins",
    "\U0001f480\ufdfd\u4e2d" * 20,
)


def table(seats: int, **options: object) -> GoldenTable:
    found = Options(**options)  # type: ignore[arg-type]  # any of its fields
    return GoldenTable(f"{seats}-{found.roles}-{found.talk}", found, seats, ())


QUICK = (
    table(3, talk="every_trick"),
    table(4, roles="daredevil,accomplice", talk="none"),
    table(5, roles="paranoid,decoy"),
)
EVERY = tuple(
    table(seats, roles=roles, talk=talk)
    for roles, talk in product(choices_of_roles(), ("none", "before_vote", "every_trick"))
    for seats in fitting_seats(roles)
)
FAULTS = [golden for golden in DRAWN_GOLDEN if (golden.game, golden.ending) == ("inside-job", FAULT)]
every_quick_table = pytest.mark.parametrize("at", QUICK, ids=lambda it: it.name, scope="module")
"""All tests of a table come together, so that mostly one process draws its pictures."""
every_table = [
    *(pytest.param(it, id=it.name) for it in QUICK),
    *(pytest.param(it, id=it.name, marks=pytest.mark.slow) for it in EVERY if it not in QUICK),
]


@lru_cache(4)
def match(at: GoldenTable, seed: int = 7) -> Playback:
    return watched(random_match("inside-job", at, seed, HOSTILE[: at.seats]))


Pictures = list[tuple[Seat | None, ViewerMoment, Layers]]


@lru_cache(4)
def pictures(at: GoldenTable, seed: int = 7) -> Pictures:
    """Every picture of a match with its viewer: None sees everything."""
    played = match(at, seed)
    whole = [(None, sight, drawer.whole(sight.moment)) for sight in by_everyone(played)]
    seats = range(played.seats)
    return whole + [(seat, sight, drawer.for_seat(sight.moment)) for seat in seats for sight in by_seat(played, seat)]


def layer(layers: Layers, name: str) -> str:
    """The markup of one layer."""
    (found,) = (it for it in layers if it.name == name)
    return markup(found.inside)


def common(moment: Moment[object]) -> Common:
    found: Common = moment.position.common  # type: ignore[attr-defined]  # of a state and of a view
    return found


def attributes(layers: Layers) -> list[dict[str, str]]:
    return [found for layer in layers for found in _attributes(layer)]


@lru_cache(1000)
def _attributes(layer: Layer) -> list[dict[str, str]]:
    """Those of a layer. Most layers of a match are drawn in many of its moments."""
    found, waiting = [], list(layer.inside)
    while waiting:
        element = waiting.pop()
        found.append(dict(element.attributes))
        waiting += [part for part in element.inside if isinstance(part, Element)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("at", every_table)
def test_no_words_overlap_and_nothing_lies_outside_whatever_the_players_are_called(at: GoldenTable) -> None:
    size = drawer.size(at.options, at.seats)
    looked_at = set[Layer]()
    for layers in dict.fromkeys(layers for _, _, layers in pictures(at)):
        words, new = texts(layers), tuple(it for it in layers if it not in looked_at)
        assert overlaps(words) == []
        assert [it for it in (*words, *shapes(new)) if not it.inside(size)] == []
        looked_at.update(new)


@pytest.mark.parametrize("golden", FAULTS, ids=str)
def test_where_a_fault_ends_a_match_while_all_are_asked_the_result_lies_on_nothing(golden: Golden) -> None:
    played = watched(golden_match(golden))
    size = drawer.size(played.options, played.seats)
    *_, last = by_everyone(played)
    ends = [drawer.whole(last.moment)]
    for seat in range(played.seats):
        *_, last = by_seat(played, seat)
        ends.append(drawer.for_seat(last.moment))
    for layers in ends:
        assert overlaps(texts(layers)) == []
        assert [it for it in texts(layers) if not it.inside(size)] == []


@pytest.mark.slow
@every_quick_table
def test_the_table_has_the_colour_of_a_suit_only_while_the_shape_of_the_suit_is_shown_with_its_mission(
    at: GoldenTable,
) -> None:
    """Nobody needs the colour. The browser tests let this pass, of all that colour alone tells apart."""
    tinted = 0
    for _, _, layers in pictures(at):
        for suit in re.findall(r'class="ij-on-(\w+)"', layer(layers, "felt")):
            assert f'class="ij-{suit}"' in layer(layers, "centre") + layer(layers, "judged")
            tinted += 1
    assert tinted


@pytest.mark.slow
@every_quick_table
def test_cards_lie_beside_the_middle_of_the_table_and_what_a_player_has_lies_in_its_band(at: GoldenTable) -> None:
    looked_at = set[Layer]()
    for _, _, layers in pictures(at):
        new = {it.name: shapes((it,)) for it in layers if it not in looked_at}
        looked_at.update(layers)
        for name, found in new.items():
            if name.startswith(("head-", "hand-")):
                left, top = block(int(name[-1]))
                assert all(top <= it.top and it.bottom <= top + BAND_HEIGHT for it in found)
                assert all(left <= it.left and it.right <= left + BLOCK_WIDTH for it in found)
        if "centre" in new:
            cards = [box for it in layers if it.name.startswith("laid-") for box in shapes((it,))]
            assert not [(one, other) for one in new["centre"] for other in cards if one.meets(other)]


@pytest.mark.slow
@every_quick_table
def test_every_legal_action_of_the_one_seat_that_is_asked_has_something_that_stands_for_it(at: GoldenTable) -> None:
    asked = 0
    for _, sight, layers in pictures(at):
        if len(sight.moment.questions) == 1:
            (question,) = sight.moment.questions
            standing = {int(number) for it in attributes(layers) for number in it.get("data-actions", "").split()}
            assert standing == set(range(len(question.legal)))
            asked += 1
    assert asked


@pytest.mark.slow
@every_quick_table
def test_a_card_stands_for_being_played_with_a_token_and_without_and_the_tokens_for_all_that_take_one(
    at: GoldenTable,
) -> None:
    wagers = 0
    for _, sight, layers in pictures(at):
        for question in sight.moment.questions:
            if not isinstance(question.legal[0], PlayCard):
                continue
            standing = [it["data-actions"] for it in attributes(layers) if "data-actions" in it]
            ways = [
                [index for index, action in enumerate(question.legal) if action.card == card]
                for card in sorted({action.card for action in question.legal})
            ]
            tokens = [index for index, action in enumerate(question.legal) if action.wager]
            wagers += len(tokens)
            expected = [*ways, tokens] if tokens else ways
            assert sorted(standing) == sorted(" ".join(map(str, indices)) for indices in expected)
    assert wagers


@pytest.mark.slow
@every_quick_table
def test_a_trick_that_is_over_is_drawn_whole_with_its_winner_and_its_verdict(at: GoldenTable) -> None:
    tricks = 0
    for _, sight, layers in pictures(at):
        won = [event for event in sight.moment.events if isinstance(event, WonTrick)]
        judged = [event for event in sight.moment.events if isinstance(event, Judged)]
        if won:
            tricks += 1
            laid = [layer(layers, f"laid-{seat}") for seat in range(at.seats)]
            assert all(laid)
            assert [seat for seat in range(at.seats) if "ij-best" in laid[seat]] == [won[0].seat]
            assert f"{judged[0].mission} {'completed' if judged[0].completed else 'failed'}" in layer(layers, "centre")
    assert tricks >= 4 * (at.seats + 1)


@every_quick_table
def test_a_seat_sees_its_own_hand_open_and_of_the_others_how_many_cards_they_have(at: GoldenTable) -> None:
    played = match(at)
    for viewer, sight, layers in pictures(at):
        if viewer is None:
            continue
        state = played.passages[sight.passage].state
        for seat, held in enumerate(state.hands):
            drawn = layer(layers, f"hand-{seat}")
            if seat == viewer:
                assert all(f">{VALUE[card]}</text>" in drawn for card in held)
                assert "ij-edges" not in drawn
            elif held:
                assert f">{len(held)}</text>" in drawn
                assert drawn.count("<text") == 1


@every_quick_table
def test_a_role_is_named_to_those_who_know_it_and_dashed_until_all_do(at: GoldenTable) -> None:
    played = match(at)
    for viewer, sight, layers in pictures(at):
        state = played.passages[sight.passage].state
        if state.phase == "roles":
            continue
        for seat, role in enumerate(state.roles):
            head = layer(layers, f"head-{seat}")
            is_open = state.common.seats[seat].role is not None or (state.phase == "over")
            partner = viewer is not None and ROLES[state.roles[viewer]].chooses_partner and seat == state.common.partner
            knows = is_open or viewer in {None, seat} or partner
            assert (f">{ROLES[role].name}</text>" in head) == knows
            assert ("role hidden" in head) != knows
            assert ("ij-secret" in head) == (knows and not is_open)


@every_quick_table
def test_an_arrow_goes_to_everybody_who_is_named_and_the_accused_have_an_outline(at: GoldenTable) -> None:
    votes = 0
    for _, sight, layers in pictures(at):
        arrows, said = layer(layers, "felt"), list[str]()
        names = [markup(fitted(name, 240)) for name in sight.moment.names]
        for event in sight.moment.events:
            if isinstance(event, Suspected) and event.suspect is not None:
                said.append(f"<title>{names[event.seat]} suspects {names[event.suspect]}</title>")
            elif isinstance(event, Voted):
                voter = names[event.seat]
                said += [f"<title>{voter} votes for {names[named]}</title>" for named in event.ballots]
        assert arrows.count("<title>") == len(said)
        assert all(arrows.count(words) == said.count(words) for words in said)
        votes += any(isinstance(event, Voted) for event in sight.moment.events)
        accused = [event.seats for event in sight.moment.events if isinstance(event, Accused)]
        assert layer(layers, "turns").count("ij-accused") == sum(map(len, accused))
    assert votes == 1 + at.seats


@every_quick_table
def test_the_numbers_of_tricks_missions_and_tokens_are_those_of_the_position(at: GoldenTable) -> None:
    for _, sight, layers in pictures(at):
        known, standing = common(sight.moment), layer(layers, "standing")
        assert f">{len(known.completed)} of " in standing
        assert f">supply {known.supply}<" in standing
        assert layer(layers, "judged").count("<text") == len(known.completed) + len(known.failed)
        for seat, own in enumerate(known.seats):
            tokens = layer(layers, f"tokens-{seat}")
            coins = tokens.count("ij-coin")
            assert coins == own.tokens or (coins == 1 and f">{own.tokens}</text>" in tokens)


@every_quick_table
def test_at_the_end_the_winners_are_marked_and_the_result_is_told(at: GoldenTable) -> None:
    ends = [(sight, layers) for _, sight, layers in pictures(at) if sight.moment.outcome is not None]
    assert len(ends) == 1 + at.seats
    for sight, layers in ends:
        assert sight.moment.outcome is not None
        marked = [">wins</text>" in layer(layers, f"head-{seat}") for seat in range(at.seats)]
        assert marked == [place == 1 for place in sight.moment.outcome.places]
        assert "ij-result" in layer(layers, "centre")
