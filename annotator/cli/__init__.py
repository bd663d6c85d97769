"""The command line: the same calls as the window, for scripts and for checks; no logic of its own.

`main` starts the window or hands over to `commands`, which lists them all; the files beside it hold the commands of one
subject each. `say` prints: tables for people, JSON for programs, one sentence on the error stream when the world is at
fault. Only Typer is imported at the start; every command imports what it needs when it runs.
"""
