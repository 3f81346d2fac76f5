"""Rules that keep the program easy to read. Each exception from a rule stands in a table, with its reason."""
