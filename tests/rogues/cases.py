"""Every rogue, with what must come of it: in the box, and without one where the attack does no harm.

Without a box, most of the attacks on the machine succeed: that shows that they are real.
"""

import importlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.match.transcript import FaultKind
from tests.rogues.bots.bot import WON, Attack
from tests.rogues.leagues import TWO_SEATS_EACH, Terms

MODULES = (
    *("batches", "caches", "clocks", "counters", "files", "kernel", "memories", "network", "output", "pins"),
    *("pipes", "processes", "wire"),
)


class Ending(NamedTuple):
    """The fate of a rogue in its matches.

    Attributes:
        kind: of its faults; None: it has none, and plays on as an honest bot does.
        text: a pattern for the sentence about each fault; if not `always`, of one or more.
        always: whether each of its matches ends so, or one or more; None: any number of them, and it plays the others.
        or_kind: another kind that its faults may have, where the attack is a race.
    """

    kind: FaultKind | None = None
    text: str = ""
    always: bool | None = True
    or_kind: FaultKind | None = None


class Case(NamedTuple):
    """A rogue and what must come of it.

    Attributes:
        attack: its name.
        boxed: its fate in the box.
        bare: its fate without a box; None: it would do harm.
        terms: of the league.
    """

    attack: str
    boxed: Ending
    bare: Ending | None
    terms: Terms


PLAYS_ON = Ending()
SUCCEEDS = Ending(FaultKind.CRASH, f"its process ended with code {WON}", always=False)

ORDINARY = Terms()
BRIEF = Terms(move_ms=1_500, start_ms=3_000)
"""For rogues that let time pass."""

BRIEF_MOVES = Terms(move_ms=1_500)
"""For rogues that prepare while a match begins, and let time pass later."""

IN_A_TEAM = Terms(table=TWO_SEATS_EACH)
"""Two processes of the rogue are partners, who do not see each other's cards. They are alive at the same time."""

AGAINST_THINKERS = Terms(opponents="honest.thinks")
WITH_LITTLE_MEMORY = Terms(memory_mib=400)
WITH_LEAST_MEMORY = Terms(memory_mib=150)

IN_BATCHES = Terms(deals=6, batch=4)
"""The rogue is in four sittings. A bot that breaks a batch in each of them plays its fourth match singly."""

BREAKS = IN_BATCHES._replace(breaks=True)
BREAKS_BY_TIME = BREAKS._replace(move_ms=1_500)


def _crash(text: str) -> Ending:
    return Ending(FaultKind.CRASH, text)


def _wrong(text: str) -> Ending:
    return Ending(FaultKind.PROTOCOL, text)


def _no_start(text: str) -> Ending:
    return Ending(FaultKind.NO_START, text)


def _late(what: str) -> Ending:
    return Ending(FaultKind.TIMEOUT, f"did not answer {what} within 1500 ms")


SILENT = _late("decision 2")
_DIED = "died or hung up"
"""On a busy machine nobody may see in time how the process ended."""

_NEVER_UP = "did not (answer Describe|print REFEREE_PORT=...) within 3000 ms"
_ENDED = r"died or hung up \({}.*\)"
_BROKEN = r"died or hung up \(internal: (it|its|what it) "
"""It does not keep to HTTP/2."""


def _cases(
    module: str, names: str, boxed: Ending, bare: Ending | None = None, terms: Terms = ORDINARY
) -> Iterator[Case]:
    yield from (Case(f"{module}.{name}", boxed, bare, terms) for name in names.split())


def _wire(names: str, ending: Ending, terms: Terms = ORDINARY) -> Iterator[Case]:
    """Bytes on the wire do not harm the machine, with or without a box."""
    yield from _cases("wire", names, ending, ending, terms)


def _all() -> Iterator[Case]:
    yield from _batches()
    yield from _clocks()
    yield from _memories()
    yield from _caches()
    yield from _files()
    yield from _processes()
    yield from _kernel()
    yield from _pins()
    yield from _cases("counters", "reads_counters_of_the_machine", PLAYS_ON, SUCCEEDS)
    yield from _cases("counters", "remembers_by_a_counter_of_the_machine", PLAYS_ON)  # each core counts
    yield from _network()
    yield from _output()
    yield from _frames()
    yield from _headers()
    yield from _messages()


def _batches() -> Iterator[Case]:
    """Whatever they do to a batch, every match has the result of single play, and nobody a fault."""
    yield from _cases("batches", "answers_in_pieces answers_in_an_old_spelling", PLAYS_ON, PLAYS_ON, IN_BATCHES)
    yield from _cases("batches", "answers_when_all_is_over", PLAYS_ON, PLAYS_ON, IN_BATCHES)
    yield from _cases("batches", "says_that_it_plays_4_billion", PLAYS_ON, PLAYS_ON, IN_BATCHES)
    wrong = """
        answers_for_a_match_that_is_not_open answers_for_no_match answers_twice_at_once answers_twice_with_two_minds
        answers_twice floods_with_answers answers_with_nothing answers_with_nothing_again_and_again has_too_few_indices
        has_too_many_decisions has_columns_of_many_thousands ends_a_column_in_the_middle_of_a_number
        answers_an_older_batch answers_decisions_to_come is_ready_for_decisions answers_one_by_one is_ready_singly
        chooses_too_high dies hangs_up
    """
    yield from _cases("batches", wrong, PLAYS_ON, PLAYS_ON, BREAKS)
    late = "answers_partly never_answers hangs_with_half_an_answer"
    yield from _cases("batches", late, PLAYS_ON, PLAYS_ON, BREAKS_BY_TIME)
    singly = _wrong("answered decision 2 with answers to a batch")
    yield from _cases("batches", "answers_a_single_decision_as_a_batch", singly, singly)


def _clocks() -> Iterator[Case]:
    alone = "sleeps spins starves_itself_with_threads wakes_all_at_once"
    yield from _cases("clocks", alone, SILENT, SILENT, BRIEF)
    with_children = """
        starves_itself_with_processes hides_its_children hides_its_children_between_looks
        hogs_the_core_around_its_deadline hogs_the_core_unseen_around_its_deadline
    """
    yield from _cases("clocks", with_children, SILENT, None, BRIEF)
    yield from _cases("clocks", "changes_its_threads", SILENT, SILENT, BRIEF_MOVES)
    floods = """
        keeps_the_referee_busy_with_pings keeps_the_referee_busy_with_settings keeps_the_referee_busy_with_windows
    """
    yield from _cases("clocks", floods, _crash(_BROKEN), _crash(_BROKEN), BRIEF)


def _memories() -> Iterator[Case]:
    where_it_can_write = """
        in_its_folder beside_its_source in_its_source in_what_python_compiles in_git in_tmp in_var_tmp
        in_shared_memory above_its_socket beside_the_store beside_its_opponent in_a_time in_a_mode in_an_attribute
        in_a_link in_the_time_of_a_look in_a_segment in_a_semaphore in_a_queue in_a_posix_queue in_a_keyring
    """
    yield from _cases("memories", where_it_can_write, PLAYS_ON, SUCCEEDS)
    yield from _cases("memories", "in_a_child_that_stays", PLAYS_ON, SUCCEEDS)
    yield from _cases("memories", "beside_its_socket", PLAYS_ON, PLAYS_ON)
    only_root_can = "at_home anywhere in_the_list_of_users in_the_name_of_the_machine in_a_setting_of_the_kernel in_sys"
    yield from _cases("memories", only_root_can, PLAYS_ON)
    # Without a box it would leave a time that the same bot in a box, in a league at the same time, would find.
    yield from _cases("memories", "in_the_time_of_a_device", PLAYS_ON)
    at_the_same_time = """
        in_a_name_of_a_socket in_a_port in_a_datagram in_a_lock in_a_look_at_a_file in_a_page_of_a_file
        in_a_lock_of_a_few_bytes in_a_lease in_a_name_of_a_process in_the_memory_of_another
    """
    yield from _cases("memories", at_the_same_time, PLAYS_ON, SUCCEEDS, IN_A_TEAM)


def _caches() -> Iterator[Case]:
    asked = """
        looks_up_in_the_cache_only reads_from_the_cache_only writes_to_the_cache_only reads_from_the_cache_later
        empties_the_cache pages_out fills_the_cache asks_which_pages_are_in_memory
    """
    yield from _cases("caches", asked, PLAYS_ON, SUCCEEDS)
    yield from _cases("caches", "counts_pages_in_memory", PLAYS_ON)  # older kernels do not know it


def _files() -> Iterator[Case]:
    what_its_user_may = """
        reads_the_store reads_the_league_file asks_the_store reads_the_lock reads_its_opponent
        reads_what_others_were_told edits_its_opponent removes_its_opponent edits_itself
        writes_to_the_store makes_a_file_of_a_tebibyte writes_one_large_file
    """
    yield from _cases("files", what_its_user_may, PLAYS_ON, SUCCEEDS)
    yield from _cases("files", "lists_mounts", PLAYS_ON, PLAYS_ON)
    what_root_may = """
        reads_the_secrets_of_its_user reads_devices makes_a_device follows_the_roots_of_others climbs_out edits_python
        edits_the_system
    """
    yield from _cases("files", what_root_may, PLAYS_ON)
    yield from _cases("files", "fills_its_scratch makes_a_million_files", PLAYS_ON)
    beside_its_socket = """
        nests_folders plants_a_session takes_away_the_right_to_remove links_its_folder_to_others
        moves_its_socket_away moves_its_folder_away listens_behind_a_link
    """
    yield from _cases("files", beside_its_socket, PLAYS_ON)
    yield from _cases("files", "makes_many_files", _crash(_DIED))
    never_up = _no_start(_NEVER_UP)
    yield from _cases("files", "is_a_pipe is_the_socket_of_another", never_up, None, BRIEF)
    # In a box, the referee may have opened the socket that is then removed. It calls nobody by it.
    removed = never_up._replace(always=None)
    yield from _cases("files", "gives_its_socket_to_nobody", removed, PLAYS_ON, BRIEF)


def _processes() -> Iterator[Case]:
    to_others = """
        kills_a_process_by_its_number kills_its_opponents kills_its_parents kills_by_descriptor slows_a_process_down
        limits_a_process traces_a_process reads_the_memory_of_others copies_the_memory_of_others steals_a_descriptor
        kills_everything stops_its_parent_at_its_deadline signals_by_a_pipe
    """
    yield from _cases("processes", to_others, PLAYS_ON, SUCCEEDS)
    its_own = "traces_its_child starts_a_session starts_a_group has_a_thousand_threads chooses_its_core"
    yield from _cases("processes", its_own, PLAYS_ON, SUCCEEDS)
    yield from _cases("processes", "forks takes_the_processor", PLAYS_ON)
    yield from _cases("processes", "raises_its_limits takes_precedence types_on_the_terminal opens_files", PLAYS_ON)
    yield from _cases("processes", "leaves_children leaves_a_group", PLAYS_ON, PLAYS_ON)
    yield from _cases("processes", "leaves_a_daemon", PLAYS_ON)
    yield from _cases("processes", "outlives_its_parent ignores_sigterm", PLAYS_ON, PLAYS_ON)
    yield from _cases("processes", "thinks_in_a_child", PLAYS_ON, PLAYS_ON, AGAINST_THINKERS)
    yield from _cases("processes", "thinks_in_a_group thinks_in_a_session", PLAYS_ON, SUCCEEDS, AGAINST_THINKERS)
    memory = "takes_memory takes_a_file_of_memory takes_shared_memory"
    yield from _cases("processes", memory, PLAYS_ON, SUCCEEDS, WITH_LITTLE_MEMORY)
    yield from _cases("processes", "lets_children_take_memory", _crash(_DIED), None, WITH_LITTLE_MEMORY)
    in_the_kernel = "fills_page_tables fills_sockets"
    yield from _cases("processes", in_the_kernel, _crash(_DIED), SUCCEEDS, WITH_LEAST_MEMORY)
    yield from _cases("processes", "enlarges_its_buffers", PLAYS_ON, SUCCEEDS)
    yield from _cases("processes", "stops_itself", SILENT, SILENT, BRIEF)
    yield from _cases("processes", "stops_everything", PLAYS_ON, SUCCEEDS)
    dead = "dies_by_sigkill dies_by_sigabrt dies_by_sighup"
    yield from _cases("processes", dead, _crash(_DIED), _crash(_DIED))
    yield from _cases("processes", "dies_by_sigsegv", _crash(_DIED))  # without a box it leaves a core
    nothing = _no_start("ended before it could be called; its process ended with code 0")
    yield from _cases("processes", "exits_with_the_code_of_success", nothing, nothing)
    never = _no_start(_NEVER_UP)
    yield from _cases("processes", "is_never_ready", never, never, BRIEF)
    not_ready = _no_start("did not answer the start within 3000 ms")
    yield from _cases("processes", "is_never_ready_for_a_match", not_ready, not_ready, BRIEF)


def _kernel() -> Iterator[Case]:
    for_everybody = """
        makes_a_user_namespace forks_into_namespaces has_a_keyring has_capabilities asks_for_io_uring
    """
    yield from _cases("kernel", for_everybody, PLAYS_ON, SUCCEEDS)
    for_root = """
        makes_other_namespaces joins_namespaces mounts makes_what_it_reads_writable unmounts changes_its_root
        opens_by_handle runs_programs_of_root becomes_root loads_bpf counts_what_others_do handles_faults_of_memory
        watches_all_files compares_processes reads_the_log_of_the_kernel sets_the_clock switches_the_machine
        loads_a_kernel keeps_accounts_of_processes opens_odd_sockets opens_raw_sockets
    """
    yield from _cases("kernel", for_root, PLAYS_ON)


def _pins() -> Iterator[Case]:
    refused = """
        fills_filters fills_pipes_with_pages fills_sockets_with_pages enlarges_a_pipe filters_its_sockets
        hides_what_it_takes
    """
    yield from _cases("pins", refused, PLAYS_ON, SUCCEEDS)
    of_some_kernels = "fills_rules fills_a_table_of_futexes has_a_thread_with_files_of_its_own has_many_timers"
    yield from _cases("pins", of_some_kernels, PLAYS_ON)
    counted = "fills_mappings fills_epoll_sets takes_memory_without_its_first_thread"
    yield from _cases("pins", counted, _crash(_DIED), None, WITH_LEAST_MEMORY)


def _network() -> Iterator[Case]:
    yield from _cases("network", "calls_a_service sees_connections calls_every_socket", PLAYS_ON, SUCCEEDS)
    yield from _cases("network", "calls_other_bots", PLAYS_ON, SUCCEEDS, IN_A_TEAM)
    every_port = "calls_every_port"
    yield from _cases("network", every_port, PLAYS_ON, SUCCEEDS, Terms(transport="tcp"))
    what_there_may_be = """
        calls_by_version_6 calls_the_internet lists_interfaces calls_services_of_the_system calls_the_hypervisor
    """
    yield from _cases("network", what_there_may_be, PLAYS_ON)


def _output() -> Iterator[Case]:
    on_and_on = "prints_much prints_one_long_line names_another_port closes_its_output"
    yield from _cases("output", on_and_on, PLAYS_ON, PLAYS_ON)
    yield from _cases("output", "paints_its_last_words forges_its_last_words", _crash(_DIED), _crash(_DIED))
    yield from _cases("output", "never_stops_printing", SILENT, SILENT, BRIEF)
    any_port = BRIEF._replace(transport="tcp-any")
    not_answered = _no_start(_NEVER_UP)
    yield from _cases("output", "has_no_port is_another_program", not_answered, not_answered, any_port)


def _frames() -> Iterator[Case]:
    ignored = "answers_in_a_closed_call goes_away_and_stays opens_its_window_by_a_byte"
    yield from _wire(ignored, PLAYS_ON)
    no_frames = """
        floods_with_pings floods_with_settings floods_with_priorities floods_with_windows floods_with_unknown_frames
        floods_with_acknowledgements floods_with_nothing continues_without_end continues_with_nothing
        interrupts_its_headers opens_streams pushes sends_data_to_nobody answers_in_a_call_to_come
        sends_too_long_a_frame speaks_html speaks_noise opens_its_window_by_nothing opens_its_window_too_far
        begins_again sets_what_is_not_allowed pads_more_than_there_is
    """
    yield from _wire(no_frames, _crash(_BROKEN))
    yield from _wire("resets_its_stream", _crash(_ENDED.format("resource_exhausted")))
    yield from _wire("resets_without_an_error", _crash(_ENDED.format("internal")))
    yield from _wire("resets_again_and_again", _crash(_ENDED.format("cancelled")))
    yield from _wire("goes_away hangs_up hangs_up_in_the_middle", _crash(_ENDED.format("unavailable")))
    never = _no_start(_NEVER_UP)
    yield from _wire("never_greets hangs_up_on_every_call", never, BRIEF)
    html = _no_start(r"did not answer Describe \(internal: what it sends is no HTTP/2\)")
    yield from _wire("greets_in_html", html, BRIEF)
    yield from _wire("closes_its_window", _late("decision 1"), BRIEF)
    yield from _wire("allows_no_stream", _no_start("did not answer the start within 3000 ms"), BRIEF)
    yield from _wire("wants_a_table_of_4_gib", PLAYS_ON)


def _headers() -> Iterator[Case]:
    yield from _wire("ends_well", _crash("ended its stream|died or hung up"))
    yield from _wire("ends_without_a_status", _crash(_ENDED.format("unknown")))
    unknown = """
        ends_with_a_painted_status ends_with_a_long_message ends_with_no_number ends_with_an_unknown_status
        ends_with_two_statuses ends_with_a_message_that_is_no_text ends_by_chance says_that_the_referee_cancelled
        says_that_time_is_up says_that_the_token_is_wrong says_that_its_message_was_too_long
    """
    yield from _wire(unknown, _crash("ended its stream|died or hung up"))
    wrong = """
        has_a_megabyte_of_headers wastes_the_table_of_headers shouts names_a_header_that_is_not_there
    """
    yield from _wire(wrong, _no_start(_BROKEN))
    yield from _wire("calls_itself_html", PLAYS_ON)
    yield from _wire("is_not_found", _no_start(_ENDED.format("unimplemented")))
    yield from _wire("has_no_status", _no_start(_ENDED.format("unknown")))


def _messages() -> Iterator[Case]:
    compressed = "compresses announces_a_gzip_bomb is_a_gzip_bomb compresses_in_its_own_way"
    yield from _wire(compressed, _wrong("sent a compressed message"))
    yield from _wire("has_an_unknown_flag", _wrong("sent a message with the unknown flag 7"))
    yield from _wire("promises_a_byte_more drips answers_too_late", SILENT, BRIEF)
    yield from _wire("promises_4_gib has_much_unknown sends_64_kib", _wrong("sent a message over 64 KiB"))
    yield from _wire("promises_a_byte_more_and_ends", _crash("ended its stream|died or hung up"))
    yield from _wire(
        "promises_a_byte_less sends_noise opens_groups", _wrong("sent [0-9]+ bytes that are no BotMessage")
    )
    yield from _wire("answers_at_the_last_moment", PLAYS_ON, BRIEF)
    yield from _wire("answers_after_the_end keeps_its_stream floods_at_the_end", PLAYS_ON)
    unasked = r"spoke without being asked|answered decision 2 when decision 3 was asked"
    yield from _wire("answers_twice floods_with_answers", _wrong(unasked))
    yield from _wire("answers_the_first_again", _wrong("answered decision 1 when decision 2 was asked"))
    in_advance = "spoke without being asked|answered decision [0-9]+ when"
    # What comes before a question may be read after it, and then it is an answer like any other.
    yield from _wire("answers_before_it_is_asked", _wrong(in_advance)._replace(always=False))
    too_high = Ending(FaultKind.ILLEGAL, "chose index 4294967295 at decision 2")
    yield from _wire("answers_with_minus_one answers_with_a_huge_index", too_high)
    yield from _wire("answers_by_a_wrapped_number", PLAYS_ON)
    yield from _wire("is_deeply_nested", _wrong("answered decision 0 when decision 2 was asked"))
    yield from _wire("sends_nothing", _wrong("sent a BotMessage that is none of Ready, .* and Answers"))
    somebody = _no_start(r"says it is .*, but its bot\.toml says rogue@1")
    yield from _wire("is_somebody_else has_a_painted_name", somebody)
    yield from _wire("has_a_name_that_is_no_text", _no_start("bytes that are no DescribeResponse"))
    yield from _wire("never_stops_describing has_a_long_description", _no_start("Describe"))


CASES = {case.attack: case for case in _all()}


# Rogues that read lines

_WITH_AN_ADDRESS = [
    "clocks.keeps_the_referee_busy_with_pings",
    "clocks.keeps_the_referee_busy_with_settings",
    "clocks.keeps_the_referee_busy_with_windows",
    "files.gives_its_socket_to_nobody",
    "files.is_a_pipe",
    "files.is_the_socket_of_another",
    "files.links_its_folder_to_others",
    "files.listens_behind_a_link",
    "files.makes_many_files",
    "files.moves_its_folder_away",
    "files.moves_its_socket_away",
    "files.nests_folders",
    "files.plants_a_session",
    "files.takes_away_the_right_to_remove",
    "memories.above_its_socket",
    "memories.beside_its_socket",
    "output.closes_its_output",
    "output.has_no_port",
    "output.is_another_program",
    "output.names_another_port",
    "output.prints_one_long_line",
]
"""Rogues that need an address or HTTP/2; and those whose output is read as answers, which `_pipes` has."""

_SAID_OF_LINES = {
    _DIED: "^ended(;|$)",
    _NEVER_UP: "did not answer the start within 3000 ms; nothing arrived",
    "ended before it could be called; its process ended with code 0": "^ended; its process ended with code 0",
}
"""The sentences about bots that nobody calls."""


def _in_lines() -> Iterator[Case]:
    """Every attack that does not need an address. Without a box those are tried that harm nobody."""
    for case in CASES.values():
        module, _, _ = case.attack.partition(".")
        if module not in {"batches", "wire"} and case.attack not in _WITH_AN_ADDRESS:
            bare = None if case.bare in (None, SUCCEEDS) else _said(case.bare)
            yield Case(case.attack, _said(case.boxed), bare, case.terms._replace(reads_lines=True))
    yield from _pipes()


def _said(ending: Ending) -> Ending:
    return ending._replace(text=_SAID_OF_LINES.get(ending.text, ending.text))


def _pipes() -> Iterator[Case]:
    lines, brief_moves = ORDINARY._replace(reads_lines=True), BRIEF_MOVES._replace(reads_lines=True)

    def cases(names: str, ending: Ending, terms: Terms = lines) -> Iterator[Case]:
        yield from _cases("pipes", names, ending, ending, terms)

    yield from cases("dies_while_a_child_has_its_pipes", _crash("^ended; its process ended with code 3"))
    yield from cases("lets_a_child_take_its_messages", _late("decision 3"), brief_moves)
    unasked = _wrong("spoke without being asked")
    # What comes before a question may be read after it, and then it is an answer like any other. The answers that
    # follow are one decision late, and may be no legal action there.
    race = Ending(FaultKind.PROTOCOL, f"{unasked.text}|^chose index", always=None, or_kind=FaultKind.ILLEGAL)
    yield from cases("answers_before_it_is_asked answers_at_the_right_moment", race)
    yield from cases("floods_with_answers", unasked)
    yield from cases("floods_with_empty_lines", _wrong("sent a line that is no answer: ''"))
    yield from cases("leaves_half_a_line keeps_its_input_from_ending", PLAYS_ON)
    yield from cases("names_its_matches", PLAYS_ON, IN_BATCHES._replace(reads_lines=True))
    wrong = """
        answers_for_a_match_that_is_not_open answers_for_a_match_twice answers_another_decision_of_a_match
        says_that_it_is_ready_for_a_decision dies_in_a_batch
    """
    yield from cases(wrong, PLAYS_ON, BREAKS._replace(reads_lines=True))
    yield from cases("answers_only_single_questions", PLAYS_ON, BREAKS_BY_TIME._replace(reads_lines=True))
    port = _wrong("sent a line that is no answer: 'REFEREE_PORT=")
    yield from _cases("output", "names_another_port", port, port, lines)
    long = _wrong("sent a line over 64 KiB")
    yield from _cases("output", "prints_one_long_line", long, long, lines)
    closed = _crash("^ended; its process ended with code (1|120)$")
    yield from _cases("output", "closes_its_output", closed, closed, lines)


IN_LINES = {case.attack: case for case in _in_lines()}

NOT_PROMISED = {
    "memories.in_a_page_of_a_file": "bots that are alive at the same time can signal, see docs/sandbox.md",
}
"""Rogues that succeed in the box, by means that docs/sandbox.md leaves out of its promise. It says why."""


def attacks() -> Iterable[tuple[str, Attack]]:
    """Every attack that there is, by its name."""
    for module in MODULES:
        for name, value in vars(importlib.import_module(f"tests.rogues.bots.{module}")).items():
            if isinstance(value, Attack):
                yield f"{module}.{name}", value
