"""Agonía ¡Invasión!: players hold a building against zombies. The rulings AG-xx are in docs/rulings/agonia.md.

From the bottom up; each knows only what is named before it:

- `box`: what is printed, as data;
- `position`: where everything lies, what is still to be done, what can be chosen and heard;
- `enemies`: what they do, and what is done to them;
- `deck`: how cards are drawn, and what the events among them do;
- `players`: what players do in their turns;
- `setup`, `rounds`: what comes before the first round, and what a round consists of;
- `luck`, `decisions`: the steps that wait for a draw, and those that wait for a player;
- `rules`: the steps that are done at once, and how it all goes on from one to the next;
- `inventory`: where everything is that was in the box;
- `view`, `words`: what a seat may know, and how it is told. They need no rules, and no rule needs them;
- `game`: all of it, as the rest of the project sees it.
"""
