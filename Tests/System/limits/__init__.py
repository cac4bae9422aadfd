"""The limits of the command, tested with inputs that are made to exceed them.

Memory is the most that the command had in use at a time. Time isn't measured, but a command that hangs is ended.
"""

JOBS = 1
