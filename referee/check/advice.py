"""What to change in a game that fails a point of its check: the method, and how."""

from collections.abc import Mapping

_BY_WORDS: Mapping[str, str] = {
    "what the seat was told leads elsewhere": "`reconstruct`: use all events, choices and fields that the seat knows",
    "the true position has an effect": "`resample`: deal all that the seat cannot know, and use nothing hidden",
    "no legal action": "`awaiting` or `legal`: a seat that must choose needs an action",
    "no end after": "`awaiting`: every course of choices must come to an `Over`",
    "the order of the legal actions": "`legal`: sort the actions by something that the seat sees",
    "the legal actions differ": "`legal`: offer what follows from what the seat knows, and let `resample` keep that",
    "the words for the view": "`describe_view`: use the view alone",
    "the events of": "`heard`: give the seat None, or the event without its hidden fields",
    "the view": "`view`: build it of what the seat may know; if it may know this, let `resample` keep it",
    "who must choose": "`awaiting`: who chooses must not depend on hidden things; if it may, let `resample` keep them",
    "the rank of the truth": "`resample`: draw each position that fits equally often, also after what was heard",
}
"""By words of a finding: what to change. The first that occur count."""

_BY_POINT: Mapping[str, str] = {
    "every match ends": "the method that raised, or `awaiting`, which must come to an `Over`",
    "it is pure": "`apply`, `luck` or what they call: use the arguments alone, and change none of them",
    "no two legal actions": "`legal` or `describe_action`: give each action what distinguishes it",
    "no two draws": "`awaiting`: number the labels, as in `deal/3`",
    "the ending is": "the `Outcome` that `awaiting` gives, or `endings`",
    "the outlook": "`outlook`",
    "it says whether sides": "`sides` or `deals_sides`",
    "nothing is lost": "`apply` or `luck`, where the piece goes; or `is_whole`",
    "everything has words": "`describe`, `describe_action` or `describe_view`",
    "every message": "the types in the annotations of `view`, `describe` and `describe_action`; or the codec",
    "its facts": "what this names, in the class of the game",
    "other worlds": "`resample` or `reconstruct`",
    "no seat is sent": "`view`, `heard` or `legal`",
}
"""By the beginning of a point, the same for all else that is wrong at it."""


def advice(point: str, wrong: str) -> str:
    """What to change, in words that go after "change"; empty if nobody can say it."""
    named = next((what for words, what in _BY_WORDS.items() if words in wrong), None)
    return named or next((what for words, what in _BY_POINT.items() if point.startswith(words)), "")
