"""Tables for people: persons play against persons and bots in a process of its own, and see the table as a page.

`OpenTables` has the tables and plays the matches. It runs in a process (`process`). `tables_rpc` connects this process
with the web server. There `routes` shows each seat the messages that it was sent (`seat_view`), and nothing else.
"""
