"""Pages for browsers, beside the API. They show the data of the API; a page changes nothing.

People log in at `/login` (`account_routes.py`), for all leagues of a store.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Set
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from referee.files.starters import starters
from referee.wire.registry import game_entry, games
from tournaments.league.model import League
from tournaments.web.page_router import Pages, Search
from tournaments.web.pages import leagues, words
from tournaments.web.pages.bots import DecisionCache
from tournaments.web.pages.lists import TableSearch
from tournaments.web.pages.match_pictures import endings_of, style_of
from tournaments.web.pages.matches import SEARCHED, SearchForm
from tournaments.web.pages.rendering import PREVIEWS, Page, PageFrame, look, rendered
from tournaments.web.pages.urls import PLAY, Kind, PageAddress, ServedLinks
from tournaments.web.pages.visitors import rules_page
from tournaments.web.service.authentication import Caller, visitor
from tournaments.web.service.event_streams import LivePages, streaming
from tournaments.web.service.league_service import LeagueService, viewer_of
from tournaments.web.service.replays import Replays
from tournaments.web.service.replies import PAGE, Endpoint, Problem, refusing, with_headers
from tournaments.web.service.requests import RequestChecks, check_query_length

Answer = Callable[[Request, LeagueService, Caller], Awaitable[Response]]

REPLAY = {"content-security-policy": "frame-ancestors 'none'"}
"""A replay contains its own policy, which allows only its own script and style sheet, by their hashes."""

_LOOK = frozenset(
    {
        *("pages.css", "pages.js", "tables.js", "submit.js", "history.js", "uplot.css", "uplot.js"),
        *("replay.css", "replay.js", "visitors.css", "lobby.js", "seat.js"),
        *(f"preview-{game}.png" for game in PREVIEWS),
    }
)
_MEDIA = {"css": "text/css", "js": "text/javascript", "png": "image/png"}
_ATTEND = {"py": "text/x-python", "js": "text/javascript"}
_BOARD = re.compile(r"board-(.+)\.css")
"""The name of the style sheet of a game's pictures."""

_SINGLES: tuple[Kind, ...] = ("match", "difference", "bot", "losses", "decisions", "entry")
_ALLOWED: Mapping[Kind, Set[str]] = {
    "standings": {"after", "table", *TableSearch._fields},
    "entries": {"after", *TableSearch._fields},
    "matches": {"after", *SEARCHED},
    "difference": {"other"},
}
"""The parameters of a page's query. Other pages have only the position of the previous page's end."""

_HOST = re.compile(r"[A-Za-z0-9.\[\]:-]{1,255}")
_CACHE_HEADERS = {"cache-control": "public, max-age=3600"}
_FILES = ServedLinks()


class BrowserRoutes:
    """The pages of served leagues."""

    def __init__(self, checks: RequestChecks, replays: Replays) -> None:
        """`checks` checks requests; `replays` draws."""
        self._checks = checks
        self._league_services = checks.league_services
        visited = any(each.league.visitors.opponents for each in self._league_services.values())
        self._play = PLAY if visited else None
        self._live_pages = {name: LivePages(each) for name, each in self._league_services.items()}
        self._replays = replays
        self._decision_cache = DecisionCache()

    @property
    def routes(self) -> list[Route]:
        """The routes of all pages."""
        league = "/leagues/{league}"
        pages = [*((kind, kind) for kind in words.MENU), *((kind, f"{kind}/{{key:path}}") for kind in _SINGLES)]
        return [
            Route("/", refusing(self._home)),
            Route("/look/{name}", refusing(self._style)),
            Route(league, self._of_league(self._page_answer("standings"))),
            Route(f"{league}/events", self._of_league(self._events)),
            Route(f"{league}/submit", self._of_league(self._submit_page)),
            Route(f"{league}/attend.{{language}}", self._of_league(self._attend)),
            Route(f"{league}/rules/{{table}}", self._of_league(self._rules)),
            Route(f"{league}/replay/{{key:path}}", self._of_league(self._replay)),
            *(Route(f"{league}/{path}", self._of_league(self._page_answer(kind))) for kind, path in pages),
        ]

    # Common parts of all pages

    def _of_league(self, answer: Answer) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            league_service = self._checks.league_service(request)
            return await answer(request, league_service, await self._checks.asker(request, league_service))

        return refusing(endpoint)

    async def _page(self, request: Request, page: Page, frame: PageFrame, asker: Caller | None) -> Response:
        body: bytes = await self._checks.read(lambda: rendered(page, frame, _FILES).encode())
        response = await self._checks.whole(request, body, "text/html", None, asker)
        response.headers.update(PAGE)
        return response

    def _frame(self, pages: Pages, asker: Caller, feed: str | None) -> PageFrame:
        league = pages.league
        base = f"/leagues/{league.name}"
        return PageFrame(
            league,
            made=league.progress.at_ms if league.progress else None,
            feed=feed,
            viewer=asker.account.display_name if asker.account else None,
            login="/logout" if asker.account else f"/login?league={league.name}",
            submit=f"{base}/submit" if asker.may("submit") and league.takes_bots else None,
            play=self._play,
            base=base,
        )

    # Pages

    async def _home(self, request: Request) -> Response:
        self._checks.count(visitor(request.client))
        names = sorted(self._league_services)
        every = [await self._checks.read(Pages, self._league_services[name].to()) for name in names]
        fronts = {each.league.name: await self._checks.read(each.front) for each in every}
        return await self._page(
            request,
            leagues.leagues([each.league for each in every], fronts),
            PageFrame(play=self._play),
            None,
        )

    async def _style(self, request: Request) -> Response:
        name = request.path_params["name"]
        board = _BOARD.fullmatch(name)
        if name in _LOOK:
            content = look(name)
        elif board and board[1] in {*games(), *(each.league.game for each in self._league_services.values())}:
            content = style_of(board[1]).encode()
        else:
            raise Problem(404, "there is no such file")
        media = _MEDIA[name.rpartition(".")[2]]
        return await self._checks.whole(request, content, media, _CACHE_HEADERS, None)

    async def _attend(self, request: Request, _league_service: LeagueService, _asker: Caller) -> Response:
        """A program with which bots call, with the address of the league in it."""
        language, host = request.path_params["language"], request.headers.get("host", "")
        if language not in _ATTEND or not _HOST.fullmatch(host):
            raise Problem(404, "there is no such file")
        league = f"{request.scope['scheme']}://{host}{request.url.path.rpartition('/')[0]}"
        text = await self._checks.read((starters() / "attend" / f"attend.{language}").read_text)
        body = text.replace('LEAGUE = ""', f'LEAGUE = "{league}"', 1)
        return with_headers(Response(body, 200, {"cache-control": "no-store"}, _ATTEND[language]))

    async def _rules(self, request: Request, league_service: LeagueService, asker: Caller) -> Response:
        """How the game is played at a table of the league."""
        league = league_service.league
        table = next((each for each in league.tables if each.name == request.path_params["table"]), None)
        if table is None or league.lacks_rules:
            raise Problem(404, "there are no rules of such a table")
        game, back = game_entry(league.game).game, f"/leagues/{league.name}/league"
        body = await self._checks.read(rules_page, game, table.options, str(table.seats), back, league.name)
        response = await self._checks.whole(request, body.encode(), "text/html", None, asker)
        response.headers.update(PAGE)
        return response

    def _page_answer(self, kind: Kind) -> Answer:
        async def answer(request: Request, league_service: LeagueService, asker: Caller) -> Response:
            place, search = _place(request, kind)
            page, frame = await self._checks.read(self._put_together, league_service, asker, place, search)
            frame = frame._replace(preview=_preview(request, league_service.league))
            return await self._page(request, page, frame, asker)

        return answer

    def _put_together(
        self, league_service: LeagueService, asker: Caller, place: PageAddress, bare_search: Search
    ) -> tuple[Page, PageFrame]:
        left_s = self._live_pages[league_service.league.name].left_s
        showing, search = league_service.to(asker), _with_choices(bare_search, league_service.league)
        unrated = None
        if asker.may("submit"):
            unrated = league_service.scrimmages_of(asker.owner).on_deal_of
        pages = Pages(showing, left_s, search=search, decision_cache=self._decision_cache, unrated=unrated)
        feed = f"/leagues/{place.league}/events"
        if place.kind == "entry":
            feed = f"/leagues/{place.league}/api/submissions/{place.key}/events"
        page = pages.page(place)
        # A finished match does not change any more, so a page with a replay listens to nothing.
        return page, self._frame(pages, asker, None if page.context.get("replay") else feed)

    async def _replay(self, request: Request, league_service: LeagueService, asker: Caller) -> Response:
        pages: Pages = await self._checks.read(lambda: Pages(league_service.to(asker)))
        match = request.path_params["key"]
        await self._checks.read(pages.check_closed, match)
        key = (league_service.league.name, repr(viewer_of(asker)), match)
        page = await self._replays.page(key, lambda: pages.replay(match).encode())
        response = await self._checks.whole(request, page, "text/html", None, asker)
        response.headers.update(REPLAY)
        return response

    async def _events(self, _request: Request, league_service: LeagueService, asker: Caller) -> Response:
        return await streaming(self._live_pages[league_service.league.name].events(asker.network))

    # Authors

    async def _submit_page(self, request: Request, league_service: LeagueService, asker: Caller) -> Response:
        if asker.account is None:
            return RedirectResponse(f"/login?league={league_service.league.name}", 303, PAGE)
        asker.require("submit")
        pages: Pages = await self._checks.read(lambda: Pages(league_service.to(asker)))
        return await self._page(request, leagues.submit(pages.league), self._frame(pages, asker, None), asker)


def _preview(request: Request, league: League) -> str | None:
    """The address of the picture in links to a match. Programs that show such links want the whole address."""
    host = request.headers.get("host", "")
    if league.game not in PREVIEWS or not _HOST.fullmatch(host):
        return None
    return f"{request.scope['scheme']}://{host}{_FILES.look(f'preview-{league.game}.png')}"


def _place(request: Request, kind: Kind) -> tuple[PageAddress, Search]:
    """The page that an address names, and the search there.

    Raises:
        Problem: the query is too long, or has unknown parameters (400).
    """
    check_query_length(request.scope["query_string"])
    given = {name: value for name, value in request.query_params.items() if value}
    allowed = _ALLOWED.get(kind, {"after"})
    key = request.path_params.get("key", "")
    if not given.keys() <= allowed or any("\0" in text for text in (key, *given.values())):
        raise Problem(400, f"the query of this page may contain only: {', '.join(sorted(allowed))}")
    league, after = request.path_params["league"], given.get("after", "")
    if kind == "difference":
        return PageAddress(kind, league, key, query=urlencode({"other": given.get("other", "")})), TableSearch()
    if kind != "matches":
        search = TableSearch(*(given.get(name, "") for name in TableSearch._fields))
        return PageAddress(kind, league, key or given.get("table", ""), after, search.query), search
    fields = {name: given.get(name, "") for name in SEARCHED}
    if fields["seat"] and not re.fullmatch("[0-9]{1,2}", fields["seat"]):
        raise Problem(400, "seat: a number, from 0")
    if fields["result"] and fields["result"] not in SearchForm().results:
        raise Problem(400, f"result: one of these: {', '.join(SearchForm().results)}")
    query = urlencode([(name, value) for name, value in fields.items() if value and name != "bot"])
    return PageAddress(kind, league, fields["bot"], after, query), SearchForm(fields)


def _with_choices(search: Search, league: League) -> Search:
    """The search, with the choices of its form."""
    if isinstance(search, TableSearch):
        return search
    return search._replace(tables=tuple(table.name for table in league.tables), endings=endings_of(league.game))
