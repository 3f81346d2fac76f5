"""Where persons play: tables with persons and bots at them, in a process of their own, shown as pages.

`wishes` is pure. A `House` has the tables and plays the matches. It runs in a process (`process`) that
`serving` and `calling` connect with the web server, where `web` shows each seat what it was sent (`sight`), and nothing
else.
"""
