"""A class of a hundred: one list, one link each, and all leagues of the store."""

import time
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from tests.tournaments.web.service.hall import OPEN, Answer, Hall, hall
from tests.tournaments.workshops import archive
from tournaments.league.people import BadPeople, read_class_list
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.token_bucket import Rate

LIMITS = ServiceLimits(requests=Rate(burst=1 << 20, a_second=1e6))
FORM = {"content_type": "application/x-www-form-urlencoded", "sec_fetch_site": "same-origin"}
NAMES = [f"student-{number:03}" for number in range(100)]
LINES = [f"{name};Jürgen Groß {at};{name}@x.org;{at + 7000};team-{at // 5:02}" for at, name in enumerate(NAMES)]
LIST = "\n".join(["\ufeffName;Full name;Mail;Reference;Team", *LINES])
assert OPEN.submissions is not None
TERMS = replace(OPEN.submissions, teams=True)


def post(served: Hall, path: str, cookie: str = "", **fields: str) -> Answer:
    return served.ask(path, None, "POST", urlencode(fields).encode(), **FORM, **({"cookie": cookie} if cookie else {}))


def joined(served: Hall, name: str, link: str) -> str:
    """Join as a browser does, after a scanner has opened the link; the cookie."""
    looks = [served.ask(f"/join/{link}") for _ in range(2)]
    assert [(look.status, "set-cookie" in look.headers) for look in looks] == [(200, False)] * 2
    answer = post(served, f"/join/{link}", display_name=f"Jürgen {name[-3:]}")
    assert answer.status == 303, answer.body
    return answer.headers["set-cookie"].partition(";")[0]


@pytest.mark.slow
def test_a_hundred_join_by_links_two_lose_theirs_and_twenty_teams_play_in_two_leagues(url: str) -> None:
    now_ms = time.time_ns() // 1_000_000
    with hall(url, replace(OPEN, submissions=TERMS), authors=(), limits=LIMITS) as served:
        people = served.store.people
        wrong = LIST.replace(LINES[3], LINES[2]).replace("student-050@x.org", "none").splitlines()
        with pytest.raises(BadPeople, match="line 52: 'none' is no mail address"):
            read_class_list("\n".join(wrong))
        assert people.all() == []
        listed = read_class_list(LIST)
        links = people.add(listed, now_ms)
        assert sorted(links) == NAMES
        assert people.add(listed, now_ms) == {}
        lost = {name: people.renew(name, "link", now_ms) for name in NAMES[:2]}
        assert [served.ask(f"/join/{links[name]}").status for name in lost] == [404, 404]
        cookies = {name: joined(served, name, (links | lost)[name]) for name in NAMES[:97]}
        assert [each.name for each in people.all() if each.seen_ms is None] == NAMES[97:]
        assert {served.ask(f"/join/{links[name]}").status for name in NAMES[:97]} == {404}
        assert sorted(map(len, people.teams().values())) == [5] * 20
    for league in ("autumn", "winter"):  # a server that begins anew, and a league of which nobody was told
        with hall(url, replace(OPEN, name=league, submissions=TERMS), authors=(), limits=LIMITS) as served:
            for name, cookie in cookies.items():
                me = served.ask(f"/leagues/{league}/api/me", cookie=cookie).json
                assert (me["name"], me["owner"]) == (name, f"team-{int(name[-3:]) // 5:02}")
            body = archive(name=f"bee-{league}").getvalue()
            sent = served.ask(
                f"/leagues/{league}/api/submissions",
                None,
                "POST",
                body,
                cookie=cookies[NAMES[0]],
                content_type="application/gzip",
                sec_fetch_site="same-origin",
            )
            assert (sent.status, sent.json["author"]) == (201, "team-00")
            seen = [
                served.ask(f"/leagues/{league}/api/submissions/{sent.json['number']}", cookie=cookies[name]).status
                for name in (NAMES[4], NAMES[5])
            ]
            assert seen == [200, 404]
