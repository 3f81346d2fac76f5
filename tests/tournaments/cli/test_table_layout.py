from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tournaments.cli.table_layout import LONGEST_NAME, FittedTable, TableColumn, fitted, pages, shortened

NAMES = ["counter@1", "a-bot-with-a-long-name@1.12", "a-bot-with-a-long-name@1.13"]


def printed(found: FittedTable) -> list[str]:
    console = Console(width=1_000)
    with console.capture() as capture:
        console.print(found.table)
    return capture.get().splitlines()


def widest(found: FittedTable) -> int:
    return max(len(line) for line in printed(found))


def columns(names: list[str] = NAMES) -> list[TableColumn]:
    cells = ["1234"] * len(names)
    return [
        TableColumn("bot", names, names=True),
        TableColumn("must", cells),
        TableColumn("may", cells, 1),
        TableColumn("might", cells, 2),
    ]


def test_where_there_is_room_nothing_is_left_out_and_columns_are_two_blanks_apart() -> None:
    found = fitted("title", columns(), 100)
    assert (found.left_out, found.shortened) == ((), ())
    assert printed(found)[2] == "counter@1                    1234  1234   1234"


def test_the_second_blank_goes_first() -> None:
    found = fitted("title", columns(), 43)
    assert (found.left_out, found.shortened) == ((), ())
    assert printed(found)[2] == "counter@1                   1234 1234  1234"


def test_then_names_are_shortened_to_the_room_there_is() -> None:
    found = fitted("title", columns(), 40)
    assert (found.left_out, found.shortened) == ((), tuple(NAMES[1:]))
    assert widest(found) == 40


def test_names_of_16_characters_are_kept_before_spare_columns() -> None:
    found = fitted("title", columns(), 30)
    assert found.left_out == ("might",)
    assert fitted("title", columns(), 22).left_out == ("may", "might")
    assert LONGEST_NAME == 16


def test_what_must_be_there_stays_however_little_room_there_is() -> None:
    found = fitted("title", columns(), 3)
    assert printed(found)[0].split() == ["bot", "must"]
    assert printed(found)[2].split() == ["count…@1", "1234"]


def test_the_end_of_a_name_is_kept_because_versions_differ_there() -> None:
    short = [shortened(name, 16) for name in NAMES]
    assert short == ["counter@1", "a-bot-with…@1.12", "a-bot-with…@1.13"]


@given(st.text("abc-@1", min_size=1, max_size=40), st.integers(8, 50))
def test_a_shortened_name_fits(name: str, limit: int) -> None:
    assert len(shortened(name, limit)) == min(len(name), limit)


@given(st.integers(30, 120))
def test_a_table_is_no_wider_than_the_room_if_its_columns_can_be_spared(width: int) -> None:
    assert widest(fitted("title", columns(), width)) <= width


@given(st.integers(1, 30), st.integers(40, 200))
def test_pages_have_every_column_once_in_order_and_each_fits(count: int, width: int) -> None:
    cells = [TableColumn(str(at), ["100.0%"] * 3) for at in range(count)]
    found = list(pages("title", [TableColumn("bot", NAMES, names=True)], cells, width))
    assert [title for page in found for title in printed(page)[0].split()[1:]] == [str(at) for at in range(count)]
    assert all(widest(page) <= width for page in found)


def test_a_table_without_lines_is_a_heading() -> None:
    assert printed(fitted("title", columns([]), 80))[0].split() == ["bot", "must", "may", "might"]
