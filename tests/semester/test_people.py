"""The people of a semester: a class of a hundred joins, forms teams, and does what its roles may do.

It is the first part of the acceptance of a course. The store is of each kind, time is virtual, and all else is real.
"""

import asyncio
import csv
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.command import referee
from tests.postgresql.cluster import Cluster
from tests.semester.course import FORM, Machine, Served, served
from tests.tournaments.accounts import give, let_in, token_of
from tests.tournaments.arena import write_league
from tests.tournaments.web.queries import worlds
from tests.tournaments.workshops import archive
from tournaments.league.model import League
from tournaments.league.people import ROLES, Person, Role
from tournaments.results.league_location import past_leagues
from tournaments.store import Store
from tournaments.web.service.app import path_of
from tournaments.web.service.operations import OPERATIONS
from tournaments.web.service.worker_messages import ServedLeague

pytestmark = pytest.mark.semester

DOCUMENT = Path(__file__).parents[2] / "docs" / "people.md"
NAMES = [f"student-{number:03}" for number in range(100)]
LINES = [f"{name};Jürgen Groß {at};{name}@x.org;{at + 7000};team-{at // 5:02}" for at, name in enumerate(NAMES)]
HEADINGS = "\ufeffName;Full name;Mail;Reference;Team"
TEAMS = [f"team-{number:02}" for number in range(20)]
OPEN = 'sandbox = "bubblewrap"\n[submissions]\nfree_mib = 0\nteams = true\nentries = 1\n'


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a store of each kind that does not exist yet. The tests work in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'course.sqlite'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture
def course(url: str) -> Path:
    """The file of a course of two leagues."""
    for week in ("week1", "week2"):
        write_league(Path(f"{week}.toml"), [], 1, OPEN)
    place = url.replace("+psycopg", "") if url.startswith("postgresql") else "course.sqlite"
    file = Path("course.toml")
    file.write_text(f'url = "https://ai.example.edu"\nstore = "{place}"\nleagues = ["week*.toml"]\n')
    return file


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The machine of the course. The commands see its clock, too."""
    machine = Machine()
    monkeypatch.setattr("tournaments.cli.people.now_ms", machine.now_ms)
    return machine


def leagues_of(course: Path) -> dict[str, League]:
    return {league.name: league for _, (league, _) in past_leagues(course, None)}


def links_in(file: Path) -> dict[str, str]:
    """The path of each link, by the name of the person."""
    rows = csv.DictReader(file.read_text().splitlines())
    return {row["name"]: row["link"].removeprefix("https://ai.example.edu") for row in rows}


def write_list(*lines: str) -> None:
    Path("class.csv").write_text("\n".join([HEADINGS, *lines]), encoding="utf-8")


async def join(course: Served, link: str, name: str) -> str:
    """Join as a browser does, after programs that scan mails have opened the link twice. Returns the cookie."""
    looks = [await course.ask(link) for _ in range(2)]
    assert [(look.status, "set-cookie" in look.headers) for look in looks] == [(200, False)] * 2
    assert looks[0].body == looks[1].body
    joined = await course.post(link, display_name=f"Jürgen {name[-3:]}")
    assert (joined.status, joined.headers["location"]) == (303, "/me"), joined.body
    return joined.cookie


def test_a_class_of_a_hundred_gets_accounts_from_one_list_and_a_list_with_faults_changes_nothing(course: Path) -> None:
    spoiled = [
        *(LINES[0], LINES[1].replace("@", " at "), LINES[2].replace("student-002;", "student 002;")),
        *(
            f"{LINES[3]};more",
            LINES[4].replace("team-00", "team 00"),
            LINES[5],
            LINES[5],
            LINES[7].replace("7007", "\x07"),
        ),
    ]
    write_list(*spoiled)
    found = referee("people", "add", "class.csv", course)
    assert (found.code, sorted(line.partition(":")[0] for line in found.err.splitlines())) == (
        2,
        [f"line {number}" for number in range(3, 10)],
    )
    assert not Path("links.csv").exists()
    write_list(*LINES)
    added = referee("people", "add", "class.csv", course)
    assert (added.code, added.out.partition(":")[0]) == (0, "100 persons added")
    assert sorted(links_in(Path("links.csv"))) == NAMES
    again = referee("people", "add", "class.csv", course, "--links", "more.csv")
    assert (again.code, again.out) == (0, "0 persons added\n")
    people = referee("people", "list", course, "--json").json
    assert [each["full_name"] for each in people][:2] == ["Jürgen Groß 0", "Jürgen Groß 1"]
    assert {team: sum(each["team"] == team for each in people) for team in TEAMS} == dict.fromkeys(TEAMS, 5)


def test_ninety_seven_join_by_links_two_get_new_ones_and_all_are_logged_in_everywhere_after_a_restart(
    course: Path, url: str, machine: Machine
) -> None:
    write_list(*LINES)
    assert referee("people", "add", "class.csv", course).code == 0
    links, leagues = links_in(Path("links.csv")), leagues_of(course)
    cookies = dict[str, str]()

    async def september() -> None:
        with served(url, leagues, machine) as here:
            for name in NAMES[:95]:
                cookies[name] = await join(here, links[name], name)
            lost = dict[str, str]()
            for name in NAMES[95:97]:
                made = referee("people", "invite", course, "--name", name)
                lost[name] = made.out.strip().removeprefix("https://ai.example.edu")
                dead = await here.ask(links[name])
                cookies[name] = await join(here, lost[name], name)
                assert (dead.status, (await here.post(links[name], display_name="x")).status) == (404, 404)
            machine.go_on(15)
            pages = [await here.ask(link) for link in (links[NAMES[0]], links[NAMES[99]], "/join/invented")]
            assert [(page.status, page.body) for page in pages] == [(404, pages[0].body)] * 3  # used, old, invented
            assert (await here.post(links[NAMES[99]], display_name="x")).status == 404

    async def october() -> None:
        with served(url, leagues, machine) as here:
            for name, cookie in cookies.items():
                for league in leagues:
                    me = (await here.ask(f"/leagues/{league}/api/me", cookie=cookie)).json
                    assert (me["name"], me["owner"]) == (name, f"team-{int(name[-3:]) // 5:02}")
                    assert me["display_name"] == f"Jürgen {name[-3:]}"

    asyncio.run(september())
    asyncio.run(october())
    never = [each["name"] for each in referee("people", "list", course, "--json").json if not each["seen_ms"]]
    assert never == NAMES[97:]


def test_twenty_teams_have_one_set_of_entries_in_each_of_two_leagues(course: Path, url: str, machine: Machine) -> None:
    write_list(*LINES)
    assert referee("people", "add", "class.csv", course).code == 0
    links, leagues = links_in(Path("links.csv")), leagues_of(course)

    async def november() -> None:
        with served(url, leagues, machine) as here:
            cookies = {name: await join(here, links[name], name) for name in NAMES}
            for league in leagues:
                for number, team in enumerate(TEAMS):
                    one, *others = (cookies[name] for name in NAMES[5 * number : 5 * number + 5])
                    sent = await here.submit(league, archive(name=f"bot-{number:02}").getvalue(), one)
                    assert (sent.status, sent.json["author"]) == (201, team), sent.body
                    logs = [
                        await here.ask(f"/leagues/{league}/api/submissions/{sent.json['number']}", cookie=each)
                        for each in (*others, cookies[NAMES[(5 * number + 5) % 100]])
                    ]
                    assert [log.status for log in logs] == [200] * 4 + [404]
                    second = await here.submit(league, archive(name=f"cow-{number:02}").getvalue(), others[0])
                    assert second.status == 409
                    assert f"{team} has 1 bot in the league already" in second.json["detail"]

    asyncio.run(november())
    audits = referee("entries", "week1.toml", "--audit", "--store", url).out
    assert "student-005" in audits  # who of a team submitted
    assert referee("people", "add", "late", course).code == 0
    sixth = referee("people", "team", "team-00", "late", course)
    assert (sixth.code, "takes nobody any more" in sixth.err) == (2, True)


MEMBERS: Mapping[Role | None, str] = {"spectator": "sue", "author": "eva", "assistant": "amy", "organizer": "olga"}
COLUMNS: tuple[Role | None, ...] = (None, *ROLES)


def let_all_in(store: Store) -> None:
    """A person of each role, with a token and a session."""
    for role, name in MEMBERS.items():
        if role is not None:
            let_in(store, name, role)
            give(store, name, f"session of {name}", "session")


def ways(role: Role | None) -> list[dict[str, str]]:
    """With a token, and with a session of a page of ours; a visitor has neither."""
    ours = {"sec-fetch-site": "same-origin"}
    if role is None:
        return [ours]
    name = MEMBERS[role]
    return [{"authorization": f"Bearer {token_of(name)}"}, {"cookie": f"referee=session of {name}", **ours}]


async def statuses(here: Served, league: str, headers: dict[str, str]) -> dict[str, int]:
    """By operation, the status of a request for something that is not there."""
    found = dict[str, int]()
    for operation in OPERATIONS:
        path = path_of(operation).replace("{league}", league).replace("{number}", "0")
        reply = await here.ask(re.sub(r"\{[^}]+\}", "x", path), operation.method, b"", headers)
        assert reply.status < 500, operation.name
        found[operation.name] = reply.status
    return found


async def allowed(here: Served, league: str, role: Role | None, headers: dict[str, str]) -> dict[str, bool]:
    """By operation, whether it is not refused to the role."""
    refused = 401 if role is None else 403
    return {name: status != refused for name, status in (await statuses(here, league, headers)).items()}


def test_every_operation_allows_each_role_what_the_table_of_the_documents_says_in_each_league_by_token_and_session(
    course: Path, url: str, machine: Machine
) -> None:
    leagues = leagues_of(course)
    rights = dict[tuple[str, Role | None], set[bool]]()

    async def walk() -> None:
        with served(url, leagues, machine) as here:
            let_all_in(here.services["week1"].store)
            for league in leagues:
                for role in COLUMNS:
                    for headers in ways(role):
                        found = await allowed(here, league, role, headers)
                        for operation in OPERATIONS:
                            rights.setdefault((operation.needs, role), set()).add(found[operation.name])
            for role in COLUMNS:
                *_, headers = ways(role)
                page, link = (
                    await here.ask("/people", headers=headers),
                    await here.post("/people/olga/link", headers={**FORM, **headers}),
                )
                rights["links", role] = {page.status == 200}
                rights["people", role] = {link.status == 200}

    asyncio.run(walk())
    assert {key: len(found) for key, found in rights.items()} == dict.fromkeys(rights, 1)
    cells = {key: "x" if found == {True} else "" for key, found in rights.items()}
    printed = [
        [right, *(cells[right, role] for role in COLUMNS)]
        for right in ("look", "account", "submissions", "output", "submit", "links", "people")
    ]
    lines = [line.split("|")[1:-1] for line in DOCUMENT.read_text().splitlines() if line.startswith("| `")]
    assert printed == [[right.strip(" `"), *(cell.strip() for cell in row)] for right, _, *row in lines]


def test_an_assistant_with_an_entry_in_one_league_is_an_author_there_and_an_assistant_in_the_other(
    course: Path, url: str, machine: Machine
) -> None:
    async def walk() -> None:
        with served(url, leagues_of(course), machine) as here:
            let_all_in(here.services["week1"].store)
            for name in ("amy", "eva"):
                if name == "amy":
                    here.services["week1"].store.people.set_role("amy", "author", 5)
                    give(here.services["week1"].store, "amy", "session of amy", "session")
                sent = await here.submit("week1", archive(name=f"bot-{name}").getvalue(), f"referee=session of {name}")
                assert sent.status == 201
            here.services["week1"].store.people.set_role("amy", "assistant", 5)
            give(here.services["week1"].store, "amy", token_of("amy"))
            give(here.services["week1"].store, "amy", "session of amy", "session")
            author = assistant = dict[str, bool]()
            for headers in ways("assistant"):
                author = await allowed(here, "week1", "assistant", headers)
                assistant = await allowed(here, "week2", "assistant", headers)
                listed = await here.ask("/leagues/week1/api/submissions", headers=headers)
                assert [each["author"] for each in listed.json["items"]] == ["amy"]
            *_, headers = ways("author")
            assert author == await allowed(here, "week1", "author", headers)
            assert author != assistant

    asyncio.run(walk())


def test_nobody_acts_from_another_site_and_no_author_finds_a_page_of_staff(
    course: Path, url: str, machine: Machine
) -> None:
    form = {"content-type": FORM["content-type"]}
    foreign = ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {})

    async def walk() -> None:
        with served(url, leagues_of(course), machine) as here:
            let_all_in(here.services["week1"].store)
            session = "referee=session of olga"
            for headers in foreign:
                for path in ("/me/tokens", "/me/end", "/logout", "/people/eva/link", "/login", "/join/x"):
                    assert (await here.post(path, session, {**form, **headers})).status == 403
                for operation in OPERATIONS:
                    path = path_of(operation).replace("{league}", "week1").replace("{number}", "0")
                    if operation.method == "POST":
                        assert (await here.ask(path, "POST", b"", headers, session)).status == 403, operation.name
            no_session = [(await here.post(path)).status for path in ("/me/tokens", "/me/end", "/people/eva/link")]
            assert no_session == [303] * 3
            for name in ("sue", "eva"):
                pages = [await here.ask("/people", cookie=f"referee=session of {name}")]
                pages.append(await here.post("/people/max/link", f"referee=session of {name}"))
                assert [page.status for page in pages] == [403, 403]

    asyncio.run(walk())


def test_assistants_and_visitors_get_equal_bytes_of_every_match_while_a_deal_is_open(
    url: str, machine: Machine
) -> None:
    leagues = {"autumn": worlds.swiss_in_its_second_round(url, 1)}
    asked = ("api", "api/pulse", "api/standings", "api/crosstable", "api/sides", "api/ratings", "api/rounds")
    shown = ("standings", "crosstable", "league", "matches", "sides", "ratings", "rounds")

    async def walk() -> None:
        with served(url, leagues, machine) as here:
            service = here.services["autumn"]
            assert service.published_league.refresh(worlds.MOMENT_MS)
            let_all_in(service.store)
            names = [each.match for each in service.to().matches(most=500).items]
            paths = [*asked, *(f"api/{kind}/{name}" for kind in ("matches", "transcripts") for name in names)]
            pages = [*shown, *(f"match/{name}" for name in names)]
            differs = set[str]()
            for path in (*paths, *pages):
                visitor, *others = [
                    await here.ask(f"/leagues/autumn/{path}", headers=headers)
                    for headers in (*ways(None), *ways("assistant"), *ways("organizer"))
                ]
                bodies = [reply.body.partition(b"<main")[2] or reply.body for reply in (visitor, *others)]
                assert bodies[0] == bodies[1] == bodies[2], path
                assert visitor.status == others[0].status
                if bodies[0] != bodies[3]:
                    differs.add(path)
            assert differs >= {f"api/matches/{names[0]}", f"match/{names[0]}"}  # there was something to hide

    asyncio.run(walk())


def test_a_thousand_log_in_at_once_and_each_gets_a_session_of_their_own(
    course: Path, url: str, machine: Machine
) -> None:
    leagues, names = leagues_of(course), [f"author-{number}" for number in range(1_000)]

    async def walk() -> None:
        with served(url, leagues, machine) as here:
            people = here.services["week1"].store.people
            people.add({line: Person(name, name) for line, name in enumerate(names)}, machine.now_ms())
            tokens = [people.new_token(name, "", machine.now_ms()) for name in names]
            replies = await asyncio.gather(*(here.post("/login", token=token) for token in tokens))
            assert {reply.status for reply in replies} == {303}
            assert len({reply.cookie for reply in replies}) == 1_000
            mine = await asyncio.gather(*(here.ask("/leagues/week2/api/me", cookie=reply.cookie) for reply in replies))
            assert [each.json["name"] for each in mine] == names

    asyncio.run(walk())


def test_an_organizer_of_one_course_is_a_visitor_of_another_one_at_the_same_server(
    course: Path, url: str, machine: Machine, tmp_path: Path
) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'other.sqlite'}"
    other = replace(leagues_of(course)["week1"], name="other")

    async def walk() -> None:
        with served(url, leagues_of(course), machine, [ServedLeague("other.toml", other, elsewhere)]) as here:
            let_in(here.services["other"].store, "max")
            let_all_in(here.services["week1"].store)
            for headers in ways("organizer"):
                found = await statuses(here, "other", headers)
                if "cookie" in headers:
                    assert found == await statuses(here, "other", {})
                else:
                    assert set(found.values()) == {401}
            page = await here.ask("/people", cookie="referee=session of olga")
            assert b"eva" in page.body
            assert b"max" not in page.body
            assert (await here.post("/people/max/link", "referee=session of olga")).status == 404

    asyncio.run(walk())


def test_a_removed_person_leaves_no_secret_and_no_bot_in_the_leagues_of_the_course(
    course: Path, url: str, machine: Machine
) -> None:
    leagues = leagues_of(course)

    async def walk() -> None:
        with served(url, leagues, machine) as here:
            let_all_in(here.services["week1"].store)
            for league in leagues:
                assert (await here.submit(league, archive().getvalue(), "referee=session of eva")).status == 201

    async def look() -> None:
        with served(url, leagues, machine) as here:
            for headers in ways("author"):
                me = await here.ask("/leagues/week1/api/me", headers=headers)
                assert me.status == 401
            for league, service in here.services.items():
                assert [each.state for each in service.store.submissions.registry(leagues[league]).submissions] == [
                    "rejected"
                ]

    asyncio.run(walk())
    removed = referee("people", "remove", "eva", course, "--erase")
    assert (removed.code, removed.out.splitlines()[0]) == (0, "eva is removed"), removed.err
    assert [line.partition(":")[0] for line in removed.out.splitlines()[1:]] == ["week1", "week2"]
    asyncio.run(look())
    with Store(url, "week1") as store:
        assert store.people.all()["eva"] == Person(
            "eva", "eva", added_ms=1, removed_ms=store.people.all()["eva"].removed_ms
        )
        assert store.people.secrets_of("eva", 5) == []
