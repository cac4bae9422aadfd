"""A server's folder of logs, and all that was ever written into it.

A `LogFile` is a file under whatever name it has at the moment. Each begins its own master, which
keeps every line that the file ever got; a copy has the master of what it is a copy of.
"""
import bz2
import gzip
import lzma
import os
import pathlib
import shutil
import subprocess
from collections.abc import Callable

from store.traffic import Traffic

SUFFIXES = {"gzip": ".gz", "xz": ".xz", "bzip2": ".bz2", "zstd": ".zst"}


def compressed(data: bytes, kind: str) -> bytes:
    """A content compressed as the command of that name does it."""
    if kind == "gzip":
        return gzip.compress(data, mtime=0)
    if kind == "xz":
        return lzma.compress(data)
    if kind == "bzip2":
        return bz2.compress(data)
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def compressions() -> list[str]:
    return [kind for kind in SUFFIXES if kind != "zstd" or shutil.which("zstd")]


class LogFile:
    def __init__(self, path: pathlib.Path, master: pathlib.Path) -> None:
        self.path = path
        self.master = master

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def suffix(self) -> str:
        """The suffix of its compression, or nothing."""
        return self.path.suffix if self.path.suffix in SUFFIXES.values() else ""


class Server:
    """Logs, what is done with them, and the masters aside."""

    def __init__(self, folder: pathlib.Path, traffic: Traffic, step: Callable[[str], None]) -> None:
        self.logs = folder / "logs"
        self.masters = folder / "masters"
        self.traffic = traffic
        self.step = step
        self.logs.mkdir()
        self.masters.mkdir()
        self.generation = 0

    # MARK: - Writing

    def open(self, name: str) -> LogFile:
        path = self.logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return LogFile(path, self.new_master())

    def new_master(self) -> pathlib.Path:
        """A master that is nobody's yet, and no file until something is written."""
        self.generation += 1
        return self.masters / ("%04d.log" % self.generation)

    def write(self, log: LogFile, lines: int, malformed: float = 0.02) -> None:
        self.append(log, b"".join(self.traffic.lines(lines, malformed)))

    def append(self, log: LogFile, data: bytes, keep: bool = True) -> None:
        """Appends bytes to a log and, unless they will be lost, to its master."""
        self.step("append %d bytes to %s" % (len(data), log.name))
        with log.path.open("ab") as file:
            file.write(data)
        if keep:
            with log.master.open("ab") as file:
                file.write(data)

    def put(self, name: str, data: bytes) -> pathlib.Path:
        """A file with a content, as a whole; its lines are nobody's."""
        path = self.logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.step("put %d bytes into %s" % (len(data), path))
        path.write_bytes(data)
        return path

    # MARK: - Rotation

    def rename(self, log: LogFile, name: str) -> None:
        """Gives a log another name; a path leads below the folder of logs."""
        path = self.logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.step("rename %s to %s" % (log.name, name))
        os.rename(log.path, path)
        log.path = path

    def rotate(self, log: LogFile, name: str) -> LogFile:
        """Renames a log, and begins a new one under its name."""
        current = str(log.path.relative_to(self.logs))
        self.rename(log, name)
        return self.open(current)

    def copy_truncate(self, log: LogFile, name: str, between: int = 0) -> LogFile:
        """Copies a log and empties it, and returns the copy; lines written between are lost."""
        copy = LogFile(self.logs / name, log.master)
        self.step("copy %s to %s, then truncate it" % (log.name, name))
        shutil.copyfile(log.path, copy.path)
        self.append(log, b"".join(self.traffic.lines(between)), keep=False)
        os.truncate(log.path, 0)
        log.master = self.new_master()
        return copy

    def compress(self, log: LogFile, kind: str = "gzip") -> None:
        """Replaces a log by itself compressed; one that is compressed is compressed otherwise."""
        path = log.path.with_name(log.name.removesuffix(log.suffix) + SUFFIXES[kind])
        self.step("compress %s to %s" % (log.name, path.name))
        data = log.master.read_bytes() if log.master.exists() else b""
        part = path.with_name("." + path.name + ".part")
        part.write_bytes(compressed(data, kind))
        os.rename(part, path)
        if path != log.path:
            log.path.unlink()
        log.path = path

    def remove(self, log: LogFile) -> None:
        self.step("remove " + log.name)
        log.path.unlink()
