from typing import Any

import pytest
from msgspec.structs import replace

from tournaments.league.service_terms import DAY_MS, SubmissionTerms
from tournaments.league.submissions import (
    ORGANIZER,
    NoSuchEntry,
    State,
    Submission,
    SubmissionOffer,
    SubmissionRegistry,
    hindrances,
    refusals,
    superseded,
)

NOW_MS = 10 * DAY_MS
OFFER = SubmissionOffer("eva", "bee@2", "bee@2", "s2", 1000)


def submission(number: int, entry: str, state: State = "entered", **other: Any) -> Submission:
    values: dict[str, Any] = {
        "author": "eva",
        "entry": entry,
        "bot": entry,
        "source": f"s{number}",
        "size": 1000,
        "number": number,
        "state": state,
        "built": None,
        "built_size": 0,
        "received_ms": number,
        "changed_ms": number,
    }
    return Submission(**(values | other))


def registry(*submissions: Submission, **other: Any) -> SubmissionRegistry:
    entered = frozenset(each.entry for each in submissions if each.state == "entered")
    values: dict[str, Any] = {"owners": {}, "taken": entered, "roster": entered}
    return SubmissionRegistry(submissions, **(values | other))


def refused(
    offer: SubmissionOffer,
    found: SubmissionRegistry,
    terms: SubmissionTerms = SubmissionTerms(),  # noqa: B008 - frozen
    now_ms: int = NOW_MS,
) -> list[str]:
    return list(refusals(offer, found, terms, now_ms))


def test_the_first_offer_of_anybody_is_taken() -> None:
    assert refused(OFFER, registry()) == []


def test_a_league_that_is_closed_takes_nobody_in_not_even_whom_the_organizer_submits() -> None:
    sentence = "the league is closed; nobody enters it any more"
    for offer in (OFFER, replace(OFFER, author=ORGANIZER)):
        assert refused(offer, registry(closed=True)) == [sentence]
    assert list(hindrances(OFFER, registry(closed=True))) == [sentence]


def test_a_name_belongs_to_whom_it_belongs_whatever_the_label_and_version() -> None:
    owned = registry(owners={"bee": "max"})
    sentence = "the name bee belongs to another author; choose another one"
    labelled = replace(OFFER, entry="bee+x@3", bot="bee@3")
    for offer in (OFFER, labelled, replace(OFFER, author=ORGANIZER)):
        assert refused(offer, owned) == [sentence]
    assert refused(replace(OFFER, author="max"), owned) == []


def test_a_new_name_must_not_be_like_that_of_another_author_and_one_that_is_there_stays_valid() -> None:
    owned = registry(owners={"Bee": "max", "BEE": "eva", "-rf": "eva", "CON": "eva"})
    sentence = "the name bee is too like a name that is taken, Bee; choose another one"
    assert refused(OFFER, owned) == list(hindrances(OFFER, owned)) == [sentence]
    assert refused(OFFER, registry(owners={"BEE": "eva"})) == []
    for name in ("BEE", "-rf", "CON"):
        assert refused(replace(OFFER, entry=f"{name}@2", bot=f"{name}@2"), owned) == []
    for name in ("-x", "nul"):
        (fault,) = refused(replace(OFFER, entry=f"{name}@2", bot=f"{name}@2"), owned)
        assert fault.startswith(f"the name {name} ")


def test_the_name_of_an_entry_is_there_once_and_stays_with_its_files() -> None:
    in_it = "bee@2 is in the league already; a changed bot needs a new version or label"
    assert refused(OFFER, registry(submission(1, "bee@2"))) == [in_it]
    under_way = "bee@2 is being built or checked already; a changed bot needs a new version or label"
    assert refused(OFFER, registry(submission(1, "bee@2", "checking"))) == [under_way]
    gone = registry(submission(1, "bee@2", "withdrawn"), taken={"bee@2"}, roster=frozenset())
    before = "bee@2 was in the league before, with other files; a changed bot needs a new version or label"
    assert refused(OFFER, gone) == [before]
    assert refused(replace(OFFER, source="s1"), gone) == []
    assert refused(OFFER, registry(submission(1, "bee@2", "rejected"))) == []


def test_the_same_content_is_known_within_one_author_and_one_name_only_and_not_after_it_was_deleted() -> None:
    found = registry(submission(1, "bee@2", "withdrawn", source="s2"), submission(2, "bee@2", "deleted", author="max"))
    assert found.same(OFFER) == found.submissions[0]
    for other in (
        replace(OFFER, author="max"),
        replace(OFFER, entry="bee+x@2"),
        replace(OFFER, source="s3"),
        replace(OFFER, author="max", source="s2"),
    ):
        assert found.same(other) is None


def test_it_opens_and_closes_on_time_for_all_but_the_organizer() -> None:
    terms = SubmissionTerms(opens_ms=NOW_MS, closes_ms=NOW_MS + 10)
    too_early = "the league does not take submissions yet (opens in [submissions])"
    too_late = "the league takes no more submissions (closes in [submissions])"
    times = [NOW_MS - 1, NOW_MS, NOW_MS + 9, NOW_MS + 10]
    assert [refused(OFFER, registry(), terms, now) for now in times] == [[too_early], [], [], [too_late]]
    assert [refused(replace(OFFER, author=ORGANIZER), registry(), terms, now) for now in times] == [[]] * 4


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        (SubmissionTerms(a_day=2), "eva has submitted 2 times within a day; try again tomorrow"),
        (SubmissionTerms(entries=2), "eva has 2 bots in the league already; withdraw one first"),
        (SubmissionTerms(author_mib=2), "what is kept of eva would be more than 2 MiB; have an old bot deleted"),
    ],
)
def test_each_quota_counts_what_one_author_has_and_not_what_others_have(terms: SubmissionTerms, sentence: str) -> None:
    def two(author: str) -> SubmissionRegistry:
        return registry(
            submission(1, "a@1", author=author, received_ms=NOW_MS - 1, size=1 << 20),
            submission(2, "b@1", author=author, received_ms=NOW_MS - 2, built_size=(1 << 20) - 1999),
        )

    assert refused(OFFER, two("eva"), terms) == [sentence]
    assert refused(OFFER, two("max"), terms) == []
    assert refused(replace(OFFER, author=ORGANIZER), two(ORGANIZER), terms) == []


def test_what_is_a_day_old_rejected_or_deleted_is_not_counted_any_more() -> None:
    assert refused(OFFER, registry(submission(1, "a@1", received_ms=NOW_MS - DAY_MS)), SubmissionTerms(a_day=1)) == []
    assert refused(OFFER, registry(submission(1, "a@1", "rejected")), SubmissionTerms(entries=1)) == []
    assert refused(OFFER, registry(submission(1, "a@1", "checking")), SubmissionTerms(entries=1)) != []
    assert refused(OFFER, registry(submission(1, "a@1", "deleted", size=1 << 30)), SubmissionTerms(author_mib=1)) == []


def test_of_a_bot_so_many_versions_stay_and_the_one_that_was_entered_first_goes() -> None:
    # Number 3 was received after number 2, and entered before it.
    versions = [submission(1, "bee@0", changed_ms=1), submission(2, "bee@9", changed_ms=9), submission(3, "bee@3")]
    others = [submission(4, "wasp@1", changed_ms=0), submission(5, "bee@4", "withdrawn", changed_ms=0)]
    found = registry(*versions, *others)
    gone = [[each.entry for each in superseded(OFFER, found, SubmissionTerms(versions=most))] for most in (1, 2, 3, 4)]
    assert gone == [["bee@0", "bee@3", "bee@9"], ["bee@0", "bee@3"], ["bee@0"], []]
    assert superseded(OFFER, found, SubmissionTerms()) == []
    assert refused(OFFER, registry(*versions), SubmissionTerms(entries=3, versions=3)) == []
    assert refused(OFFER, registry(*versions), SubmissionTerms(entries=3)) != []


def test_whoever_comes_too_late_is_told_why_when_it_was_checked() -> None:
    assert list(hindrances(OFFER, registry(closed=True))) == ["the league is closed; nobody enters it any more"]
    assert len(list(hindrances(OFFER, registry(submission(1, "bee@2"), owners={"bee": "max"})))) == 2
    assert list(hindrances(OFFER, registry())) == []


def test_an_entry_is_found_by_its_latest_submission_and_others_are_named() -> None:
    found = registry(submission(1, "bee@2", "rejected"), submission(2, "bee@2"), submission(3, "wasp@1"))
    assert found.find("bee@2").number == 2
    with pytest.raises(NoSuchEntry, match=r"as cow@1; submitted: bee@2, wasp@1$"):
        found.find("cow@1")


def test_what_was_rejected_may_be_sent_again_and_is_a_new_submission() -> None:
    assert registry(submission(1, "bee@2", "rejected", source=OFFER.source)).same(OFFER) is None


def test_of_each_name_the_last_submission_is_found_if_it_was_rejected_since_a_time() -> None:
    found = registry(
        submission(1, "bee@2", "rejected"),
        submission(2, "wasp@1", "rejected"),
        submission(3, "bee@2", "rejected"),
        submission(4, "ant@1", "rejected"),
        submission(5, "ant@1", "entered"),
        submission(6, "fly@1", "withdrawn"),
    )
    assert [each.number for each in found.rejected_since(1)] == [3, 2]
    assert [each.number for each in found.rejected_since(3)] == [3]
    assert found.rejected_since(4) == []
