"""Agonía ¡Invasión!: players hold a building against zombies. The rulings AG-xx are in docs/rulings/agonia.md."""
