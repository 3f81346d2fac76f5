"""Generates the description of the service (OpenAPI 3.1) from the table of operations."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final

import msgspec

from tournaments.web.service.operations import Kind, Operation, Parameter
from tournaments.web.service.replies import MEDIA, Details

_REFERENCE = "#/components/schemas/{name}"
_BEARER = "token"
_MEDIA: Final[Mapping[Kind, str]] = {
    "value": "application/json",
    "archive": "application/json",
    "events": "text/event-stream",
}
_LEAGUE: Final = Parameter("league", "the name of a league", place="path")
_REFUSED: Final = {
    "400": "a parameter is wrong, or the body is incomplete",
    "401": "a valid token is needed",
    "403": "your role does not have the right, or it comes from a page of another server",
    "404": "there is no such thing, or it is not for your eyes",
    "429": "too many requests, streams or archives; `Retry-After` says how long to wait",
    "503": "the service cannot do this now; `Retry-After` says when to ask again",
}
_UNCHANGED: Final = {"304": "nothing has changed since the answer with this entity tag (`If-None-Match`)"}
_CHANGES: Final = {
    "409": "it is refused: a name, a quota, the time, or the state of something",
}
_ARCHIVE: Final = {
    "413": "the archive is too long",
    "415": "the body is not `application/gzip`",
    "422": "the archive is refused",
    "507": "there is no room for another bot",
}
"""The additional answers: of an unchanged resource, of a change, and of an upload."""


def description(operations: Iterable[Operation]) -> dict[str, Any]:
    """The document."""
    operations = tuple(operations)
    types = [each.answer for each in operations if each.answer is not None]
    schemas, components = msgspec.json.schema_components([*types, Details], ref_template=_REFERENCE)
    answers = dict(zip([each.name for each in operations if each.answer is not None], schemas, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(f"/leagues/{{league}}{each.path}", {})[each.method.lower()] = _operation(
            each, answers.get(each.name, {}), schemas[-1]
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Referee", "version": version("referee"), "description": "Leagues of bots."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {_BEARER: {"type": "http", "scheme": "bearer", "description": "A token of yours."}},
        },
    }


def _operation(operation: Operation, answer: Mapping[str, Any], problem: Mapping[str, Any]) -> dict[str, Any]:
    refused = {**_REFUSED, **_others(operation)}
    media = _MEDIA.get(operation.kind, operation.media)
    answers = {str(operation.status): _answer("done", media, answer)}
    answers |= {status: _answer(about, MEDIA, problem) for status, about in refused.items() if status != "304"}
    answers |= {status: {"description": about} for status, about in refused.items() if status == "304"}
    fields = {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": list(_parameters(operation)),
        "responses": answers,
        "security": [{}, {_BEARER: []}] if operation.needs == "look" else [{_BEARER: []}],
    }
    if operation.kind == "archive":
        fields["requestBody"] = {
            "required": True,
            "description": "What `tar -czf bot.tar.gz -C FOLDER .` makes.",
            "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
        }
    return fields


def _others(operation: Operation) -> Mapping[str, str]:
    if operation.method == "POST":
        return {**_CHANGES, **_ARCHIVE} if operation.kind == "archive" else _CHANGES
    return {} if operation.kind == "events" else _UNCHANGED


def _parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for each in (_LEAGUE, *operation.parameters):
        kind = msgspec.json.schema(each.type)
        yield {
            "name": each.name,
            "in": "query" if each.place == "query" else "path",
            "required": each.place != "query",
            "description": each.about,
            "schema": {"type": "array", "items": kind} if each.repeats else kind,
        }


def _answer(about: str, media: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {media: {"schema": schema}}}
