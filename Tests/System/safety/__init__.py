"""Hostile text, wherever it can be: it reaches no terminal, and every format stays valid.

Only `fetch` uses the network, and no output contains client addresses, users or user agents. Swift tests try single
functions with such text; here, it goes all the way from files, names, arguments and servers to terminals, outputs,
the store and temporary files, and the system's calls are seen.
"""
