"""Installation, packages, completions and the manual, tested with shells, readers of manuals and Debian's tools.

Swift tests know nothing of what is installed. With `--release`, packages are installed, run and removed on systems
without Swift, which debootstrap makes under .build/roots; the variable SUITES names releases of Debian for them, by
default `bookworm`.
"""

# Cases share one installation and one folder for packages.
JOBS = 1
