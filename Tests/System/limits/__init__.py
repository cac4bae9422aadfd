"""The limits of the command, tested with inputs that are made to exceed them.

Swift tests assert where each limit is; here, it is seen what the command takes up to there. Memory is the most that it
had in use at a time. Time isn't measured, but a command that hangs is ended.
"""

JOBS = 1
