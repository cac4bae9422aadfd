"""Checks in pull requests: the action, its scripts, GitLab's jobs and pre-commit's hooks, on real Git repositories.

Swift tests assert what the command prints; none runs these files. A small program plays the runner: it reads
`action.yml`, replaces expressions, and runs the steps as a runner does.
"""
