"""The games, a package each. They know `referee.core` and nothing else, least of all one another."""
