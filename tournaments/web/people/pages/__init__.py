"""The pages of the parlour: what is written on them, and the files that browsers are given."""
