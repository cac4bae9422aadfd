"""`linkaudit fetch` against servers on this machine that behave well and badly.

Whatever a server does, the command comes to an end. Certificates are of a private authority, made with openssl.
"""

JOBS = 4
