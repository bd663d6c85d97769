"""The one door: what the window and the command line may ask, each call answering with values or `Changes`.

`workspace.Workspace` is the door itself and only orchestrates; behind it, split by subject: `undo` (taking back, read
from the log), `importing` and `problems` (sources in, decisions), `names` (what a rater may read of who answered),
`listing` (items as programs outside see them), `views` (the values handed to the window).
"""
