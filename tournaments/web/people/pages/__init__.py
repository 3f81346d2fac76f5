"""The pages of the tables for people: their forms, and the files for browsers."""
