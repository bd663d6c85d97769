"""Labels as files for others: what a label line holds, in which order lines stand, and how a file is written.

`lines` shapes current labels and events as the lines of `annotator export`; `writing` puts them on disk whole or not at
all, with a file beside them that says what they are and what they may be used for. Nothing here reads a workspace: its
door hands over values.
"""
