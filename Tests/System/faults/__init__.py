"""Faults around the command: files, disks, signals, limits, clocks and locales.

Each fault must end in a message that names the file, the place and the remedy, and in the documented exit status,
and must destroy nothing. Swift tests meet none of them: a fault needs another user, a file system of its own, a signal
at some moment, a call of the system that fails. The topic `store` tests what `ingest` does to its store.
"""
