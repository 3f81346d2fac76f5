"""The fixed words of the pages, by name: headings, notes and labels of the templates."""

from types import MappingProxyType

SAY = MappingProxyType(
    {
        "a_second": "matches a second",
        "abandoned": "given up",
        "against": "against",
        "all_its_matches": "all",
        "all_tables": "all tables",
        "any": "any",
        "as_of": "As of",
        "as_table": "The same numbers in a table",
        "at_once": "at once",
        "author": "author",
        "average": "mean time of a decision",
        "beats": "chance to win",
        "best": "Did better than expected against",
        "boards": "How matches ended",
        "bot": "bot",
        "bots": "bots",
        "bots_and_scores": "bots, with scores",
        "bracket": "Bracket",
        "buchholz": "Buchholz",
        "by": "by",
        "by_seat": "By seat",
        "by_side": "By side",
        "bye": "bye",
        "bytes": "bytes",
        "changed": "changed",
        "clock": "clock",
        "closed": "closed",
        "closes": "takes bots until",
        "counts": "Matches in numbers",
        "counts_note": (
            "Planned: the matches of all waves so far. Skipped: those of suspended or withdrawn bots, and those that "
            "were not played when their deal was closed. If such a match is stored, it does not count."
        ),
        "crossplay": "Cross-play",
        "crossplay_note": (
            "How many of their matches two bots won together, in per cent. Where a bot meets itself, it had all "
            "seats. The column “all” is about all matches of a bot."
        ),
        "crosstable": "Crosstable",
        "crosstable_caption": "The score of the bot of a line against the bot of a column, in per cent.",
        "deal": "deal",
        "deal_turn": "deal/turn",
        "deals": "deals",
        "dealt_sides": (
            "Sides that are dealt, such as roles, and the results of seats are told of closed deals only. All other "
            "tables count the matches of an open deal when a group of bots has played all of them."
        ),
        "decisions": "decisions",
        "difference": "difference",
        "digest": "digest",
        "drawn": "drawn",
        "echo": "answer (ms)",
        "ending": "ending",
        "entries": "Entries",
        "every_bot": "All bots",
        "every_match": "All matches of this bot",
        "every_one": "All matches",
        "evidence": "evidence",
        "expected": "expected",
        "fared": "Seats and sides",
        "fared_note": (
            "The results of each seat and side, over all bots, without matches that a fault cut short. The score is "
            "the share of opposing sides that the side beat; a tie counts half. (Ratings and the points of a Swiss "
            "count matches with a fault, too.)"
        ),
        "fault": "fault",
        "faults": "faults",
        "fewer": "Here are the first ten bots. The trends of all others are in the standings.",
        "file": "archive (.tar.gz)",
        "find": "Search",
        "first": "first",
        "format": "format",
        "game": "game",
        "goes_on": "goes on",
        "history": "Ratings over matches",
        "history_note": (
            "The rating of each bot after more and more matches, in the order of the plan. Click a name to hide its "
            "line."
        ),
        "interval": "95% interval",
        "itself": "itself",
        "json": "this page as JSON",
        "key": "What the shades mean",
        "label": "label, if you enter the same bot twice",
        "first_difference": "First difference",
        "last_position": "The last position",
        "latest": "Latest matches",
        "league": "League",
        "leagues": "Leagues",
        "login": "Log in",
        "login_note": "Log in with the token that the organizer gave you. To look at these pages you need none.",
        "logout": "Log out",
        "name": "name",
        "next": "next",
        "losses": "lost",
        "load": "load",
        "lost": "The answer was lost. Look at your submissions before you send it again.",
        "luck": "Luck",
        "match": "match",
        "match_after": "Next match",
        "match_before": "Previous match",
        "matches": "matches",
        "Matches": "Matches",
        "may_be_best": "may be the best",
        "mean_return": "mean return",
        "mean_return_note": (
            "The mean return is the mean of what the game counts for a seat, such as chips or points, in matches "
            "without a fault. It does not rank."
        ),
        "memory": "Memory",
        "memory_gain": "later minus first",
        "memory_needed": "Evidence needed",
        "memory_note": (
            "Deals: those that a bot met first in one match and later in another, as the order of play was drawn. "
            "Later minus first: its mean score in the later match minus that in the first. Without a memory, a bot "
            "reaches the evidence needed in at most 1 % of leagues. While a deal is open, only the organizer sees this."
        ),
        "memory_noticed": "plays better on deals that were played before",
        "memory_nothing": "There is nothing to test: no two matches share their luck.",
        "menu": "Pages of the league",
        "missed": "not there",
        "never_met": "never met",
        "no_entries": "No bot is in the league yet.",
        "no_history": "Ratings over matches are shown when matches are played.",
        "no_matches": "No match fits this search.",
        "no_nodes": "No node has joined yet.",
        "no_round": "No round has begun.",
        "no_such_bot": "No bot or author has this in the name.",
        "node": "node",
        "none": "no match",
        "nodes": "Nodes",
        "nodes_note": (
            "Only the organizer sees this. At once: how many matches, or batches of them, the node plays now, and how "
            "many it can play. Load: how many threads want a core, as its kernel counts. Start and answer: the time "
            "that a bot that does nothing takes there. Void: matches that do not count, through no bot's fault."
        ),
        "not_drawn": "It cannot be watched here until the organizer installs the package of its game, with its rules.",
        "not_played": "not played",
        "not_yet": "Not played yet",
        "nothing_played": "Nothing is played yet.",
        "of": "of",
        "open": "For now only the result is shown: this deal is open, and others will still play it.",
        "open_untold": (
            "For now only the players are shown: this deal is open, and the result could tell who had which side."
        ),
        "opens": "takes bots from",
        "options": "options",
        "organizer": "organizer",
        "other_matches": "Other matches",
        "part_of_bot": "bot (part of its name)",
        "part_of_name": "part of a name",
        "part_of_other": "another bot in it",
        "parts": "Parts of this page",
        "place": "place",
        "planned": "planned",
        "play": "Play",
        "played": "played",
        "points": "points",
        "preview": "A match of bots, to watch step by step. The result is hidden until you ask for it.",
        "progress": "Progress",
        "provisional": "provisional",
        "rank": "#",
        "rating": "rating",
        "reading": "How to read this",
        "received": "received",
        "remaining": "remaining",
        "remote": "runs elsewhere",
        "no_difference": "No decision differs before one of them ends.",
        "result": "result of the bot",
        "same_deal": "The same deal",
        "spar_deal": "To have the deal of this match played by other bots, unrated, in every line-up:",
        "this_match": "this match",
        "unrated": "unrated",
        "replay_file": "The replay as one file",
        "result_table": "The result by seat",
        "round": "round",
        "rounds": "Rounds",
        "rules_version": "rules version",
        "sandbox": "sandbox",
        "score": "score",
        "sealed": "told when all deals are closed",
        "search": "Search matches",
        "seat": "seat",
        "seat_of_bot": "its seat",
        "seating": "seating",
        "seats": "seats",
        "seed": "seed",
        "seed_sha256": "SHA-256 of the seed",
        "sending": "It is sent.",
        "sentences": "What the referee noted",
        "sentences_open": "The referee's whole sentence is told when the deal is closed.",
        "side": "side",
        "sides": "sides",
        "size": "size",
        "skip": "To the page",
        "skipped": "skipped",
        "source": "digest of its files",
        "standings": "Standings",
        "start": "start (ms)",
        "state": "state",
        "stderr": "What it wrote to stderr",
        "stored": "stored",
        "stored_matches": "matches stored",
        "suspended_why": (
            "Five or more of its matches, and more than a fifth of all, ended by its own fault. Its later matches are "
            "skipped. The organizer can end this."
        ),
        "tables_come": "Matches are stored. The tables are being computed, and come in a minute or two.",
        "submissions": "Submitted bots",
        "submit": "Submit a bot",
        "submit_noscript": "This form needs JavaScript. Without it, use: referee submit BOT --to ADDRESS",
        "submit_note": (
            "Send the folder of a bot, packed as .tar.gz. It is built and checked, and its page says what becomes "
            "of it."
        ),
        "suspended": "suspended",
        "swiss": "Table of the Swiss",
        "swiss_note": (
            "Points: the sum of what a bot got in its rounds; in each, its mean score. Buchholz: the points of its "
            "opponents. Behind the points of a round stand the places of those it met. A round counts when all its "
            "matches are settled."
        ),
        "table": "table",
        "tables": "tables",
        "tables_of": "tables of",
        "tables_title": "Tables",
        "think": "thinking (ms)",
        "time": "time",
        "to_verify": "The match, and how to verify it",
        "tokens": "tokens for a decision",
        "tries": "tries",
        "token": "token",
        "trend": "trend",
        "two_by_two": "Two by two",
        "untold": "not told yet",
        "untold_result": "The result is told when the deal is closed.",
        "versions": "Versions",
        "waves": "waves",
        "void": "void",
        "wins": "won",
        "with": "with",
        "worst": "Did worse than expected against",
        "wrong_token": "This token is not valid for this league; ask the organizer for one.",
        "wrote": "What your bots wrote",
        "better": "Others won in its place",
        "better_note": (
            "Each line has two matches of the same deal. In both, the seats and the other bots were the same. The "
            "bot lost one of them, and another bot won the other."
        ),
        "by_ending": "Losses by ending",
        "by_opponent": "Losses by opponent",
        "cause": "cause",
        "causes": "Faults by cause",
        "causes_note": (
            "Only faults on closed deals, the latest 40. Each link leads to the last step of the replay. Only the "
            "author of the bot and the organizer see messages."
        ),
        "chose": "it chose",
        "could": "it could also have chosen",
        "just_before": "what it heard just before",
        "share_of": "share of",
        "decision": "decision",
        "decisions_link": "Turning points: its decisions in the matches that it lost",
        "every_loss": "the list of them",
        "latest_moments": "the latest",
        "lead": "lead",
        "losses_link": "Why it lost: losses, surprises, faults",
        "losses_note": (
            "A match counts as lost if a seat of the bot was not first. Single matches, and what depends on luck "
            "or decisions, come from closed deals only."
        ),
        "losses_of": "Losses of",
        "lost_match": "lost",
        "no_turning_points": "There is nothing to show: no such match is told yet, or the game has no outlook.",
        "nothing_else": "nothing else",
        "of_matches": "of matches",
        "outlook": "outlook",
        "share": "share",
        "surprises": "Most surprising losses",
        "surprises_note": (
            "Expected is the score that the ratings expect of the bot: with two sides, its chance to win."
        ),
        "to": "to",
        "turning_points": "Turning points of",
        "turning_points_note": (
            "The outlook says how likely the bot was to be first, from 0 to 1, as matches of the sample bots "
            "usually ended. It knows the hidden cards, which the bot did not. So a large fall says that the "
            "decision mattered, not that it was wrong."
        ),
        "version": "version",
        "version_leads": "Against its other versions",
        "version_leads_note": (
            "Both versions played the same deals in the same seats with the same other bots. The lead is the mean "
            "score of this bot minus that of the other version, with its 95% interval over deals."
        ),
        "won_by": "won by",
        "won_match": "won",
        "a_minute": "matches a minute",
        "closest": "Closest match of the day, to watch",
        "faults_by_bot": "Faults by bot and kind",
        "latest_voids": "Latest void matches",
        "leads": "leads",
        "operation": "How it runs",
        "operation_note": (
            "Only the organizer sees this. Matches a minute: over the ten minutes before the last match was stored."
        ),
        "play_it": "Play it",
        "reason": "reason",
        "result_hidden": "the page hides the result until you ask for it",
        "surprise": "Most surprising match of the day",
        "worth": "Worth a look",
    }
)
"""Words of the templates by name."""
