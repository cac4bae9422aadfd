"""Hostile text, wherever it can be: it reaches no terminal, and every format stays valid.

Only `fetch` uses the network, and no output contains client addresses, users or user agents.
"""
