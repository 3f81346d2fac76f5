"""Computes the average policy of counterfactual regret minimization (CFR) for Leduc poker, when the bot is built.

Counterfactual regret minimization: Zinkevich and others, "Regret Minimization in Games with Incomplete Information",
2007. Here OpenSpiel does it. Only this program needs OpenSpiel; the bot itself reads what is written here.
"""

import json
from pathlib import Path

import pyspiel

ITERATIONS = 500
POLICY = Path(__file__).parent / "build" / "policy.json"


def main() -> None:
    """Write the policy: by information state, the actions with their probabilities."""
    solver = pyspiel.CFRSolver(pyspiel.load_game("leduc_poker"))
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    table = solver.tabular_average_policy().policy_table()
    # Rounded, so that a last digit that another processor computes otherwise changes no choice.
    policy = {state: [[action, round(share, 4)] for action, share in rows] for state, rows in sorted(table.items())}
    POLICY.parent.mkdir(exist_ok=True)
    POLICY.write_text(json.dumps(policy))


if __name__ == "__main__":
    main()
