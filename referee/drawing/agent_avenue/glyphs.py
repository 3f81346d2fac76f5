"""Signs for agents and for kinds of market cards: our own lines, about 28 units wide, around 0 0."""

from referee.games.agent_avenue.pieces import Agent

AGENTS = {
    # two masks
    Agent.DOUBLE_AGENT: "M-13 -8H3V4Q-5 12 -13 4ZM3 -4H13V8Q8 13 3 9M-9 -2h2M-3 -2h2M-8 4h5",
    # a shield
    Agent.ENFORCER: "M0 -12L11 -8V1Q10 9 0 13Q-10 9 -11 1V-8ZM0 -6V7M-5 0H5",
    # a key
    Agent.CODEBREAKER: "M-4 0A5 5 0 1 1 -14 0A5 5 0 1 1 -4 0ZM-4 0H13V6M7 0V5",
    # a fuse that burns
    Agent.SABOTEUR: "M5 4A8 8 0 1 1 -11 4A8 8 0 1 1 5 4ZM3 -2L7 -6Q10 -10 12 -6M12 -12v2M15 -6h-1",
    # a flash
    Agent.DAREDEVIL: "M3 -13L-8 2H0L-3 13L8 -3H0Z",
    # an eye
    Agent.SENTINEL: "M-14 0Q0 -15 14 0Q0 15 -14 0ZM4 0A4 4 0 1 1 -4 0A4 4 0 1 1 4 0Z",
    # two arrows side by side
    Agent.SIDEKICK: "M-12 -9L-3 0L-12 9M0 -9L9 0L0 9",
    # a mound with a tunnel
    Agent.MOLE: "M-14 10Q-9 -10 0 -10Q9 -10 14 10ZM-5 10Q-5 0 0 0Q5 0 5 10",
}

INSTANT = "M2 -8L-5 1H0L-2 8L5 -1H0Z"
"""A flash."""

ONGOING_SIGN = "M0 0Q-4 -5 -8 -3Q-11 0 -8 3Q-4 5 0 0Q4 -5 8 -3Q11 0 8 3Q4 5 0 0Z"
"""A loop without an end."""
