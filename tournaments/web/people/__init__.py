"""Tables for people: persons play against persons and bots in a process of its own, and see the table as a page.

`table_request` is pure. `OpenTables` has the tables and plays the matches. It runs in a process (`process`).
`tables_server` and `tables_client` connect this process with the web server. There `routes` shows each seat the
messages that it was sent (`seat_view`), and nothing else.
"""
