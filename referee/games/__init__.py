"""The games, each in its own package. They import `referee.core` and nothing else, least of all one another."""
