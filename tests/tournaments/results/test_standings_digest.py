from hashlib import sha256

from tournaments.results.standings import league_digest

MATCHES = [("a/deal-0", "aa"), ("a/deal-1", "bb")]


def test_the_digest_is_the_sha_256_of_one_line_a_match() -> None:
    assert league_digest(MATCHES) == sha256(b"a/deal-0 aa\na/deal-1 bb\n").hexdigest()


def test_the_digest_changes_with_a_match_an_id_the_order_and_the_number() -> None:
    others = [
        [MATCHES[0], ("a/deal-1", "cc")],
        [MATCHES[0], ("a/deal-2", "bb")],
        MATCHES[::-1],
        MATCHES[:1],
    ]
    digests = {league_digest(matches) for matches in [MATCHES, *others]}
    assert len(digests) == 5
