"""Agonía ¡Invasión!: players hold a building against zombies. The rulings AG-xx are in docs/rulings/agonia.md.

The parts from the bottom up. Each part uses only the parts listed before it:

- `box`: the printed material, as data;
- `position`: the position, the remaining steps, the actions and the events;
- `enemies`: how enemies appear, move, are attacked and die;
- `deck`: how players draw cards, and what event cards do;
- `players`: what players do in their turns;
- `rounds`: the steps before the first round, and the course of a round;
- `rules`: the steps that are done at once, those that wait for a draw or a player, and how one step leads to the next;
- `view`, `words`: what a seat may know, and its description for people. They need no rules, and no rule needs them;
- `game`: the whole game, as the rest of the project sees it, and a check that nothing from the box is lost.
"""
