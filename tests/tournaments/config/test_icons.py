"""The icon of a league: what is left of the file of an organizer, and what is refused."""

import zlib
from pathlib import Path
from struct import pack

import pytest

from tests.tournaments.config.test_league_file import BOTS, HEAD, TABLE, rules
from tests.tournaments.config.test_league_file import folder as folder  # noqa: PLC0414 - a fixture
from tournaments.config.icons import MOST_KIB, WrongIcon, cleaned
from tournaments.config.league_file import LeagueFileError, read_league, read_past_league

HEAD_OF_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"'


def svg(inside: str, attributes: str = "") -> bytes:
    return f"{HEAD_OF_SVG}{attributes}>{inside}</svg>".encode()


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def png(*extra: bytes, size: int = 8) -> bytes:
    head = chunk(b"IHDR", pack(">IIBBBBB", size, size, 1, 0, 0, 0, 0))
    return b"".join((b"\x89PNG\r\n\x1a\n", head, *extra, chunk(b"IDAT", b"x"), chunk(b"IEND")))


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<a href="javascript:alert(1)">x</a>',
        '<use href="#a"/>',
        '<image href="https://example.org/x.png"/>',
        "<style>@import url(https://example.org)</style>",
        '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>',
        '<b xmlns="http://www.w3.org/1999/xhtml"><svg xmlns="http://www.w3.org/2000/svg"><g/></svg></b>',
        "<text>x</text>",
        "x &amp; y",
        "<?php x ?><!-- x -->",
    ],
)
def test_what_no_picture_needs_is_left_out(inside: str) -> None:
    assert cleaned(svg(inside, ' onload="alert(1)"')) == ("icon.svg", f"{HEAD_OF_SVG}/>".encode())


def test_shapes_with_their_colours_are_kept_also_those_that_an_editor_wrote_as_a_style() -> None:
    shape = '<g style="fill:red; background:url(x)"><path d="M0 0" stroke="url(#a)" fill="URL(http://x)"/></g>'
    kept = '<g fill="red"><path d="M0 0" stroke="url(#a)"/></g>'
    assert cleaned(svg(f"{shape}<title>a&lt;b</title>"))[1] == svg(f"{kept}<title>a&lt;b</title>")


@pytest.mark.parametrize("value", [r"u\72l(http://x)", "url(//x)", "url( 'x' )", "red url(#a) url(x)"])
def test_no_value_leads_out_of_the_picture(value: str) -> None:
    assert cleaned(svg(f'<path fill="{value}"/>'))[1] == svg("<path/>")


def test_a_png_keeps_its_pixels_and_loses_what_was_written_into_it() -> None:
    assert cleaned(png(chunk(b"tEXt", b"Author\0me")) + b"more") == ("icon.png", png())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is no PNG, and no SVG"),
        (b"GIF89a", "is no PNG, and no SVG"),
        (b"<html/>", "is no SVG with a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is no SVG with a viewBox"),
        (b"\xff\xfe<svg", "is no PNG, and no SVG"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + svg("&a;"), "declares entities"),
        (svg("<g>" * 40 + "</g>" * 40), "more than 32 elements in each other"),
        (svg("<b>" * 9000 + "</b>" * 9000).replace(b"</svg>", b""), "is no PNG, and no SVG"),
        (b"\x89PNG\r\n\x1a\n", "is a damaged PNG"),
        (png()[:-5], "is a damaged PNG"),
        (png().replace(b"x", b"y"), "is a damaged PNG"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"IEND"), "is a damaged PNG"),
        (png(size=5_000), "is larger than 1024 by 1024 pixels"),
    ],
)
def test_what_cannot_be_an_icon_is_refused_in_a_sentence(content: bytes, why: str) -> None:
    with pytest.raises(WrongIcon, match=why):
        cleaned(content)


def test_the_league_file_tells_of_the_league_and_names_its_icon(folder: Path) -> None:
    (folder / "icon.svg").write_bytes(svg("<g/>", ' onload="alert(1)"'))
    about = '[about]\ntitle = "Autumn cup"\ntext = "Nim."\nicon = "icon.svg"\nenter = "https://example.org/"\n'
    (folder / "league.toml").write_text(HEAD + about + BOTS + TABLE)
    league = read_league(folder / "league.toml", rules)
    assert (league.about.title, league.about.icon, league.about.organizer) == ("Autumn cup", "icon.svg", "")
    assert league.icon == svg("<g/>")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('title = ""', "about.title: allowed: a text of 1 to 64 signs on one line; this one has 0"),
        (f'text = "{"x" * 301}"', "about.text: allowed: a text of 1 to 300 signs on one line; this one has 301"),
        (r'organizer = "a\nb"', "about.organizer: allowed: a text of 1 to 64 signs on one line; this one has 3"),
        ('rules = "javascript:alert(1)"', "about.rules: is no address; write one such as https://example.org/rules"),
        ('icon = "large.svg"', f"is larger than {MOST_KIB} KiB"),
        ('icon = "bots"', "cannot be read"),
        (
            'icon = "text.svg"',
            "about.icon: text.svg is no PNG, and no SVG: syntax error: line 1, column 0; allowed: an",
        ),
        ('colour = "red"', "about.colour: is not known; known here: title, text, icon, rules, enter, organizer"),
    ],
)
def test_a_mistake_in_it_is_told_in_a_sentence(folder: Path, line: str, why: str) -> None:
    (folder / "large.svg").write_bytes(svg("<g/>" * 6_000))
    (folder / "text.svg").write_text("a circle")
    (folder / "league.toml").write_text(f"{HEAD}[about]\n{line}\n{BOTS}{TABLE}")
    with pytest.raises(LeagueFileError) as refused:
        read_league(folder / "league.toml", rules)
    assert len(refused.value.problems) == 1
    assert why in refused.value.problems[0]


def test_what_was_played_can_be_read_without_the_icon(folder: Path) -> None:
    (folder / "league.toml").write_text(f'{HEAD}[about]\nicon = "gone.svg"\n{BOTS}{TABLE}')
    assert read_past_league(folder / "league.toml", rules).icon == b""
