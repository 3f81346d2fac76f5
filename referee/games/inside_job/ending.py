"""The ways a game can end, and the winner of each."""

from enum import StrEnum


class Camp(StrEnum):
    """The two camps that play against each other. Neutrals belong to neither."""

    AGENTS = "agents"
    INSIDER = "insider"


class Ending(StrEnum):
    """The ways a game can end. There are three kinds of ties at the top of the vote (IJ-20, IJ-34).

    TOKENS: the Insider has enough tokens. ALL_OTHERS_OPEN: every role is open except Prof. No's. OTHER_ACCUSED: the
    accused is neither the Insider nor the Decoy. VOTE_TIED: a tie without the Decoy, or no ballots at all.
    TIED_WITH_DECOY: a tie with the Decoy, but without the Insider.
    """

    TOKENS = "tokens"
    MISSIONS = "missions"
    WIRED = "wired"
    DAREDEVIL = "daredevil"
    PROF_NO_REVEALED = "prof_no_revealed"
    ALL_OTHERS_OPEN = "all_others_open"
    INSIDER_ACCUSED = "insider_accused"
    OTHER_ACCUSED = "other_accused"
    VOTE_TIED = "vote_tied"
    DECOY_ACCUSED = "decoy_accused"
    INSIDER_TIED_WITH_DECOY = "insider_tied_with_decoy"
    TIED_WITH_DECOY = "tied_with_decoy"


WINNERS: dict[Ending, Camp | None] = {
    Ending.TOKENS: Camp.INSIDER,  # IJ-03
    Ending.MISSIONS: Camp.AGENTS,  # IJ-03
    Ending.WIRED: Camp.INSIDER,  # IJ-31
    Ending.DAREDEVIL: Camp.AGENTS,  # IJ-33
    Ending.PROF_NO_REVEALED: Camp.AGENTS,  # IJ-38
    Ending.ALL_OTHERS_OPEN: Camp.INSIDER,  # IJ-38
    Ending.INSIDER_ACCUSED: Camp.AGENTS,  # IJ-20, IJ-40
    Ending.OTHER_ACCUSED: Camp.INSIDER,  # IJ-20, IJ-40
    Ending.VOTE_TIED: Camp.INSIDER,  # IJ-20
    Ending.DECOY_ACCUSED: None,  # IJ-34
    Ending.INSIDER_TIED_WITH_DECOY: Camp.INSIDER,  # IJ-34
    Ending.TIED_WITH_DECOY: Camp.INSIDER,  # IJ-34
}
"""The camp that wins by each ending. Neutrals win or lose by their own rules."""
