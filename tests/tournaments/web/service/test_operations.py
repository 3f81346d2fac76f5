"""The table of operations: the description says what is served, and what is served is as the description says."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from msgspec.structs import replace

from tests.tournaments.leagues import league
from tests.tournaments.stores import CONTENTS, in_sql, saved
from tests.tournaments.web.service.hall import OPEN, Hall, hall
from tests.tournaments.workshops import archive
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import League
from tournaments.league.service_terms import SubmissionTerms
from tournaments.store import Store
from tournaments.web.queries import PublishedLeague
from tournaments.web.service.app import path_of
from tournaments.web.service.event_streams import BEAT
from tournaments.web.service.openapi import description
from tournaments.web.service.operations import OPERATIONS, Operation, by_service

PLAYED: League = league(submissions=SubmissionTerms(free_mib=0), sandbox="bubblewrap", rehearsal=True)
"""A league of three bots in which some matches were played. It is a rehearsal, so everything may be seen."""

MATCH = "nim/of-2/ann@1+bob@1/deal-0/turn-0"
QUERIES = {"spar": "bot=bee@1&against=ann@1"}
GIVEN = {"match": MATCH, "bot": "ann@1", "number": "", "league": "autumn"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'league.sqlite'}"
    with Store(url, PLAYED.name) as store:
        store.open_league(PLAYED, CONTENTS, bytes(32), now_ms=1)
        for number in range(6):
            saved(store, number)
    with PublishedLeague(PLAYED, url) as shown:
        assert shown.refresh(5)
    with hall(url, PLAYED) as here:
        here.send(archive().getvalue())
        here.work()
        here.ask(f"/leagues/autumn/api/scrimmages?{QUERIES['spar']}", "eva", "POST")
        in_sql(url, "UPDATE scrimmage SET stage = 'played'")
        yield here


@pytest.fixture(scope="module")
def by_results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A league that authors can leave."""
    with hall(
        f"sqlite:///{tmp_path_factory.mktemp('open')}/league.sqlite", replace(OPEN, format=OpenSettings())
    ) as here:
        here.send(archive().getvalue())
        here.work()
        yield here


@pytest.fixture(scope="module")
def described(served: Hall) -> Any:
    return served.ask("/openapi.json").json


def path(operation: Operation, served: Hall) -> str:
    """The path, with parameters filled in that lead somewhere."""
    found = f"/leagues/{{league}}{operation.path}"
    table = "scrimmage" if "scrimmages" in found else "submission"
    ((number,),) = in_sql(served.store.url, f"SELECT max(number) FROM {table}")  # noqa: S608 - ours
    for name, value in (GIVEN | {"number": str(number)}).items():
        found = found.replace(f"{{{name}}}", quote(value, safe="/+@"))
    return found


def told(operation: Operation, described: Any) -> Any:
    return described["paths"][f"/leagues/{{league}}{operation.path}"][operation.method.lower()]


def fits(value: Any, schema: Any, described: Any) -> None:
    jsonschema.Draft202012Validator({**described, **schema}).validate(value)


def test_the_description_has_all_operations_and_no_others(described: Any) -> None:
    found = {(path, method.upper()) for path, how in described["paths"].items() for method in how}
    assert found == {(f"/leagues/{{league}}{each.path}", each.method) for each in OPERATIONS}
    assert described == description(OPERATIONS)
    names = [each.name for each in OPERATIONS]
    assert len(set(names)) == len(names)


def test_the_parameters_in_a_path_are_described_all_and_no_others() -> None:
    for operation in OPERATIONS:
        named = {each.name for each in operation.parameters if each.place != "query"}
        assert named == {name for name in GIVEN if f"{{{name}}}" in operation.path}, operation.name
        assert (operation.does is by_service) is (operation.kind in {"archive", "events"}), operation.name
        assert all(":path" not in path_of(operation) or each.place for each in operation.parameters), operation.name


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.kind == "value"], ids=lambda each: each.name)
def test_an_answer_is_as_it_is_described(operation: Operation, served: Hall, by_results: Hall, described: Any) -> None:
    asked = by_results if operation.name == "withdraw" else served
    answer = asked.ask(f"{path(operation, asked)}?{QUERIES.get(operation.name, '')}", "eva", operation.method)
    assert answer.status == operation.status, answer.body
    schema = told(operation, described)["responses"][str(operation.status)]["content"]["application/json"]["schema"]
    fits(answer.json, schema, described)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_a_refusal_is_as_it_is_described_and_says_something(operation: Operation, served: Hall, described: Any) -> None:
    refusals = told(operation, described)["responses"]
    answers = [
        served.ask(path(operation, served), authorization="Bearer none", method=operation.method),
        served.ask(f"{path(operation, served)}?unheard=1", "eva", operation.method, content_type="application/gzip"),
        served.ask(path(operation, served).replace("autumn", "winter"), "eva", operation.method),
    ]
    assert [answer.status for answer in answers] == [401, 400, 404]
    for answer in answers:
        schema = refusals[str(answer.status)]["content"]["application/problem+json"]["schema"]
        fits(answer.json, schema, described)
        assert answer.detail


@pytest.mark.parametrize("name", ["spar", "withdraw"])
def test_what_would_change_something_and_may_not_be_is_refused_as_it_is_described(
    name: str, served: Hall, described: Any
) -> None:
    (operation,) = [each for each in OPERATIONS if each.name == name]
    answer = served.ask(path(operation, served), "eva", "POST")
    assert answer.status == 409
    refusal = told(operation, described)["responses"]["409"]["content"]["application/problem+json"]["schema"]
    fits(answer.json, refusal, described)


def test_what_is_for_authors_is_not_for_visitors(served: Hall, described: Any) -> None:
    for operation in (each for each in OPERATIONS if each.needs != "look"):
        answer = served.ask(path(operation, served), method=operation.method)
        refused = answer.status, answer.headers.get("www-authenticate")
        assert refused == (401, 'Bearer realm="referee"'), operation.name
        assert told(operation, described)["security"] == [{"token": []}], operation.name


def test_nothing_is_done_by_another_method(served: Hall) -> None:
    methods: dict[str, set[str]] = {}
    for operation in OPERATIONS:
        methods.setdefault(path(operation, served), set()).add(operation.method)
    for asked, allowed in methods.items():
        for method in {"POST", "PUT", "DELETE", "PATCH"} - allowed:
            answer = served.ask(asked, "eva", method)
            assert (answer.status, bool(answer.detail)) == (405, True), (method, asked)


def test_events_are_as_they_are_described(served: Hall, described: Any) -> None:
    operation = next(each for each in OPERATIONS if each.kind == "events")
    answer = served.ask(path(operation, served), "eva")
    schema = told(operation, described)["responses"]["200"]["content"]["text/event-stream"]["schema"]
    lines = re.findall(rb"event: step\ndata: (.+)", answer.body)
    assert len(lines) == 3
    assert answer.body.startswith(BEAT)
    for line in lines:
        fits(json.loads(line), schema, described)


def test_a_transcript_is_a_file_that_can_be_replayed(served: Hall) -> None:
    answer = served.ask(f"/leagues/autumn/api/transcripts/{MATCH}")
    assert answer.headers["content-disposition"] == 'attachment; filename="match.json"'
    assert answer.json["record"]["header"]["fixture"] == MATCH
