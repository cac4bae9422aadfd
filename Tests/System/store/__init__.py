"""The life of a server with `linkaudit ingest`, compared with one clean pass over all lines.

Logs are written, rotated, compressed, cut and copied; ingests are killed, and run at once. What the store says
in the end is compared with a report over all lines ever written, and, table by table and digest by digest, with
a second store that read them all at once. AuditStoreTests assert what one process does to a store that nobody
disturbs; here are several processes, their ends, full disks, other users, and months at random.
"""
