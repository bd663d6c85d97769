"""Files become values: one module per family, each reading a stream of records and yielding what it found.

`text` decides how bytes are read, `jsonstream` cuts a file into records, `detect` says what a file holds; `dialogues`,
`samples`, `judgements` and `labels` turn records into values of the domain. Nothing here knows how values are kept:
each reader yields values or report lines, in the order of the file, and never holds more than one record at a time.
"""
