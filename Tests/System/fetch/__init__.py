"""`linkaudit fetch` against servers on this machine that behave well and badly.

Swift tests judge answers; here, they come through libcurl, TLS and time, and into the store. Whatever a server does,
the command comes to an end. Certificates are of a private authority, made with openssl.
"""

JOBS = 4
