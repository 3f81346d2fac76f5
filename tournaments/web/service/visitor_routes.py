"""The routes of the tables where visitors play: forms, one page for each seat, and its event stream.

The address of a seat opens it, and nobody can guess this address. So these routes need no cookie, and another site
cannot act for a visitor.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from traceback import format_exception_only
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from referee.core.errors import GameBug, UserError, WrongUse, pass_on
from referee.core.game import AnyGame
from referee.core.text import one_line
from referee.drawing.page.html import page_of_all
from referee.drawing.playback import watch
from referee.drawing.registry import drawer
from referee.match.transcript import from_file
from referee.wire.registry import game_entry
from tournaments.web.pages.visitors import AT, BY_SEAT, YOU, SentForm, invitation, lobby, rules_page, seat_page
from tournaments.web.service.authentication import Caller, visitor
from tournaments.web.service.background_process import tell
from tournaments.web.service.event_streams import event, stream, streaming
from tournaments.web.service.replies import PAGE, Endpoint, Problem, problem_of, refusing
from tournaments.web.service.requests import check_same_origin, read_body, read_form
from tournaments.web.visitors.protocol import (
    MOST_SEATS,
    NAME,
    OPTION,
    PERSON,
    SEAT,
    SEATS,
    Seated,
    SeatEvents,
    TableRefused,
    TableRequest,
    TableSettings,
    TablesService,
)
from tournaments.web.visitors.seat_view import SeatMessage, SeatView
from tournaments.web.visitors.tables_rpc import TablesUnreachable

_MOST_FIELDS = 64
_RETRY = b"retry: 2000\n\n"
_PAGES = {**PAGE, "cache-control": "no-store", "x-robots-tag": "noindex"}
_REPLAY = _PAGES | {"content-security-policy": "frame-ancestors 'none'; form-action 'none'"}
"""A replay contains its own policy, which names its style and its script by their hashes."""


class SeatUpdate(msgspec.Struct, frozen=True):
    """One event of the stream to a page.

    Attributes:
        first: the number of the first message; 0 also tells the page to start over.
        shown: the new messages.
        chose: the person's choice at the decision before these messages, in words; empty if there is none yet.
        left_ms: the time left for the open decision, in milliseconds; None if none is open.
        setting: the table.
    """

    first: int
    shown: tuple[SeatMessage, ...]
    chose: str
    left_ms: int | None
    setting: TableSettings


_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class ChoiceMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a page to a decision."""

    decision: _Number
    index: _Number


class VisitorRoutes:
    """The routes."""

    def __init__(self, tables_service: TablesService, count: Callable[[Caller], None]) -> None:
        """Show the tables of `tables_service`. `count` counts a request of a caller, and refuses one too many."""
        self._tables = tables_service
        self._count = count

    @property
    def routes(self) -> list[Route]:
        """All routes, below the path where visitors play."""
        reads: dict[str, Endpoint] = {
            "/": self._lobby,
            "/invited/{invitation}": self._invited,
            "/at/{key}": self._table,
            "/at/{key}/news": self._news,
            "/at/{key}/match.json": self._record,
            "/at/{key}/replay": self._replay,
            "/matches/{key}": self._replay,
            "/rules/{game}": self._rules,
        }
        changes: dict[str, Endpoint] = {
            "/tables": self._open,
            "/invited/{invitation}": self._sit,
            "/at/{key}/choices": self._choose,
            "/at/{key}/rematch": self._rematch,
        }
        every = [*((path, "GET", each) for path, each in reads.items())]
        every += ((path, "POST", each) for path, each in changes.items())
        return [Route(AT + path, self._checked(each, method), methods=[method]) for path, method, each in every]

    def _checked(self, endpoint: Endpoint, method: str) -> Endpoint:
        async def checked(request: Request) -> Response:
            self._count(visitor(request.client))
            if method == "POST":
                check_same_origin(request)
            return await endpoint(request)

        return refusing(checked, lambda error: _problem(error, method))

    # Forms

    async def _lobby(self, _request: Request) -> Response:
        return await self._lobby_page(SentForm({}), 200)

    async def _lobby_page(self, form: SentForm, status: int) -> Response:
        offers = await self._tables.offers()
        games: dict[str, AnyGame] = {offer.game: game_entry(offer.game).game for offer in offers}
        return _page(lobby(offers, games, form), status)

    async def _open(self, request: Request) -> Response:
        fields = await read_form(request, _MOST_FIELDS)
        try:
            seated = await self._tables.open(_table_request(fields))
        except TableRefused as reason:
            return await self._lobby_page(SentForm(fields, str(reason), reason.field), 409)
        return _see(seated)

    async def _invited(self, request: Request) -> Response:
        return _page(invitation(str(request.scope["path"]), SentForm({})))

    async def _sit(self, request: Request) -> Response:
        fields = await read_form(request, _MOST_FIELDS)
        try:
            seated = await self._tables.sit(request.path_params["invitation"], fields.get(NAME, ""))
        except TableRefused as reason:
            form = SentForm(fields, str(reason), reason.field)
            return _page(invitation(str(request.scope["path"]), form), 409)
        return _see(seated)

    # A seat

    async def _table(self, request: Request) -> Response:
        """The page of a seat. The style of the pictures depends on the game, which the first news names."""
        key = request.path_params["key"]
        async with aclosing(self._tables.follow(key)) as all_news:
            setting = (await anext(all_news)).setting
        return _page(seat_page(key, setting))

    async def _news(self, request: Request) -> Response:
        response = await streaming(stream(self._events(request.path_params["key"])))
        response.headers.update(_PAGES)
        return response

    async def _events(self, key: str) -> AsyncGenerator[bytes, None]:
        seat_view = SeatView()
        yield _RETRY
        try:
            async with aclosing(self._tables.follow(key)) as all_news:
                async for news in all_news:
                    yield event("news", seat_update(seat_view, news))
        except TableRefused as reason:
            yield event("closed", {"why": str(reason)})
        except GameBug as bug:
            tell(one_line(str(bug)))
            yield event("closed", {"why": str(bug)})
        except TablesUnreachable:
            return  # the page connects again

    async def _choose(self, request: Request) -> Response:
        body = await read_body(request, "application/json", "a choice")
        try:
            choice = msgspec.json.decode(body, type=ChoiceMessage)
        except (ValueError, RecursionError) as error:
            raise Problem(400, "a choice is an object with the numbers decision and index") from error
        await self._tables.choose(request.path_params["key"], choice.decision, choice.index)
        return Response(status_code=204, headers=_PAGES)

    # The rules

    async def _rules(self, request: Request) -> Response:
        """The rules of a game that somebody can play here, with the options in the query."""
        name = request.path_params["game"]
        if name not in {offer.game for offer in await self._tables.offers()}:
            raise Problem(404, "this game is not played here")
        options = {key.removeprefix(OPTION): it for key, it in request.query_params.items() if key.startswith(OPTION)}
        return _page(rules_page(game_entry(name).game, options, request.query_params.get("seats", "")))

    # After the match

    async def _rematch(self, request: Request) -> Response:
        seated = await self._tables.rematch(request.path_params["key"])
        return _see(seated)

    async def _record(self, request: Request) -> Response:
        content = await self._tables.record(request.path_params["key"])
        named = {"content-disposition": 'attachment; filename="match.json"'}
        return Response(content, 200, _PAGES | named, "application/json")

    async def _replay(self, request: Request) -> Response:
        content = await self._tables.record(request.path_params["key"])
        page = await asyncio.to_thread(_replayed, content)
        return Response(page, 200, _REPLAY, "text/html")


def seat_update(seat_view: SeatView, news: SeatEvents) -> SeatUpdate:
    """News of a seat for its page. `seat_view` has processed all earlier news.

    Raises:
        GameBug: the game or its drawer raised an exception.
    """
    try:
        chose = seat_view.chose(news.chosen)  # first: the next decision may follow at once
        messages = tuple(seat_view.next_messages(news.messages, news.chosen, news.setting.seats, news.end))
    except BaseException as error:
        pass_on(error)
        what = "".join(format_exception_only(error)).strip()
        text = f"the game {news.setting.game} failed on the page of a seat: {what}; this is a bug of the game"
        raise GameBug(text, "", b"") from error
    return SeatUpdate(news.first, messages, chose, news.left_ms, news.setting)


def _replayed(content: bytes) -> str:
    transcript, _ = from_file(content)
    game = game_entry(transcript.record.header.game).game
    return page_of_all(watch(game, transcript), drawer(game))


# Common parts of all requests


def _problem(error: UserError, method: str) -> Problem:
    """The refusal for an error of the tables."""
    if isinstance(error, TableRefused):
        return Problem(404 if method == "GET" else 409, str(error))
    if isinstance(error, TablesUnreachable):
        return Problem(503, f"{error}; try again in a minute")
    if isinstance(error, GameBug):
        tell(one_line(str(error)))
        return Problem(503, str(error))
    return Problem(404, str(error)) if isinstance(error, WrongUse) else problem_of(error)


def _page(page: str, status: int = 200) -> Response:
    return Response(page, status, _PAGES, "text/html")


def _see(seated: Seated) -> Response:
    return RedirectResponse(f"{AT}/at/{seated.key}", 303, _PAGES)


def _table_request(fields: Mapping[str, str]) -> TableRequest:
    """The table that a form requests: empty options have their defaults, and seats after the last one are left out.

    Raises:
        TableRefused: the visitor wants several seats, or chose an option for some of the seats only.
    """
    seats = [fields.get(f"{SEAT}{seat}", "") for seat in range(MOST_SEATS)]
    while seats and not seats[-1]:
        seats.pop()
    options = {name.removeprefix(OPTION): it for name, it in fields.items() if name.startswith(OPTION) and it}
    options |= {name.removeprefix(BY_SEAT): _by_seat(fields, name, len(seats)) for name in _lists(fields)}
    if seats.count(YOU) > 1:
        raise TableRefused("you have several seats; take one", SEATS)
    own = seats.index(YOU) if YOU in seats else None
    whole = tuple(PERSON if who == YOU else who for who in seats)
    return TableRequest(
        fields.get("league", ""), {name: it for name, it in options.items() if it}, whole, fields.get(NAME, ""), own
    )


def _lists(fields: Mapping[str, str]) -> set[str]:
    """The options that have a field of the form for each seat, with the prefix of such fields."""
    return {name.rpartition(".")[0] for name in fields if name.startswith(BY_SEAT)}


def _by_seat(fields: Mapping[str, str], name: str, seats: int) -> str:
    """The value of an option that lists something by seat; empty if nothing was chosen."""
    chosen = [fields.get(f"{name}.{seat}", "") for seat in range(seats)]
    if any(chosen) and not all(chosen):
        seat = chosen.index("")
        raise TableRefused("choose one for this seat, too, or for no seat", f"{name}.{seat}")
    return ",".join(filter(None, chosen))
