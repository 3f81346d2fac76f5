"""The games, each in its own package. They import `referee.core` and nothing else, and never each other."""
