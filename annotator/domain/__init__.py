"""The words of the trade: what an item, a label, a gate and a queue row are, and nothing of how they are kept or shown.

Files become items (`items`), people add events to items (`labels`), events are folded into current values (`fold`),
and current values are read as a sheet (`sheet`) and a queue (`queue`). `gate` tells what evidence a turn may see,
`timecode` reads the timestamps of the benchmark, `rubric` holds what is scored, `report` what an import has to say.
All values are frozen; this room imports only the floor.
"""
