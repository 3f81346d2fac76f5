"""Tables for people over HTTP: a visitor without a browser plays whole matches; hostile requests change nothing."""

import asyncio
import re
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from referee.match.replay import verify
from referee.match.transcript import from_file
from referee.wire.registry import game_entry
from tests.tournaments.web.visitors.puppets import SEATS, TERMS, tables_service
from tests.tournaments.web.visitors.visitor import HOST, PLACE, Event, Got, Stream, Visitor, visitor_at
from tournaments.league.service_terms import VisitorTerms
from tournaments.web.service import event_streams
from tournaments.web.service.requests import LONGEST_BODY
from tournaments.web.visitors.tables_rpc import TablesClient

T = TypeVar("T")
every_game = pytest.mark.parametrize("game", tuple(SEATS))


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


def visitor_of(tmp_path: Path, terms: VisitorTerms = TERMS) -> Visitor:
    return visitor_at(tables_service(tmp_path, terms))


def form(game: str, persons: int = 1, **more: str) -> dict[str, str]:
    """As a browser sends it: also the fields that the form left unchanged."""
    fields = {"league": f"{game}-league", "name": "ann"}
    fields |= {f"seat.{seat}": "~" if seat < persons else "puppet@person" for seat in range(SEATS[game])}
    fields |= {f"seat.{seat}": "" for seat in range(SEATS[game], 6)}
    return fields | more


async def opened(visitor: Visitor, game: str, persons: int = 1, **more: str) -> str:
    got = await visitor.send_form("/tables", form(game, persons, **more))
    assert got.status == 303, got.text
    return got.headers["location"].removeprefix(f"{PLACE}/at/")


async def play(visitor: Visitor, key: str, seed: str, lose_connection_after: int = 10_000) -> list[Any]:
    """Play at a seat to its end, with a new connection now and then. Returns the data of all events."""
    rng, told = Random(seed), list[Any]()
    while not told or told[-1]["setting"]["phase"] not in {"over", "void"}:
        async with visitor.stream(f"/at/{key}/news") as stream:
            for _ in range(lose_connection_after):
                event = await stream.next()
                if event is None:
                    break
                assert event.name == "news"
                told.append(event.data)
                shown = event.data["shown"]
                if event.data["left_ms"] is not None and shown and shown[-1]["decision"]:
                    index = rng.randrange(len(shown[-1]["legal"]))
                    got = await visitor.choose(key, shown[-1]["decision"], index)
                    assert got.status == 204, got.text
    return told


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.slow if game == "inside-job" else ()) for game in SEATS]
)
def test_a_visitor_opens_a_table_plays_to_the_end_and_takes_the_match_home(tmp_path: Path, game: str) -> None:
    async def test() -> tuple[list[Any], Got, Got]:
        visitor = visitor_of(tmp_path)
        key = await opened(visitor, game)
        page = await visitor.get(f"/at/{key}")
        assert page.status == 200
        told = await play(visitor, key, "whole")
        return told, await visitor.get(f"/at/{key}/match.json"), await visitor.get(f"/at/{key}/replay")

    told, match, replay = run(test())
    shown = [it for each in told for it in each["shown"]]
    assert [it["number"] for it in shown] == list(range(len(shown)))
    assert shown[-1]["result"]
    assert all(it["board"] or it["layers"] or it["chose"] or not it["number"] for it in shown if it["decision"])
    transcript, digest = from_file(match.body)
    assert transcript.digest == digest
    verify(game_entry(game).game, transcript)
    assert match.headers["content-disposition"] == 'attachment; filename="match.json"'
    assert "~ann" in replay.text
    assert str(tmp_path) not in match.text + replay.text


def test_who_has_the_address_of_a_match_that_is_over_watches_it_also_when_its_table_is_gone(tmp_path: Path) -> None:
    async def test() -> tuple[list[Any], list[Got]]:
        visitor = visitor_of(tmp_path)
        told = await play(visitor, await opened(visitor, "agent-avenue"), "whole")
        name = told[-1]["setting"]["match"]
        wrong = (name[:-1] + ("0" if name[-1] != "0" else "1"), name[:8], "*", "..", name + ".json")
        others = [await visitor_of(tmp_path).get(f"/matches/{each}") for each in (name, *wrong)]
        return told, others

    told, (watched, *refused) = run(test())
    assert {each["setting"].get("match", "") for each in told[:-1]} == {""}  # nobody learns it before the end
    assert watched.status == 200
    assert "~ann" in watched.text
    assert str(tmp_path) not in watched.text
    assert [each.status for each in refused] == [404] * 5


@every_game
def test_a_page_that_is_opened_again_goes_on_where_it_was(tmp_path: Path, game: str) -> None:
    async def test() -> list[Any]:
        visitor = visitor_of(tmp_path)
        return await play(visitor, await opened(visitor, game), "again", lose_connection_after=3)

    told = run(test())
    again = [each for each in told if each["first"] == 0]
    assert len(again) > 2
    for each in again[1:]:
        if each["shown"]:
            assert [it["number"] for it in each["shown"]] == list(range(len(each["shown"])))
            assert each["shown"][-1]["board"] or len(each["shown"]) == 1
    assert told[-1]["setting"]["phase"] == "over"


def test_after_a_reload_one_sees_what_one_has_chosen(tmp_path: Path) -> None:
    async def test() -> tuple[Any, Any]:
        visitor = visitor_of(tmp_path)
        ann, bob = await two(visitor, "agent-avenue")
        while True:  # the lot decides who begins
            for key in (ann, bob):
                told = await now(visitor, key)
                if told["left_ms"] is not None:
                    assert (await visitor.choose(key, told["shown"][-1]["decision"], 1)).status == 204
                    return told, await now(visitor, key)
            await asyncio.sleep(0)

    asked, told = run(test())
    assert asked["chose"] == ""
    assert told["left_ms"] is None
    assert told["shown"][-1]["chose"] == asked["shown"][-1]["legal"][1]


def test_an_open_page_learns_of_every_choice_also_if_the_next_decision_comes_at_once(tmp_path: Path) -> None:
    async def test() -> list[Any]:
        visitor = visitor_of(tmp_path)
        return await play(visitor, await opened(visitor, "agonia"), "choices")

    told = run(test())
    decisions = [it for each in told for it in each["shown"] if it["decision"]]
    last, learnt = None, 0
    for each in told:  # as the page does
        if last and last["decision"] and each["chose"] and not last["chose"]:
            assert each["chose"] in last["legal"]
            last["chose"], learnt = each["chose"], learnt + 1
        last = each["shown"][-1] if each["shown"] else last
    assert learnt == len(decisions)


async def now(visitor: Visitor, key: str) -> Any:
    """The content of a page that is opened now."""
    async with visitor.stream(f"/at/{key}/news") as stream:
        return (await _next(stream)).data


async def two(visitor: Visitor, game: str) -> tuple[str, str]:
    """The keys of two persons at a table."""
    ann = await opened(visitor, game, persons=2)
    ((_, invitation),) = (await now(visitor, ann))["setting"]["invitations"]
    got = await visitor.send_form(f"/invited/{invitation}", {"name": "bob"})
    return ann, got.headers["location"].removeprefix(f"{PLACE}/at/")


async def _next(stream: Stream) -> Event:
    event = await stream.next()
    assert event is not None
    return event


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "agent-avenue" else pytest.mark.slow) for game in SEATS]
)
def test_two_persons_at_one_table_by_link(tmp_path: Path, game: str) -> None:
    async def test() -> tuple[list[Any], list[Any], bytes, bytes]:
        visitor = visitor_of(tmp_path)
        ann = await opened(visitor, game, persons=2)
        async with visitor.stream(f"/at/{ann}/news") as stream:
            told = (await _next(stream)).data
        ((seat, invitation),) = told["setting"]["invitations"]
        assert seat == 1
        assert (await visitor.get(f"/invited/{invitation}")).status == 200
        refused = await visitor.send_form(f"/invited/{invitation}", {"name": "ann"})
        assert refused.status == 409
        assert "somebody at this table is called ~ann" in refused.text
        got = await visitor.send_form(f"/invited/{invitation}", {"name": "bob"})
        bob = got.headers["location"].removeprefix(f"{PLACE}/at/")
        assert (await visitor.send_form(f"/invited/{invitation}", {"name": "eve"})).status == 409
        both = await asyncio.gather(play(visitor, ann, "ann"), play(visitor, bob, "bob"))
        matches = [(await visitor.get(f"/at/{key}/match.json")).body for key in (ann, bob)]
        return both[0], both[1], matches[0], matches[1]

    anns, bobs, one, other = run(test())
    assert one == other
    assert from_file(one)[0].record.header.entries[:2] == ("~ann@person", "~bob@person")
    assert {it["seat"] for each in anns for it in each["shown"]} == {0}
    assert {it["seat"] for each in bobs for it in each["shown"]} == {1}


# Strangers and hostile requests


def hostile(tmp_path: Path, *asks: tuple[str, str, bytes, dict[str, str]]) -> list[Got]:
    """The answers to requests for a table at which nobody is asked yet; `KEY` stands for the seat's key."""

    async def test() -> list[Got]:
        visitor = visitor_of(tmp_path)
        key = await opened(visitor, "agonia", persons=2)
        got = [
            await visitor.ask(method, path.replace("KEY", key), body, headers) for method, path, body, headers in asks
        ]
        async with visitor.stream(f"/at/{key}/news") as stream:
            assert (await _next(stream)).data["setting"]["phase"] == "waiting"  # nothing has changed
        return got

    return run(test())


HERE = {"sec_fetch_site": "same-origin"}
JSON = {"content_type": "application/json", **HERE}
FORM = {"content_type": "application/x-www-form-urlencoded", **HERE}
FROM_ELSEWHERE = {"content_type": "application/json", "origin": "https://evil.example"}
CHOICE = b'{"decision":1,"index":0}'


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/at/wrong", b"", {}, 404),
        ("GET", "/at/wrong/match.json", b"", {}, 404),
        ("GET", "/at/wrong/replay", b"", {}, 404),
        ("POST", "/at/wrong/choices", CHOICE, JSON, 409),
        ("GET", "/at/KEY/match.json", b"", {}, 404),  # not over
        ("GET", "/at/KEY/replay", b"", {}, 404),
        ("POST", "/at/KEY/choices", CHOICE, JSON, 409),  # nothing is asked
        ("POST", "/at/KEY/choices", b"", JSON, 400),
        ("POST", "/at/KEY/choices", b"[]", JSON, 400),
        ("POST", "/at/KEY/choices", b"\xff", JSON, 400),
        ("POST", "/at/KEY/choices", b'{"decision":1}', JSON, 400),
        ("POST", "/at/KEY/choices", b'{"decision":"1","index":0}', JSON, 400),
        ("POST", "/at/KEY/choices", b'{"decision":1,"index":0,"seat":1}', JSON, 400),
        ("POST", "/at/KEY/choices", b"[" * 5_000, JSON, 400),
        ("POST", "/at/KEY/choices", b" " * (LONGEST_BODY + 1), JSON, 413),
        ("POST", "/at/KEY/choices", CHOICE, FORM, 415),
        ("POST", "/at/KEY/choices", CHOICE, HERE, 415),
        ("POST", "/at/KEY/choices", CHOICE, FROM_ELSEWHERE, 403),
        ("POST", "/at/KEY/choices", CHOICE, FROM_ELSEWHERE | {"origin": "null"}, 403),
        ("POST", "/at/KEY/choices", CHOICE, {"content_type": "application/json"}, 403),  # a browser would say
        ("POST", "/at/KEY/choices", CHOICE, JSON | {"sec_fetch_site": "none"}, 403),
        ("POST", "/at/KEY/choices", CHOICE, JSON | {"sec_fetch_site": "cross-site"}, 403),
        ("POST", "/at/KEY/choices", CHOICE, JSON | {"sec_fetch_site": "same-site"}, 403),
        ("POST", "/tables", b"", JSON, 415),
        ("POST", "/tables", b"league=agonia-league", FORM | {"sec_fetch_site": "cross-site"}, 403),
        ("POST", "/tables", b"", FORM, 409),
        ("POST", "/tables", b"league=%ff%00&name=%00", FORM, 409),
        ("POST", "/tables", b"\xff\xfe", FORM, 400),
        ("POST", "/tables", b"&".join(b"a%d=1" % n for n in range(99)), FORM, 400),
        ("POST", "/tables", b"a=" + b"x" * LONGEST_BODY, FORM, 413),
        ("POST", "/invited/wrong", b"name=eve", FORM, 409),
        ("POST", "/at/wrong/rematch", b"", FORM, 409),
        ("POST", "/at/KEY/rematch", b"", FORM, 409),  # not over
        ("POST", "/at/KEY/rematch", b"", FORM | {"sec_fetch_site": "cross-site"}, 403),
        ("GET", "/rules/no-game", b"", {}, 404),
        ("GET", "/rules/..", b"", {}, 404),
        ("GET", "/nowhere", b"", {}, 404),
        ("DELETE", "/at/KEY", b"", {}, 405),
    ],
)
def test_a_request_that_nobody_may_make_is_refused_and_changes_nothing(
    tmp_path: Path, method: str, path: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    (got,) = hostile(tmp_path, (method, path, body, headers))
    assert got.status == status, got.text
    assert "Traceback" not in got.text


def test_a_choice_is_taken_once_and_at_its_own_seat_only(tmp_path: Path) -> None:
    async def test() -> None:
        visitor = visitor_of(tmp_path)
        key = await opened(visitor, "agent-avenue")
        other = await opened(visitor, "agent-avenue", persons=2)
        async with visitor.stream(f"/at/{key}/news") as stream:
            while (told := (await _next(stream)).data)["left_ms"] is None:
                pass
            number, legal = told["shown"][-1]["decision"], len(told["shown"][-1]["legal"])
            assert (await visitor.choose(other, number, 0)).status == 409
            assert (await visitor.choose(key, number + 1, 0)).status == 409
            assert (await visitor.choose(key, number, legal)).status == 409
            assert (await visitor.choose(key, number, -1)).status == 400
            assert (await visitor.choose(key, 1 << 70, 0)).status == 400
            assert (await visitor.choose(key, number, 0)).status == 204
            again = await visitor.choose(key, number, 0)
            assert again.status == 409
        await play(visitor, key, "on")
        transcript, _ = from_file((await visitor.get(f"/at/{key}/match.json")).body)
        assert transcript.record.faults == ()

    run(test())


def test_a_stream_of_a_table_that_is_closed_says_so_and_ends(tmp_path: Path) -> None:
    async def test() -> None:
        visitor = visitor_of(tmp_path)
        async with visitor.stream("/at/wrong/news") as stream:
            event = await _next(stream)
            assert event.name == "closed"
            assert "this table is closed" in event.data["why"]
            assert await stream.next() is None

    run(test())


def test_where_the_tables_cannot_be_reached_a_page_says_so_and_a_stream_ends_to_be_tried_again(tmp_path: Path) -> None:
    async def test() -> None:
        visitor = visitor_at(TablesClient(tmp_path / "nobody.sock"))
        got = await visitor.get("/", accept="text/html")
        assert got.status == 503
        assert "The tables cannot be reached" in got.text
        async with visitor.stream("/at/key/news") as stream:
            assert await stream.next() is None
            assert stream.bytes.startswith(b"retry: ")

    run(test())


def test_a_stream_without_news_says_that_it_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "BEAT_S", 0.01)

    async def test() -> None:
        visitor = visitor_of(tmp_path)
        key = await opened(visitor, "agonia", persons=2)
        async with visitor.stream(f"/at/{key}/news") as stream:
            await _next(stream)
            await asyncio.wait([asyncio.ensure_future(stream.next())], timeout=0.2)
            assert b"\n\nevent: beat\n" in stream.bytes

    run(test())


def test_what_a_visitor_typed_never_becomes_markup(tmp_path: Path) -> None:
    async def test() -> Got:
        return await visitor_of(tmp_path).send_form("/tables", form("agonia", name="<script>"))

    got = run(test())
    assert got.status == 409
    assert "<script>" not in got.text
    assert "&lt;script&gt;" in got.text


@pytest.mark.parametrize("path", ["/", "/at/KEY", "/at/wrong", "/invited/x"])
def test_every_answer_forbids_what_no_page_here_needs(tmp_path: Path, path: str) -> None:
    (got,) = hostile(tmp_path, ("GET", path, b"", {}))
    policy = got.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert got.headers["referrer-policy"] in {"same-origin", "no-referrer"}
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "style=" not in got.text.replace("stylesheet", "")
    assert "http://" not in got.text.replace("http://www.w3.org", "")
    assert f"//{HOST}" not in got.text


def test_options_that_are_chosen_are_those_of_the_match(tmp_path: Path) -> None:
    async def test() -> bytes:
        visitor = visitor_of(tmp_path)
        more = {"option.board": "main", "option.rounds": "3", "option.characters": "vera,bruno"}
        key = await opened(visitor, "agonia", 1, **more)
        await play(visitor, key, "options")
        return (await visitor.get(f"/at/{key}/match.json")).body

    options = from_file(run(test()))[0].record.header.options
    assert options == {"board": "main", "rounds": 3, "characters": "vera,bruno"}


def test_the_lobby_offers_every_league_with_its_options_and_opponents(tmp_path: Path) -> None:
    async def test() -> str:
        return (await visitor_of(tmp_path).get("/")).text

    lobby = run(test())
    for game in SEATS:
        assert f'value="{game}-league"' in lobby
    for words in ("Line up", "Ceasefire", "Leader wagers", "Characters", 'value="puppet@person"', "nobody"):
        assert words in lobby


def test_the_lobby_tells_options_and_numbers_of_players_in_words_and_a_closed_table_leads_back_to_it(
    tmp_path: Path,
) -> None:
    async def test() -> tuple[str, str]:
        visitor = visitor_of(tmp_path)
        closed = await visitor.get("/at/wrong", accept="text/html")
        return (await visitor.get("/")).text, closed.text

    lobby, closed = run(test())
    told = re.findall(r'<option value="(true|false)"[^>]*>(\w+)<', lobby)
    assert set(told) == {("true", "yes"), ("false", "no")}
    assert "2 to 4 players" in lobby
    assert "before vote" in lobby
    assert 'href="/play/"' in closed


# A form that is refused


def refused(tmp_path: Path, game: str, **fields: str) -> Got:
    """The page after a form with these fields, with which no table can be opened."""

    async def test() -> Got:
        return await visitor_of(tmp_path).send_form("/tables", form(game, 1, **fields))

    got = run(test())
    assert got.status == 409
    return got


def fields_of(page: str) -> dict[str, str]:
    """By name, the values of the fields of the form that was sent: it is the only one with a name in it."""
    sent = next(part for part in page.split("<form ") if 'name="name" ' in part and 'value="ann' in part)
    texts = re.findall(r'<input [^>]*?value="([^"]*)"[^>]*? name="([^"]+)"', sent)
    lists = re.findall(r'<select [^>]*?name="([^"]+)"[^>]*>(.*?)</select>', sent, re.DOTALL)
    chosen = {name: re.findall(r'value="([^"]*)" selected', inside) for name, inside in lists}
    return {name: value for value, name in texts} | {name: (it or [""])[0] for name, it in chosen.items()}


def described(page: str, name: str) -> str:
    """The words that describe a wrong field."""
    (tag,) = (
        tag for tag in re.findall(r"<(?:input|select) [^>]*>", page) if f' name="{name}"' in tag and "invalid" in tag
    )
    ids = re.search(r'aria-describedby="([^"]+)"', tag)
    assert ids is not None
    found = [re.search(rf'id="{it}"[^>]*>([^<]*)<', page) for it in ids[1].split()]
    return " ".join(it[1] for it in found if it is not None)


@pytest.mark.parametrize(
    ("game", "fields", "field", "why"),
    [
        ("agent-avenue", {"name": "ann b"}, "name", "you cannot be called that"),
        ("agent-avenue", {"option.ceasefire": "true"}, "option.ceasefire", "set mode to advanced"),
        ("agonia", {"option.rounds": "99"}, "option.rounds", "allowed: 3 to 30"),
        ("agonia", {"option.board": "secondary"}, "seat.1", "secondary board"),
        ("agonia", {"each.characters.0": "vera"}, "each.characters.1", "choose one for this seat"),
        ("inside-job", {"seat.2": "nobody@1"}, "seat.2", "visitors cannot play with"),
    ],
)
def test_a_refused_form_keeps_what_was_typed_and_says_the_reason_at_its_field(
    tmp_path: Path, game: str, fields: dict[str, str], field: str, why: str
) -> None:
    page = refused(tmp_path, game, **fields).text
    assert why in described(page, field)
    kept = fields_of(page)
    for name, value in fields.items():
        assert kept[name] == value or value == "nobody@1"  # it is no choice
    assert kept["name"].startswith("ann")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"option.line_up": "2v2"}, "takes 4 players, not 2"),
        ({"seat.0": "you", "seat.1": "you"}, "you have several seats"),
        ({"seat.0": "puppet@person"}, "no seat is for you"),
    ],
)
def test_a_refusal_about_all_seats_describes_them_together(tmp_path: Path, fields: dict[str, str], why: str) -> None:
    page = refused(tmp_path, "agent-avenue", **fields).text
    assert re.search(rf'<fieldset [^>]*aria-describedby="agent-avenue-league-seats-trouble".*{why}', page, re.DOTALL)


def test_other_forms_stay_as_they_are(tmp_path: Path) -> None:
    page = refused(tmp_path, "agonia", **{"option.rounds": "99"}).text
    assert page.count('value="ann"') == 1
    assert page.count('role="alert"') == 1


# Seats, roles, rules


def test_a_visitor_takes_any_seat_and_chooses_characters_by_seat(tmp_path: Path) -> None:
    async def test() -> Any:
        visitor = visitor_of(tmp_path)
        seats = {"seat.0": "~", "seat.1": "you", "each.characters.0": "bruno", "each.characters.1": "vera"}
        return (await now(visitor, await opened(visitor, "agonia", 1, **seats)))["setting"]

    setting = run(test())
    assert setting["seat"] == 1
    assert setting["seats"] == ["~", "~ann"]
    assert [seat for seat, _ in setting["invitations"]] == [0]
    assert setting["options"]["characters"] == "bruno,vera"


def test_special_roles_are_a_list_of_all_that_can_be_played_together(tmp_path: Path) -> None:
    async def test() -> str:
        return (await visitor_of(tmp_path).get("/")).text

    found = re.search(r'<select name="option.roles"[^>]*>(.*?)</select>', run(test()))
    assert found is not None
    roles = re.findall(r'value="([^"]*)"', found[1])
    assert roles[0] == "none"
    assert len(roles) == len(set(roles)) > 20


def test_the_rules_of_a_game_are_a_page_of_the_server_with_the_chosen_options(tmp_path: Path) -> None:
    async def test() -> tuple[Got, Got, Got, Got]:
        visitor = visitor_of(tmp_path)
        lobby = await visitor.get("/")
        key = await opened(visitor, "agent-avenue", persons=2, **{"option.mode": "advanced"})
        table = await visitor.get(f"/at/{key}")
        link = re.search(r'href="/play(/rules/[^"]*)"', table.text)
        assert link is not None
        whole = await visitor.get(link[1].replace("&amp;", "&"))
        return (
            lobby,
            await visitor.get("/rules/agent-avenue"),
            whole,
            await visitor.get("/rules/agonia?option.rounds=x"),
        )

    lobby, usual, advanced, wrong = run(test())
    assert 'href="/play/rules/agent-avenue"' in lobby.text
    assert "Codebreaker" in usual.text
    assert "Black market" in advanced.text
    assert "Black market" not in usual.text
    assert wrong.status == 200
    assert "\n0        S     S" in wrong.text.partition("<pre")[2].partition("</pre>")[0]


# Another match


def test_who_asks_for_a_rematch_meets_the_same_players_at_the_same_seats(tmp_path: Path) -> None:
    async def test() -> tuple[Any, Any, bytes, bytes]:
        visitor = visitor_of(tmp_path)
        ann, bob = await two(visitor, "agent-avenue")
        await asyncio.gather(play(visitor, ann, "ann"), play(visitor, bob, "bob"))
        first = (await visitor.get(f"/at/{ann}/match.json")).body
        keys = [
            (await visitor.post(f"/at/{it}/rematch", b"", FORM["content_type"])).headers["location"]
            for it in (bob, ann)
        ]
        bobs, anns = (key.removeprefix(f"{PLACE}/at/") for key in keys)
        told = await asyncio.gather(play(visitor, anns, "ann"), play(visitor, bobs, "bob"))
        return told[0][-1], told[1][-1], first, (await visitor.get(f"/at/{anns}/match.json")).body

    anns, bobs, first, second = run(test())
    assert (anns["setting"]["seat"], bobs["setting"]["seat"]) == (0, 1)
    assert anns["setting"]["seats"] == ["~ann", "~bob"]
    one, other = (from_file(it)[0].record.header for it in (first, second))
    assert one.deal_seed != other.deal_seed
    assert (one.options, one.entries) == (other.options, other.entries)


def test_the_time_of_a_person_runs_out_and_both_learn_who_lost_by_it(tmp_path: Path) -> None:
    async def test() -> list[Any]:
        visitor = visitor_of(tmp_path, VisitorTerms(opponents=("puppet@person",), tables=2, move_ms=20))
        ann, bob = await two(visitor, "agent-avenue")

        async def watch(key: str) -> Any:
            async with visitor.stream(f"/at/{key}/news") as stream:
                while not (told := (await _next(stream)).data)["shown"] or not told["shown"][-1]["result"]:
                    pass
            return told

        return list(await asyncio.gather(watch(ann), watch(bob)))

    results = sorted(told["shown"][-1]["result"] for told in run(test()))
    assert results[0] == "You lost: your time ran out."
    assert re.fullmatch(r"You won: the time of ~(ann|bob) ran out\.", results[1])
