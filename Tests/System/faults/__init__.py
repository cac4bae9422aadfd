"""Faults around the command: files, disks, signals, limits, clocks and locales.

Each fault must end in a message that names the file, the place and the remedy, and in the documented exit status,
and must destroy nothing. The topic `store` tests what `ingest` does to its store.
"""
