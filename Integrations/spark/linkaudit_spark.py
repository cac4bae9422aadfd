#!/usr/bin/env python3
"""Make one digest of logs on many machines with Apache Spark.

The digest is, byte for byte, the one that a single machine makes of the same logs under the same
names. Documentation/Clusters.md says how this works, what it needs, and what failures do.
"""

from __future__ import annotations

import abc
import argparse
import contextlib
import ctypes
import functools
import glob
import hashlib
import importlib.util
import io
import itertools
import json
import math
import os
import pathlib
import pickle
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, NoReturn, Sequence

EXAMPLES = """\
examples:
  spark-submit linkaudit_spark.py --linkaudit ./linkaudit hdfs:///logs/2026-11-19 \\
      -o hdfs:///digests/2026-11-19.digest
  spark-submit linkaudit_spark.py --linkaudit ./linkaudit 's3a://logs/2026-11-*/*.gz' \\
      --on-damage report -o s3a://digests/november.digest -- --host www.example.com
  spark-submit --files linkaudit linkaudit_spark.py --installed-linkaudit linkaudit \\
      --task-size 512M /nfs/logs -o /nfs/digests/all.digest -- --log-format combined
  python linkaudit_spark.py --remote sc://cluster:15002 --linkaudit ./linkaudit s3a://logs/2026-11-19 \\
      -o s3a://digests/2026-11-19.digest

Options after '--' go to 'linkaudit digest'. Exit status: 0 done; 2 done but incomplete (with
'--on-damage report'), or no digest was made; 64 usage."""

INCOMPLETE, USAGE = 2, 64

CONNECT_PACKAGES = (
    "Spark Connect needs pandas, PyArrow and gRPC where this program runs: pip install 'pyspark[connect]' or pyspark-client"
)
EXECUTOR_PACKAGES = "with Spark Connect, tasks need pandas and PyArrow; install them in the Python of all executors"

# Opening a file costs as much time as reading so many bytes.
OPENING_COST = 1 << 20

# Concurrent calls of Hadoop, which wait for the network, and files that one call describes.
PARALLEL_CALLS = 16
STATUSES_A_CALL = 10_000

# Pauses in seconds before Hadoop is called again, and failures that end by themselves: a store is
# overloaded, a connection breaks, a name node starts. Hadoop's clients retry some of them, too.
RETRY_PAUSES: Sequence[float] = (1, 2, 4, 8, 16)
TRANSIENT = re.compile(
    r"Throttl|Slow ?Down|Server ?Busy|Too ?Many ?Requests|Service ?Unavailable|Internal ?(Server ?)?Error"
    r"|status code:? 50[0234]|NoResponse|NoHttpResponse|Unable to execute HTTP request|timed out|Connection reset|Connection refused"
    r"|(Socket|Connect|Timeout|NoRouteToHost|EOF|Retriable|Standby|SafeMode)Exception",
    re.IGNORECASE,
)

# Seconds between two displays of progress, on a terminal and in a log.
TERMINAL_INTERVAL = 1.0
LOG_INTERVAL = 60.0

# A giant log takes at least this many times as long as an even share of all logs.
GIANT = 1.25

# A straggler takes this many times as long for each byte as the median of all tasks, and so many seconds more.
STRAGGLER = 3
STRAGGLER_SECONDS = 60

# Bytes of a result in a row: a message of Spark Connect has whole rows and at most 128 MiB.
PIECE_SIZE = 1 << 20

# Bytes and messages to show of a failed run: the last ones. Names of logs to show: the first ones.
COMPLAINT_LIMIT = 8192
SHOWN_COMPLAINTS = 50
SHOWN_NAMES = 5

# Suffix of the record next to a digest.
RECORD_SUFFIX = ".json"

# Options of 'linkaudit digest' that tasks set themselves, or that have another meaning in a part.
OWN_OPTIONS = (
    "-o", "--output", "-q", "--quiet", "--jobs", "--temporary-directory", "--files-from", "--stdin-name", "--part",
    "--describe", "--format", "--rejects", "--max-rejects", "--config", "--no-config",
)  # fmt: skip


class Failure(Exception):
    """The reason why no digest was made, with the remedy."""

    def __init__(self, message: str, status: int = INCOMPLETE) -> None:
        super().__init__(message)
        self.status = status


class Unfinished(Failure):
    """A failure after which the work directory must stay, as it holds the only copy of a digest."""


class Unreachable(Failure):
    """A call of Hadoop that failed, after repetitions where these could help."""


@dataclass(frozen=True)
class Log:
    """A file: its URI, its name in the digest, its size in bytes, and the time of its last change.

    The unit of the time is that of the file system; it is only compared.
    """

    uri: str
    name: str
    size: int
    modified: int = 0

    @property
    def identity(self) -> list[Any]:
        """The values by which a later run recognizes the log."""
        return [self.uri, self.size, self.modified]


@dataclass(frozen=True)
class Part:
    """A digest in the work directory, and the messages of the run that made it."""

    uri: str
    size: int
    complaints: str = ""
    is_incomplete: bool = False
    missing: tuple[str, ...] = ()
    host: str = ""
    seconds: float = 0


@dataclass(frozen=True)
class Hadoop:
    """The settings of the small JVM that reaches Hadoop's file systems from a task."""

    configuration: str  # as XML
    classpath: str


@dataclass(frozen=True)
class Settings:
    """Settings of all tasks."""

    binary: str
    is_shipped: bool
    options: tuple[str, ...]
    work: str
    hadoop: Hadoop
    streams: int
    identity: str  # of the command and its options; a later run recognizes parts by it


# ---------------------------------------------------------------------------------------------
# Files


class Files(abc.ABC):
    """The file systems that Hadoop knows, by URIs.

    A call may be repeated after its answer was lost, so each can be made twice.
    """

    @abc.abstractmethod
    def qualified(self, uri: str) -> str:
        """Completes a path with its scheme and authority."""

    @abc.abstractmethod
    def status(self, uri: str) -> Status | None:
        """Returns the status of a file or directory, or None."""

    @abc.abstractmethod
    def find(self, patterns: Sequence[str]) -> list[Log]:
        """Finds the logs of files, directories and Hadoop's patterns, each once, sorted by name."""

    @abc.abstractmethod
    def directory(self, uri: str) -> list[Status]:
        """Lists the files in a directory, without those below."""

    @abc.abstractmethod
    def siblings(self, uri: str, ending: str) -> list[str]:
        """Lists the directories next to a path whose names begin with its own and an ending."""

    @abc.abstractmethod
    def read(self, uris: Sequence[str]) -> list[bytes]:
        """Reads small files."""

    @abc.abstractmethod
    def make_directory(self, uri: str) -> None:
        """Makes a directory and those above it."""

    @abc.abstractmethod
    def rename(self, source: str, target: str, expected: Status | None = None) -> str | None:
        """Renames a file, and returns the reason if it cannot, or None.

        A file that is not the expected one keeps its name.
        """

    @abc.abstractmethod
    def delete(self, uris: Sequence[str]) -> None:
        """Deletes files that nobody needs any more."""

    @abc.abstractmethod
    def remove(self, uri: str) -> None:
        """Removes a file or a directory if it exists, and complains if it stays."""

    def exists(self, uri: str) -> bool:
        return self.status(uri) is not None

    def replace(self, source: str, target: str) -> None:
        """Renames a digest, and replaces the old one with that name.

        At each moment, the old digest or the new one has the name or is next to it.
        """
        old = replaced(target)
        if before := self.status(target):
            if reason := self.rename(target, old, before):
                raise Failure(f"cannot replace '{target}': {reason}; it is unchanged")
            if reason := self.rename(source, target):
                if self.rename(old, target):
                    raise Unfinished(
                        f"cannot move the digest to '{target}': {reason}; the new one is '{source}', the old one '{old}'"
                    )
                raise Failure(f"cannot move the digest to '{target}': {reason}; the old one is unchanged")
        elif reason := self.rename(source, target):
            raise Failure(f"cannot move the digest to '{target}': {reason}")
        self.remove(old)

    def restore(self, uri: str) -> None:
        """Brings back a digest whose replacement was interrupted between two names."""
        old = replaced(uri)
        if not self.exists(old):
            return
        if self.exists(uri):
            self.remove(old)
        elif reason := self.rename(old, uri):
            raise Failure(f"an earlier run has left '{old}', which cannot be moved to its name: {reason}")
        else:
            complain(f"an earlier run did not finish replacing '{uri}'; the old digest has its name again")


def replaced(uri: str) -> str:
    """Returns the name of a digest while another one takes its place."""
    return f"{uri}.replaced"


def retried(method: Callable[..., Any], also: str = "never") -> Callable[..., Any]:
    """Repeats a method of HadoopFiles that fails for a short time, or with the exception `also`."""

    @functools.wraps(method)
    def call(files: HadoopFiles, uri: str, *arguments: Any) -> Any:
        from py4j.protocol import Py4JJavaError

        for pause in (*RETRY_PAUSES, None):
            try:
                return method(files, uri, *arguments)
            except Py4JJavaError as error:
                reason = str(error.java_exception.toString())
                if not pause or not (TRANSIENT.search(reason) or also in reason):
                    raise Unreachable(f"Hadoop cannot use '{uri}': {reason}") from error
            complain(f"Hadoop cannot use '{uri}': {reason}; trying again in about {pause} s")
            # Many tasks that failed together should not come back together.
            time.sleep(pause * random.uniform(0.5, 1.5))

    return call


# Repeats a method also if a listed or written file isn't there yet, as in a store with eventual listings.
retried_until_there = functools.partial(retried, also="FileNotFoundException")


class HadoopFiles(Files):
    """The file systems that Hadoop knows, in the JVM behind a gateway."""

    def __init__(self, jvm: Any, configuration: Any) -> None:
        self.jvm = jvm
        self.configuration = configuration

    def locate(self, uri: str) -> tuple[Any, Any]:
        """Returns the file system of a path, and the complete path."""
        path = self.jvm.org.apache.hadoop.fs.Path(uri)
        system = path.getFileSystem(self.configuration)
        return system, system.makeQualified(path)

    @retried
    def qualified(self, uri: str) -> str:
        return str(self.locate(uri)[1].toString())

    @retried
    def status(self, uri: str) -> Status | None:
        system, path = self.locate(uri)
        return Status.of(system.getFileStatus(path)) if system.exists(path) else None

    @retried
    def make_directory(self, uri: str) -> None:
        system, path = self.locate(uri)
        system.mkdirs(path)

    def find(self, patterns: Sequence[str]) -> list[Log]:
        found: dict[str, Log] = {}
        with ThreadPoolExecutor(PARALLEL_CALLS) as pool:
            for pattern in patterns:
                matches = self._matches(pattern)
                if not matches:
                    raise Failure(f"there is no '{pattern}', and no file matches it as a pattern")
                before = len(found)
                folders = [match.uri for match in matches if match.is_directory]
                files = [match for match in matches if not match.is_directory]
                visible = [match for match in files if not os.path.basename(match.uri).startswith(".")]
                for below in pool.map(self._below, folders):
                    visible += below
                for match in visible:
                    if match.uri not in found:
                        found[match.uri] = Log(match.uri, local_path(match.uri) or match.uri, match.size, match.modified)
                if len(found) == before:
                    complain(f"'{pattern}' adds no file; hidden files and those found before are ignored")
        return sorted(found.values(), key=lambda log: os.fsencode(log.name))

    @retried
    def _matches(self, pattern: str) -> list[Status]:
        """Finds the files and directories of a path or a pattern."""
        system, path = self.locate(pattern)
        if system.exists(path):
            return [Status.of(system.getFileStatus(path))]
        matches = system.globStatus(path)
        if matches is None or path.toUri().getScheme() == "file":
            # Hadoop runs a command for each local file to find its owner, which a written status has.
            return [Status.of(match) for match in matches or []]
        return self._described(matches)

    @retried
    def _below(self, root: str) -> list[Status]:
        """Lists the files in a directory and in those below, without hidden ones."""
        if folder := local_path(root):
            return local_files(folder)
        system, path = self.locate(root)
        # An object store lists a prefix with all below in pages of thousands.
        files = self._described(self._drained(system.listFiles(path, True)))
        return [file for file in files if "/." not in file.uri[len(root.rstrip("/")) :]]

    @retried
    def directory(self, uri: str) -> list[Status]:
        return [status for status in self._listed(*self.locate(uri)) if not status.is_directory]

    @retried
    def siblings(self, uri: str, ending: str) -> list[str]:
        system, path = self.locate(uri)
        parent = path.getParent()
        if parent is None or not system.exists(parent):
            return []
        start = path.toString() + ending
        return sorted(
            status.uri for status in self._listed(system, parent) if status.is_directory and status.uri.startswith(start)
        )

    def _listed(self, system: Any, path: Any) -> list[Status]:
        """Lists the files and directories in a directory."""
        if folder := local_path(path.toString()):
            with os.scandir(folder) as entries:
                return [
                    Status(f"file:{entry.path}", entry.stat().st_size, entry.stat().st_mtime_ns // 1_000_000, entry.is_dir())
                    for entry in entries
                ]
        return self._described(system.listStatus(path))

    def _drained(self, files: Any) -> Any:
        """Collects an iterator of Hadoop in an array of the JVM."""
        try:
            return self.jvm.org.apache.hadoop.util.functional.RemoteIterators.toList(files).toArray()
        except TypeError:  # before Hadoop 3.3.1
            found = self.jvm.java.util.ArrayList()
            while files.hasNext():
                found.add(files.next())
            return found.toArray()

    def _described(self, statuses: Any) -> list[Status]:
        """Converts an array of the JVM, thousands in a call: one call each would take a millisecond."""
        from py4j.protocol import Py4JError

        jvm = self.jvm
        kind = jvm.java.lang.Class.forName("[Lorg.apache.hadoop.fs.FileStatus;")
        described: list[Status] = []
        count = len(statuses)
        for start in range(0, count, STATUSES_A_CALL):
            length = min(STATUSES_A_CALL, count - start)
            output = jvm.java.io.ByteArrayOutputStream()
            try:
                part = jvm.java.lang.reflect.Array.newInstance(jvm.java.lang.Class.forName("java.lang.Object"), length)
                jvm.java.lang.System.arraycopy(statuses, start, part, 0, length)
                sink = jvm.java.io.DataOutputStream(output)
                jvm.org.apache.hadoop.io.ObjectWritable.writeObject(sink, part, kind, self.configuration)
                described += decoded_statuses(bytes(output.toByteArray()))
            except (Py4JError, ValueError, IndexError, KeyError):
                # A file system may have statuses that can't be written.
                described += [Status.of(statuses[number]) for number in range(start, start + length)]
        return described

    def copy(self, source: Any, sink: Any) -> None:
        """Copies a stream of the JVM to another, and closes both."""
        self.jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, sink, 1 << 20, True)

    @retried_until_there
    def open(self, uri: str) -> Any:
        return self._opened(uri)

    def _opened(self, uri: str) -> Any:
        system, path = self.locate(uri)
        return system.open(path)

    @retried_until_there
    def download(self, uri: str, target: str) -> None:
        self.copy(self._opened(uri), self.jvm.java.io.FileOutputStream(target))

    @retried
    def upload(self, source: str, uri: str) -> None:
        """Copies a local file into an existing directory, and deletes a partial copy."""
        system, path = self.locate(uri)
        # Make no directory: a late attempt must not restore it.
        sink = system.createFile(path).overwrite(True).build()
        try:
            self.copy(self.jvm.java.io.FileInputStream(source), sink)
        except BaseException:
            system.delete(path, False)
            raise

    def read(self, uris: Sequence[str]) -> list[bytes]:
        with ThreadPoolExecutor(PARALLEL_CALLS) as pool:
            return list(pool.map(self._content, uris))

    @retried_until_there
    def _content(self, uri: str) -> bytes:
        output = self.jvm.java.io.ByteArrayOutputStream()
        self.copy(self._opened(uri), output)
        return bytes(output.toByteArray())

    def rename(self, source: str, target: str, expected: Status | None = None) -> str | None:
        try:
            reason: str | None = self._rename(source, target, expected)
            return reason
        except Unreachable as failure:
            return str(failure)

    @retried
    def _rename(self, source: str, target: str, expected: Status | None) -> str | None:
        from py4j.protocol import Py4JJavaError

        system, new = self.locate(target)
        old = self.locate(source)[1]
        failure = None
        reason = f"'{source}' is no longer the file that it was"
        try:
            if expected is None or system.exists(old) and Status.of(system.getFileStatus(old)) == expected:
                if system.rename(old, new):
                    return None
                reason = "the file system refuses"
        except Py4JJavaError as error:
            failure = error
        # A lost answer is no failure.
        with contextlib.suppress(Py4JJavaError):
            if system.exists(new) and not system.exists(old):
                return None
        if failure:
            raise failure
        return reason

    def delete(self, uris: Sequence[str]) -> None:
        for uri in uris:
            self._delete(uri, False)

    def remove(self, uri: str) -> None:
        try:
            if not self._delete(uri, True):
                complain(f"cannot remove '{uri}'; remove it")
        except Unreachable as failure:
            complain(f"{failure}; remove it")

    @retried
    def _delete(self, uri: str, recursive: bool) -> bool:
        system, path = self.locate(uri)
        return bool(system.delete(path, recursive) or not system.exists(path))


@dataclass(frozen=True)
class Status:
    """Hadoop's status of a file."""

    uri: str
    size: int
    modified: int
    is_directory: bool

    @staticmethod
    def of(status: Any) -> Status:
        return Status(
            status.getPath().toString(), status.getLen(), status.getModificationTime(), bool(status.isDirectory())
        )


def decoded_statuses(content: bytes) -> list[Status]:
    """Reads statuses as Hadoop's ObjectWritable writes an array of them: each is a message FileStatusProto.

    Of its fields, 1 is the kind (1 for a directory), 2 the path, 3 the length, 7 the time of change.
    """

    def number(start: int, length: int) -> int:
        return int.from_bytes(content[start : start + length], "big")

    statuses = []
    position = 2 + number(0, 2)  # after the name of the class
    count = number(position, 4)
    position += 4
    for _ in range(count):
        for _ in range(2):
            position += 2 + number(position, 2)
        end = position + 4 + number(position, 4)
        position += 4
        fields: dict[int, Any] = {}
        while position < end:
            key, position = varint(content, position)
            kind = key & 7
            if kind == 0:
                fields[key >> 3], position = varint(content, position)
            elif kind == 2:
                length, position = varint(content, position)
                fields[key >> 3] = content[position : position + length]
                position += length
            elif kind in (1, 5):
                position += 8 if kind == 1 else 4
            else:
                raise ValueError("this is not a message")
        if position != end:
            raise ValueError("a message is truncated")
        statuses.append(Status(fields[2].decode(), fields.get(3, 0), fields.get(7, 0), fields[1] == 1))
    return statuses


def varint(content: bytes, position: int) -> tuple[int, int]:
    """Reads a number of variable length, and returns the position after it, too."""
    value = shift = 0
    while True:
        byte = content[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7


def local_files(folder: str) -> list[Status]:
    """Lists the regular files in a local directory and in those below, without hidden ones.

    Follows links, but not in circles.
    """
    found: list[Status] = []
    seen: set[tuple[int, int]] = set()
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        status = os.stat(place)
        if (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir():
                    waiting.append(entry.path)
                elif entry.is_file():
                    status = entry.stat()
                    found.append(Status(f"file:{entry.path}", status.st_size, status.st_mtime_ns // 1_000_000, False))
                else:
                    complain(f"'{entry.path}' is not a regular file, so it is skipped")
    return found


def local_path(uri: str) -> str | None:
    """Returns the path of a file under file:, which every machine opens itself, or None."""
    match = re.match(r"file:(?://)?(/.*)", uri, re.DOTALL)
    return match[1] if match else None


_files: dict[Hadoop, HadoopFiles] = {}


def executor_files(hadoop: Hadoop) -> HadoopFiles:
    """Returns Hadoop's file systems in a small JVM of this Python worker, which can't reach the executor's JVM.

    Starts the JVM once for each worker, with the executor's classes and the driver's
    configuration. The JVM ends with the worker, however that ends.
    """
    if hadoop not in _files:
        from py4j.java_gateway import JavaGateway
        from pyspark.find_spark_home import _find_spark_home

        jars = os.path.join(_find_spark_home(), "jars")  # type: ignore[no-untyped-call]
        environment = [os.environ.get(name, "") for name in ("HADOOP_CONF_DIR", "SPARK_DIST_CLASSPATH", "CLASSPATH")]
        shipped = [os.path.join(folder, "*") for folder in shipped_folders()]
        classpath = [hadoop.classpath, *environment, os.path.join(jars, "*"), *shipped]
        gateway = JavaGateway.launch_gateway(
            jarpath=glob.glob(os.path.join(jars, "py4j-*.jar"))[0],
            classpath=":".join(filter(None, classpath)),
            javaopts=["-Xmx256m", "-XX:+UseSerialGC"],
            die_on_exit=True,
            enable_auth=True,
            java_path=None,
        )
        configuration = gateway.jvm.org.apache.hadoop.conf.Configuration()
        stream = gateway.jvm.java.io.ByteArrayInputStream(hadoop.configuration.encode())
        configuration.addResource(stream)
        _files[hadoop] = HadoopFiles(gateway.jvm, configuration)
    return _files[hadoop]


def shipped_folders() -> list[str]:
    """Lists the directories of an executor for shipped files: those of the session and of its application."""
    from pyspark import SparkFiles

    root = os.path.abspath(SparkFiles.getRootDirectory())
    return [root, os.path.dirname(root)] if os.environ.get("SPARK_JOB_ARTIFACT_UUID") == os.path.basename(root) else [root]


# ---------------------------------------------------------------------------------------------
# Tasks


# Loaded before threads start, because nothing may load between 'fork' and 'exec'.
_c_library = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Has Linux kill this process when its parent thread ends, such as with a killed worker."""
    with contextlib.suppress(OSError, AttributeError):
        _c_library.prctl(1, signal.SIGKILL)


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """Makes a temporary directory on the executor; Spark removes it if the worker is killed."""
    place = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    with tempfile.TemporaryDirectory(prefix="linkaudit-", dir=place or None) as folder:
        yield folder


class Run:
    """A run of linkaudit on an executor."""

    def __init__(self, settings: Settings, arguments: Sequence[str], folder: str, stdin: int = subprocess.DEVNULL) -> None:
        shipped = [os.path.join(folder, settings.binary) for folder in shipped_folders()]
        present = [path for path in shipped if os.path.exists(path)]
        binary = present[0] if present else shipped[0] if settings.is_shipped else settings.binary
        # A file, because a pipe fills up while nobody reads it.
        self.errors = tempfile.TemporaryFile(dir=folder)
        try:
            self.process = subprocess.Popen(
                [binary, *arguments],
                stdin=stdin,
                stdout=self.errors,
                stderr=self.errors,
                cwd=folder,
                preexec_fn=die_with_parent,
            )
        except OSError as error:
            raise Failure(
                f"cannot run '{binary}' on an executor: {error.strerror}; ship it with '--linkaudit PATH', or install "
                "it on all of them"
            ) from error

    def finish(self, limit: int | None = COMPLAINT_LIMIT) -> tuple[int, str]:
        """Waits for the end, and returns the exit status and the last bytes of the messages."""
        status = self.process.wait()
        end = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, end - (end if limit is None else limit)))
        text = self.errors.read().decode("utf-8", "replace")
        self.errors.close()
        return status, text

    def checked(self, output: str) -> tuple[bool, str]:
        """Waits for the end, and returns whether the input was incomplete, and the messages.

        Status 2 means incomplete only if there is a digest; otherwise nothing could be done. An empty file is not a digest.
        """
        status, text = self.finish()
        if status not in (0, INCOMPLETE) or not os.path.exists(output) or os.path.getsize(output) == 0:
            command = " ".join(map(str, self.process.args))  # type: ignore[arg-type]
            cause = f"signal {-status}" if status < 0 else f"status {status}"
            raise Failure(f"linkaudit ended with {cause}: {text.strip() or 'no message'}\n  command: {command}")
        return status == INCOMPLETE, text


def task_options(folder: str) -> list[str]:
    from pyspark import TaskContext

    context = TaskContext.get()
    return ["--quiet", "--jobs", str(context.cpus() if context else 1), "--temporary-directory", folder]


def digest_command(settings: Settings, folder: str, output: str, share: int = 1) -> list[str]:
    """Returns the command that makes a digest, with its share of the memory for tables."""
    own = memory_options(settings.options, share)
    return ["digest", *settings.options, *own, *task_options(folder), "--no-config", "--part", "-o", output]


def memory_options(options: Sequence[str], share: int) -> list[str]:
    """Returns the option for a share of the memory of a task's tables; the last one counts."""
    if share <= 1:
        return []
    whole = size("1g")
    for option, value in zip(options, [*options[1:], ""]):
        if option == "--memory" or option.startswith("--memory="):
            with contextlib.suppress(argparse.ArgumentTypeError):
                whole = size(option.partition("=")[2] or value)
    return ["--memory", f"{max(whole // share >> 10, 4096)}K"]


def merge_command(folder: str, digests: str, output: str) -> list[str]:
    return ["merge", *task_options(folder), "--files-from", digests, "-o", output]


def digest_files(settings: Settings, logs: Sequence[Log], folder: str, output: str) -> tuple[bool, str]:
    """Makes a digest of files that this machine can open."""
    for log in logs:
        if not os.access(log.name, os.R_OK):
            raise Failure(f"the executor cannot read '{log.name}'; every executor needs the same files under file:")
    listed = write_list(folder, "logs", [log.name for log in logs])
    return Run(settings, [*digest_command(settings, folder, output), "--files-from", listed], folder).checked(output)


def digest_stream(settings: Settings, log: Log, folder: str, output: str, share: int = 1) -> tuple[bool, str]:
    """Makes a digest of a log that the JVM writes into a named pipe, so it is never in memory."""
    files = executor_files(settings.hadoop)
    pipe = f"{output}.pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        # Open the writer first: without one, the reader sees the end at once.
        sink = files.jvm.java.io.FileOutputStream(pipe)
        os.set_blocking(reader, True)
        try:
            source = files.open(log.uri)
            arguments = [*digest_command(settings, folder, output, share), "-", "--stdin-name", log.name]
            run = Run(settings, arguments, folder, stdin=reader)
        except BaseException:
            sink.close()
            raise
    finally:
        os.close(reader)
        os.unlink(pipe)
    count, error = copied(files, source, sink)
    incomplete, text = run.checked(output)
    if error:
        raise Failure(f"cannot read '{log.uri}' to its end: {error}")
    if count is not None and count != log.size:
        raise Failure(
            f"'{log.uri}' has {count} bytes where {log.size} were listed: it has changed, or its stream broke off; run this again"
        )
    return incomplete, text


def copied(files: HadoopFiles, source: Any, sink: Any) -> tuple[int | None, str | None]:
    """Copies a log to a pipe, and closes both.

    Returns the number of bytes that were read, or None if linkaudit stops at damage, and the error if
    the log could not be read completely.
    """
    from py4j.protocol import Py4JJavaError

    try:
        files.jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, sink, 1 << 20, False)
        count = source.getPos()
        sink.close()
        return count, None
    except Py4JJavaError as error:
        # A closed pipe is no error.
        frames = error.java_exception.getStackTrace()
        if frames and frames[0].getClassName() == "java.io.FileOutputStream":
            return None, None
        return None, str(error.java_exception.toString())
    finally:
        for stream in (source, sink):
            with contextlib.suppress(Py4JJavaError):
                stream.close()


def write_list(folder: str, name: str, paths: Iterable[str]) -> str:
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(b"".join(os.fsencode(entry) + b"\0" for entry in paths))
    return path


def merge_files(settings: Settings, digests: Sequence[str], folder: str, output: str) -> str:
    """Merges digests that this machine can open, and returns the messages."""
    return Run(settings, merge_command(folder, write_list(folder, "digests", digests), output), folder).checked(output)[1]


@contextlib.contextmanager
def published(settings: Settings, folder: str) -> Iterator[tuple[str, str]]:
    """Names the file that an attempt writes, and its place in the work directory.

    Each attempt has its own place, and the driver knows only those of attempts that Spark
    counts. So the output of others is never read, and is removed with the work directory.
    """
    from pyspark import TaskContext

    context = TaskContext.get()
    uri = f"{settings.work}/{context.stageId()}-{context.partitionId()}-{context.taskAttemptId()}.digest"  # type: ignore[union-attr]
    place = local_path(uri)
    output = place or os.path.join(folder, "output.digest")
    try:
        yield output, uri
        if not place:
            executor_files(settings.hadoop).upload(output, uri)
    except BaseException:
        if place:
            with contextlib.suppress(OSError):
                os.unlink(place)
        raise


def record(settings: Settings, folder: str, part: Part, logs: Sequence[Log]) -> None:
    """Writes the record next to a complete digest, by which a later run knows its logs."""
    content = json.dumps({
        "settings": settings.identity,
        "logs": [log.identity for log in logs],
        "size": part.size,
        "complaints": part.complaints,
        "isIncomplete": part.is_incomplete,
    })
    source = os.path.join(folder, "record")
    pathlib.Path(source).write_text(content)
    uri = part.uri + RECORD_SUFFIX
    if place := local_path(uri):
        # Rename it on one file system, so that no partial record appears.
        draft = f"{place}.draft"
        pathlib.Path(draft).write_text(content)
        os.replace(draft, place)
    else:
        executor_files(settings.hadoop).upload(source, uri)


def digest_task(logs: Sequence[Log], settings: Settings) -> Part:
    """Makes a digest of some logs, as a task."""
    began = time.monotonic()
    with scratch() as folder:
        with published(settings, folder) as (output, uri):
            local = [log for log in logs if local_path(log.uri)]
            streams = [log for log in logs if not local_path(log.uri)]
            count = len(streams) + bool(local)
            outputs = [output] if count == 1 else [os.path.join(folder, f"{number}.digest") for number in range(count)]
            outcomes = digest_streams(settings, streams, folder, outputs)
            if local:
                outcomes.append(digest_files(settings, local, folder, outputs[-1]))
            if count > 1:
                merge_files(settings, outputs, folder, output)
            part = Part(
                uri,
                os.path.getsize(output),
                complaints="".join(text for _, text in outcomes),
                is_incomplete=any(incomplete for incomplete, _ in outcomes),
                host=socket.gethostname(),
                seconds=time.monotonic() - began,
            )
        record(settings, folder, part, logs)
        return part


def digest_streams(
    settings: Settings, logs: Sequence[Log], folder: str, outputs: Sequence[str]
) -> list[tuple[bool, str]]:
    """Makes digests of streams, some at a time, because opening and the first byte wait for the network."""
    share = max(1, min(settings.streams, len(logs)))
    if share == 1:
        return [digest_stream(settings, log, folder, output) for log, output in zip(logs, outputs)]
    executor_files(settings.hadoop)  # one for all threads
    with ThreadPoolExecutor(share) as pool:
        work = [pool.submit(digest_stream, settings, log, folder, path, share) for log, path in zip(logs, outputs)]
        try:
            return [outcome.result() for outcome in work]
        except BaseException:
            for outcome in work:
                outcome.cancel()
            raise


def merge_task(parts: Sequence[Part], settings: Settings, logs: Sequence[Log] | None = None) -> Part:
    """Merges some digests, as a task; reads the last one again and checks it against all logs."""
    with scratch() as folder, published(settings, folder) as (output, uri):
        paths = []
        for number, part in enumerate(parts):
            path = local_path(part.uri)
            if not path:
                path = os.path.join(folder, f"{number}.digest")
                executor_files(settings.hadoop).download(part.uri, path)
            paths.append(path)
        complaints = merge_files(settings, paths, folder, output)
        missing = missing_logs(settings, output, folder, logs) if logs else ()
        return Part(uri, os.path.getsize(output), complaints=complaints, missing=missing)


def missing_logs(settings: Settings, digest: str, folder: str, logs: Sequence[Log]) -> tuple[str, ...]:
    """Reads a digest completely, and lists logs that it lacks because others have the same content."""
    status, text = Run(settings, ["digest", "--describe", digest], folder).finish(limit=None)
    if status:
        raise Failure(f"the merged digest cannot be read: {text}")
    match = re.search(r"^  input +([0-9,]+) logs?:", text, re.MULTILINE)
    if match and int(match[1].replace(",", "")) == len(logs):
        return ()
    present = {line[4:] for line in text.splitlines() if line.startswith("    ")}
    return tuple(log.name for log in logs if log.name not in present) or ("(unknown)",)


def options_task(_: int, settings: Settings) -> tuple[int, str]:
    """Tries linkaudit and its options on an empty log, as a task."""
    with scratch() as folder:
        output = os.path.join(folder, "empty.digest")
        try:
            return Run(settings, [*digest_command(settings, folder, output), "-"], folder).finish()
        except Failure as failure:
            return INCOMPLETE, str(failure)


# ---------------------------------------------------------------------------------------------
# The driver


def complain(message: str) -> None:
    print(f"linkaudit_spark: {message}", file=sys.stderr)


def packed(logs: Sequence[Log], task_size: int) -> list[list[Log]]:
    """Groups logs into tasks of about a size, largest first, because late tasks should be short."""
    tasks: list[list[Log]] = []
    room = 0
    for log in sorted(logs, key=lambda log: (-log.size, log.name)):
        cost = log.size + OPENING_COST
        if not tasks or cost > room:
            tasks.append([])
            room = max(task_size, cost)
        tasks[-1].append(log)
        room -= cost
    return tasks


@contextlib.contextmanager
def progress(name: str, count: int, done: Callable[[], tuple[int, float]]) -> Iterator[None]:
    """Shows on standard error how many tasks are done and which share of the work.

    A terminal has one line, which is updated; a log has a line a minute.
    """
    began = time.monotonic()
    ended = threading.Event()
    stream = sys.stderr
    interval, form = (TERMINAL_INTERVAL, "\r{}\033[K") if stream.isatty() else (LOG_INTERVAL, "{}\n")

    def show() -> None:
        while not ended.wait(interval):
            tasks, share = done()
            text = f"linkaudit_spark: {name}: {share:.0%}, {tasks} of {count} tasks"
            if share:
                left = round((time.monotonic() - began) * (1 - share) / share)
                text += f", {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
            stream.write(form.format(text))
            stream.flush()

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if stream.isatty():
            stream.write(form.format(""))
            stream.flush()


class Cluster(abc.ABC):
    """A connection to Spark: runs tasks, ships files, and reaches Hadoop's file systems."""

    name: str  # that no other run has
    files: Files
    hadoop: Hadoop
    is_quiet = True

    @abc.abstractmethod
    def ship(self, path: str) -> None:
        """Copies a file to all executors."""

    @abc.abstractmethod
    def run(
        self, name: str, items: Sequence[Any], task: Callable[[Any], Any], weights: Sequence[int] = (), pairs: int = 0
    ) -> list[Any]:
        """Runs a task for each item, and returns the results of those attempts that Spark counts.

        Items with weights have their progress shown. The first `pairs` tasks have two cores each.
        """

    @abc.abstractmethod
    def cores(self) -> tuple[int, int]:
        """Counts the tasks that can run at a time, and how many could with two cores each."""

    @abc.abstractmethod
    def stop(self) -> None:
        """Ends the connection, and tasks that still run."""

    def progress(self, name: str, weights: Sequence[int], done: Callable[[], tuple[int, float]]) -> Any:
        return contextlib.nullcontext() if self.is_quiet or not weights else progress(name, len(weights), done)


def task_failure(name: str, text: str) -> Failure:
    """Makes the failure of a task from Spark's message."""
    # Spark wraps the exception of the last attempt in two traces.
    own = re.search(r"linkaudit_spark\.(?:Failure|Unreachable): (.*?)(?:\n(?:\n|\tat |Driver stacktrace|JVM stacktrace)|\Z)", text, re.DOTALL)
    if not own and re.search(r"No module named '(pyarrow|pandas)|(PyArrow|Pandas) >= \S+ must be installed", text):
        return Failure(f"{EXECUTOR_PACKAGES} ({text.strip().splitlines()[-1]})")
    # The message of Spark Connect begins with a heading; the exception is after the trace.
    raised = re.search(r"Traceback \(most.*?^([\w.]*(?:Error|Exception)\b[^\n]*)", text, re.DOTALL | re.MULTILINE)
    first = text.strip().split("\n")[0]
    words = own[1].rstrip() if own else raised[1] if raised and "Python worker" in first else first
    return Failure(f"a task failed while it had to {name}: {words}")


class ContextCluster(Cluster):
    """Spark's driver in this process, and its JVM."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.name = context.applicationId
        configuration = context._jsc.hadoopConfiguration()
        self.files = HadoopFiles(context._jvm, configuration)
        xml = context._jvm.java.io.StringWriter()
        configuration.writeXml(xml)
        self.hadoop = Hadoop(xml.toString(), context.getConf().get("spark.executor.extraClassPath", ""))
        context.addPyFile(os.path.abspath(__file__))
        self.count = 0

    def ship(self, path: str) -> None:
        self.context.addFile(path)

    def run(
        self, name: str, items: Sequence[Any], task: Callable[[Any], Any], weights: Sequence[int] = (), pairs: int = 0
    ) -> list[Any]:
        from py4j.protocol import Py4JJavaError

        context = self.context
        self.count += 1
        group = f"linkaudit-{self.count}"
        ended, weight = context.accumulator(0), context.accumulator(0)
        work = functools.partial(weighed_task, task=task, ended=ended, weight=weight)
        weighed = list(zip(items, weights or [0] * len(items)))

        def collect(items: Sequence[Any], profile: Any = None) -> list[Any]:
            # Spark keeps the group and the name of a job for each thread.
            context.setJobGroup(group, f"linkaudit: {name}")
            data = context.parallelize(items, len(items)).map(work)
            results: list[Any] = (data.withResources(profile) if profile else data).collect()
            return results

        def done() -> tuple[int, float]:
            return ended.value, weight.value / max(1, sum(weights))

        with ThreadPoolExecutor(2) as pool, self.progress(name, weights, done):
            jobs: list[Future[list[Any]]] = []
            if pairs:
                jobs.append(pool.submit(collect, weighed[:pairs], self.pair_profile()))
                # Both jobs run at a time, and Spark prefers tasks of the first.
                while not context.statusTracker().getJobIdsForGroup(group) and not jobs[0].done():
                    time.sleep(0.05)
            if pairs < len(items):
                jobs.append(pool.submit(collect, weighed[pairs:]))
            try:
                for job in wait(jobs, return_when=FIRST_EXCEPTION).done:
                    job.result()
            except Py4JJavaError as error:
                context.cancelJobGroup(group)
                raise task_failure(name, str(error.java_exception.getMessage())) from error
            return [result for job in jobs for result in job.result()]

    def cores(self) -> tuple[int, int]:
        from py4j.protocol import Py4JError

        conf = self.context.getConf()
        cpus = int(conf.get("spark.task.cpus", "1"))
        try:
            listed = self.context._jsc.sc().statusStore().executorList(True)
            executors = [listed.apply(number) for number in range(listed.size())]
            cores = [executor.totalCores() for executor in executors if executor.totalCores()]
            # With dynamic allocation, a profile needs executors of its own.
            fixed = cpus == 1 and conf.get("spark.dynamicAllocation.enabled", "false") != "true"
            manager = self.context._jsc.sc().resourceProfileManager()
            if fixed and min(cores, default=0) > 1 and manager.isSupported(self.pair_profile()._java_resource_profile):
                return sum(cores), sum(count // 2 for count in cores)
            return sum(count // cpus for count in cores), 0
        except Py4JError:
            return self.context.defaultParallelism // cpus, 0

    def pair_profile(self) -> Any:
        """A profile of tasks that have two cores each, on executors as they are."""
        from pyspark.resource import ResourceProfileBuilder, TaskResourceRequests

        return ResourceProfileBuilder().require(TaskResourceRequests().cpus(2)).build

    def stop(self) -> None:
        self.context.stop()


def weighed_task(weighed: tuple[Any, int], task: Callable[[Any], Any], ended: Any, weight: Any) -> Any:
    """A task that adds itself to what the driver shows as done."""
    item, own = weighed
    result = task(item)
    ended.add(1)
    weight.add(own)
    return result


class ConnectCluster(Cluster):
    """A session of Spark Connect, which has data frames, but no JVM and no RDD."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.name = session.session_id
        values = {row.key: row.value for row in session.sql("SET").collect()}
        self.hadoop = Hadoop(hadoop_xml(values), values.get("spark.executor.extraClassPath", ""))
        self.files = RemoteFiles(self)
        session.addArtifacts(os.path.abspath(__file__), pyfile=True)
        self.folder = tempfile.TemporaryDirectory(prefix="linkaudit-")
        self.count = 0

    def ship(self, path: str) -> None:
        self.session.addArtifacts(path, file=True)

    def run(
        self, name: str, items: Sequence[Any], task: Callable[[Any], Any], weights: Sequence[int] = (), pairs: int = 0
    ) -> list[Any]:
        from pyspark.errors import PySparkException

        # Ship items in a file: the plan of a query has a limit, and would send all items to each task.
        self.count += 1
        path = os.path.join(self.folder.name, f"linkaudit-items-{self.count}")
        write_items(path, items)
        work = functools.partial(connect_task, task=task, items=os.path.basename(path))
        ended = 0

        def count_tasks(stages: Iterable[Any] | None, **_: Any) -> None:
            nonlocal ended
            ended = sum(stage.num_completed_tasks for stage in stages or [])

        try:
            self.ship(path)
            # Each partition has one number, and nothing shuffles them.
            numbers = self.session.range(0, len(items), 1, len(items))
            data = numbers.mapInArrow(work, "number long, piece long, result binary")
            if not hasattr(self.session, "registerProgressHandler"):  # before PySpark 4
                weights = ()
            with self.progress(name, weights, lambda: (ended, ended / len(items))):
                if weights:
                    self.session.registerProgressHandler(count_tasks)
                rows = data.collect()
        except PySparkException as error:
            raise task_failure(name, str(error)) from error
        except BaseException:
            # Tasks would outlive this program.
            with contextlib.suppress(Exception):
                self.session.interruptAll()
            raise
        finally:
            if weights:
                self.session.removeProgressHandler(count_tasks)
            os.unlink(path)
        pieces = {(row.number, row.piece): row.result for row in rows}
        results: dict[int, bytearray] = {}
        for number, piece in sorted(pieces):
            results.setdefault(number, bytearray()).extend(pieces[number, piece])
        if len(pieces) != len(rows) or list(results) != list(range(len(items))):
            raise Failure(f"Spark returned the results of {len(results)} tasks, not {len(items)}, that had to {name}; run this again")
        # Unpickling fails if a piece is missing.
        return [pickle.loads(result) for result in results.values()]

    def cores(self) -> tuple[int, int]:
        # Spark splits a range into as many partitions as there are cores.
        from pyspark.sql import functions

        numbers = self.session.range(1 << 16).select(functions.spark_partition_id().alias("core"))
        [row] = numbers.agg({"core": "max"}).collect()
        return row[0] + 1, 0

    def stop(self) -> None:
        self.folder.cleanup()
        self.session.stop()


def hadoop_xml(values: dict[str, str]) -> str:
    """Selects the settings of Hadoop from those of a session. Executors add those of their own files."""
    root = ElementTree.Element("configuration")
    for key, value in sorted(values.items()):
        name = key[len("spark.hadoop.") :] if key.startswith("spark.hadoop.") else ""
        if "(redacted)" in value and name:
            complain(f"the server hides '{key}'; executors need it in core-site.xml, or in their environment")
        elif name:
            entry = ElementTree.SubElement(root, "property")
            ElementTree.SubElement(entry, "name").text = name
            ElementTree.SubElement(entry, "value").text = value
    return ElementTree.tostring(root, encoding="unicode")


def write_items(path: str, items: Sequence[Any]) -> None:
    """Writes offsets and items into a file, from which each task reads its own."""
    contents = [pickle.dumps(item) for item in items]
    places = itertools.accumulate((len(content) for content in contents), initial=8 * (len(contents) + 1))
    with open(path, "wb") as file:
        file.write(b"".join(place.to_bytes(8, "big") for place in places))
        file.writelines(contents)


def read_item(path: str, number: int) -> Any:
    with open(path, "rb") as file:
        file.seek(8 * number)
        start, end = (int.from_bytes(file.read(8), "big") for _ in range(2))
        file.seek(start)
        return pickle.loads(file.read(end - start))


def connect_task(batches: Iterable[Any], task: Callable[[Any], Any], items: str) -> Iterator[Any]:
    """Turns the numbers of items into results, as a task of a data frame."""
    import pyarrow
    from pyspark import SparkFiles

    for batch in batches:
        for number in batch.column(0).to_pylist():
            result = pickle.dumps(task(read_item(SparkFiles.get(items), number)))
            for piece, start in enumerate(range(0, len(result), PIECE_SIZE)):
                columns = [
                    pyarrow.array([number], pyarrow.int64()),
                    pyarrow.array([piece], pyarrow.int64()),
                    pyarrow.array([result[start : start + PIECE_SIZE]], pyarrow.binary()),
                ]
                yield pyarrow.RecordBatch.from_arrays(columns, names=["number", "piece", "result"])


class RemoteFiles(Files):
    """The file systems that Hadoop knows, as executors reach them: each call is a task.

    Spark may repeat a call, at the same time or while an attempt that it has given up still runs. None does harm:
    a late renaming finds that its file is another one by now.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def _ask(self, purpose: str, method: str, *arguments: Any) -> Any:
        """Calls a method on an executor."""
        task = functools.partial(files_task, method=method, hadoop=self.cluster.hadoop)
        [(result, said, failure)] = self.cluster.run(purpose, [arguments], task)
        sys.stderr.write(said)
        if failure:
            raise failure
        return result

    def qualified(self, uri: str) -> str:
        self._check([uri])
        return str(self._ask(f"look at '{uri}'", "qualified", uri))

    def _check(self, uris: Iterable[str]) -> None:
        """Refuses paths without a file system: an executor may have another default or working directory."""
        for uri in uris:
            if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", uri):
                raise Failure(
                    f"with Spark Connect, '{uri}' needs its file system, such as file:///logs or hdfs://name/logs", USAGE
                )

    def status(self, uri: str) -> Status | None:
        status: Status | None = self._ask(f"look at '{uri}'", "status", uri)
        return status

    def find(self, patterns: Sequence[str]) -> list[Log]:
        self._check(patterns)
        logs: list[Log] = self._ask("list the logs", "find", patterns)
        return logs

    def directory(self, uri: str) -> list[Status]:
        statuses: list[Status] = self._ask(f"list '{uri}'", "directory", uri)
        return statuses

    def siblings(self, uri: str, ending: str) -> list[str]:
        uris: list[str] = self._ask(f"look for what is beside '{uri}'", "siblings", uri, ending)
        return uris

    def read(self, uris: Sequence[str]) -> list[bytes]:
        contents: list[bytes] = self._ask("read records", "read", uris)
        return contents

    def make_directory(self, uri: str) -> None:
        self._ask(f"make '{uri}'", "make_directory", uri)

    def rename(self, source: str, target: str, expected: Status | None = None) -> str | None:
        try:
            reason: str | None = self._ask(f"rename '{source}'", "rename", source, target, expected)
            return reason
        except Failure as failure:
            raise Unfinished(f"{failure}; '{source}' may be '{target}' by now: look at both, and keep them") from failure

    def delete(self, uris: Sequence[str]) -> None:
        if uris:
            self._ask("remove digests that are merged", "delete", uris)

    def remove(self, uri: str) -> None:
        try:
            self._ask(f"remove '{uri}'", "remove", uri)
        except Failure as failure:
            complain(f"{failure}; remove it")


def files_task(arguments: Sequence[Any], method: str, hadoop: Hadoop) -> tuple[Any, str, Failure | None]:
    """Calls a method of HadoopFiles, as a task; returns its result, messages and failure."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            return getattr(executor_files(hadoop), method)(*arguments), said.getvalue(), None
        except Unreachable:
            raise  # another executor may reach it
        except Failure as failure:
            return None, said.getvalue(), failure


def merged(cluster: Cluster, parts: list[Part], settings: Settings, logs: Sequence[Log], width: int) -> Part:
    """Merges digests in a tree, and removes those of each round after the next one.

    Digests of logs stay to the end, because a later run can continue from them.
    """
    kept = {part.uri for part in parts}
    while True:
        groups = [parts[start : start + width] for start in range(0, len(parts), width)]
        last = logs if len(groups) == 1 else None
        task = functools.partial(merge_task, settings=settings, logs=last)
        weights = [sum(part.size for part in group) for group in groups]
        outcome = cluster.run(f"merge {len(parts)} digests", groups, task, weights)
        cluster.files.delete([part.uri for part in parts if part.uri not in kept])
        parts = outcome
        if last is not None:
            return parts[0]


def finished_parts(files: Files, folders: Iterable[str], settings: Settings, logs: Sequence[Log]) -> tuple[list[Part], list[Log]]:
    """Finds the digests of earlier runs whose logs are unchanged, and the logs that have none."""
    missing = {json.dumps(log.identity): log for log in logs}
    found: list[tuple[str, dict[str, Any]]] = []
    for folder in folders:
        sizes = {status.uri: status.size for status in files.directory(folder)}
        records = [uri for uri in sizes if uri.endswith(RECORD_SUFFIX)]
        for uri, content in zip(records, files.read(records)):
            digest = uri[: -len(RECORD_SUFFIX)]
            with contextlib.suppress(ValueError, KeyError, TypeError):
                values = json.loads(content)
                if values["settings"] == settings.identity and sizes.get(digest) == values["size"]:
                    found.append((digest, values))
    parts: list[Part] = []
    for uri, values in sorted(found, key=lambda pair: (-len(pair[1]["logs"]), pair[0])):
        keys = [json.dumps(identity) for identity in values["logs"]]
        if keys and all(key in missing for key in keys):
            for key in keys:
                del missing[key]
            parts.append(Part(uri, values["size"], str(values["complaints"]), bool(values["isIncomplete"])))
    return parts, list(missing.values())


def check_options(options: Sequence[str]) -> None:
    """Refuses options that can't be the same in all parts."""
    for option, value in zip(options, [*options[1:], ""]):
        name, _, own = option.partition("=")
        if name in OWN_OPTIONS:
            raise Failure(f"'{name}' cannot follow '--': tasks set it themselves, or cannot use it", USAGE)
        if name in ("--since", "--until") and not re.match(r"[0-9]{4}-", own or value):
            raise Failure(f"'{name}' needs a date or a time here, because tasks start at different times", USAGE)


def prepared(cluster: Cluster, arguments: argparse.Namespace, work: str) -> Settings:
    """Ships the files of tasks, and returns their settings."""
    binary = arguments.linkaudit or arguments.installed_linkaudit
    if arguments.linkaudit:
        if not os.path.isfile(binary):
            raise Failure(f"there is no '{binary}' to ship; if executors have the command, pass its path with '--installed-linkaudit'", USAGE)
        cluster.ship(os.path.abspath(binary))
        binary = os.path.basename(binary)
    identity = hashlib.sha256(json.dumps(arguments.options).encode())
    if arguments.linkaudit:
        with open(arguments.linkaudit, "rb") as file:
            while piece := file.read(1 << 20):
                identity.update(piece)
    else:
        identity.update(arguments.installed_linkaudit.encode())
    return Settings(
        binary=binary,
        is_shipped=bool(arguments.linkaudit),
        options=tuple(arguments.options),
        work=work,
        hadoop=cluster.hadoop,
        streams=arguments.streams,
        identity=identity.hexdigest(),
    )


def report_damage(parts: Sequence[Part], fails: bool) -> bool:
    """Prints the messages about damaged logs, and returns whether some are incomplete."""
    # Runs repeat messages, and some messages have several lines.
    complaints = sorted(
        {text.rstrip() for part in parts for text in re.split(r"^(?=linkaudit: )", part.complaints, flags=re.M)}
    )
    for text in list(filter(None, complaints))[:SHOWN_COMPLAINTS]:
        print(text, file=sys.stderr)
    if len(complaints) > SHOWN_COMPLAINTS:
        complain(f"{len(complaints) - SHOWN_COMPLAINTS} more complaints like these")
    is_incomplete = any(part.is_incomplete for part in parts)
    if is_incomplete and fails:
        raise Failure("some logs are incomplete, and there is no digest; to make one of the readable part, use '--on-damage report'")
    return is_incomplete


def amount(count: int) -> str:
    """Returns a number of bytes in a suitable unit."""
    power = min(3, int(math.log(max(1, count), 1024)))
    return f"{count / 1024**power:,.{min(1, power)}f} {('bytes', 'KiB', 'MiB', 'GiB')[power]}"


def report_skew(cluster: Cluster, tasks: Sequence[Sequence[Log]], task_size: int) -> int:
    """Names logs that determine when reading ends, and returns how many first tasks get two cores for that."""
    large = [logs[0].size for logs in tasks if logs[0].size > task_size]
    if not large:
        return 0
    cores, pairs = cluster.cores()
    share = sum(log.size for logs in tasks for log in logs) / max(1, cores)
    giants = [size for size in large if size >= GIANT * share]
    if not giants:
        return 0
    # Other tasks keep a core: without it, two cores gained nothing.
    pairs = min(pairs, len(giants), (cores - (len(tasks) > len(giants))) // 2)
    complain(
        f"logs larger than a task of {amount(task_size)}: {len(large)} of {sum(map(len, tasks))}. The largest, "
        f"'{tasks[0][0].name}', has {amount(large[0])}: on one core, it takes {large[0] / share:.1f} times as long as an even "
        f"share of all logs on {cores} cores. "
        + (f"Logs with two cores: {pairs}. " if pairs else "")
        + "Rotate logs by size to shorten this"
    )
    return pairs


def report_stragglers(tasks: Sequence[Sequence[Log]], parts: Sequence[Part]) -> None:
    """Names the tasks that took much longer than others of their size."""
    costs = [sum(log.size + OPENING_COST for log in logs) for logs in tasks]
    usual = statistics.median(part.seconds / cost for cost, part in zip(costs, parts))
    late = [
        (part.seconds - cost * usual, part, logs)
        for cost, part, logs in zip(costs, parts, tasks)
        if part.seconds > max(STRAGGLER * cost * usual, cost * usual + STRAGGLER_SECONDS)
    ]
    if late:
        delay, part, logs = max(late, key=lambda entry: entry[0])
        complain(
            f"{len(late)} of {len(tasks)} tasks took more than {STRAGGLER} times as long as others of their size. The latest "
            f"took {part.seconds:.0f} s, {delay:.0f} s too many, on '{part.host}', with '{logs[0].name}'. With "
            "'spark.speculation=true', Spark gives slow tasks a second attempt"
        )


def report_changes(files: Files, arguments: argparse.Namespace, output: str, logs: Sequence[Log]) -> None:
    """Lists the logs again, and names those that appeared, changed or vanished since."""
    # Parts and digests are no logs, if the output is among the logs.
    before = {log.uri: log for log in logs if not log.uri.startswith(output)}
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the first listing has said the same
            after = {log.uri: log for log in files.find(arguments.logs) if not log.uri.startswith(output)}
        found = (
            ("appeared, and the digest lacks them", [log.name for uri, log in after.items() if uri not in before]),
            ("changed", [log.name for uri, log in after.items() if before.get(uri, log) != log]),
            ("vanished, and the digest has them", [log.name for uri, log in before.items() if uri not in after]),
        )
        texts = [f"{some(names)} {verb}" for verb, names in found if names]
    except Failure as failure:
        texts = [f"the logs could not be listed again: {failure}"]
    if texts and arguments.on_changes == "fail":
        raise Failure(f"during the run, {'; '.join(texts)}. There is no digest; run this again")
    for text in texts:
        complain(f"during the run, {text}")


def some(names: Sequence[str]) -> str:
    """Returns the number of logs and the first names."""
    more = ", ..." if len(names) > SHOWN_NAMES else ""
    return f"{plural(len(names), 'log')} ({', '.join(map(repr, names[:SHOWN_NAMES]))}{more})"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def run(cluster: Cluster, arguments: argparse.Namespace) -> int:
    """Makes the digest, and returns the exit status."""
    check_options(arguments.options)
    cluster.is_quiet = arguments.quiet
    files = cluster.files
    output = files.qualified(arguments.output)
    files.restore(output)
    if not arguments.overwrite and files.exists(output):
        raise Failure(f"'{arguments.output}' exists; to replace it, use '--overwrite'", USAGE)
    logs = files.find(arguments.logs)
    if not logs:
        raise Failure("there is nothing to read")
    if len(logs) < arguments.expect_logs:
        raise Failure(f"found {plural(len(logs), 'log')} instead of {arguments.expect_logs}; run again when all are there")
    work = f"{output}.parts-{cluster.name}"
    earlier = files.siblings(output, ".parts-")
    if earlier and not arguments.resume:
        complain(f"an earlier run has left '{earlier[0]}'; '--resume' continues from its parts, or remove it")
    settings = prepared(cluster, arguments, work)
    (status, text), *_ = cluster.run("try the options", [0], functools.partial(options_task, settings=settings))
    if status:
        raise Failure(text.strip(), USAGE if status == USAGE else INCOMPLETE)
    files.make_directory(work)
    keeps_work = arguments.resume
    try:
        finished, missing = finished_parts(files, earlier, settings, logs) if arguments.resume else ([], logs)
        if finished:
            complain(f"{len(logs) - len(missing)} of {len(logs)} logs are in digests of an earlier run")
        tasks = packed(missing, arguments.task_size)
        task = functools.partial(digest_task, settings=settings)
        parts = finished
        if tasks:
            pairs = report_skew(cluster, tasks, arguments.task_size)
            weights = [sum(log.size + OPENING_COST for log in logs) for logs in tasks]
            made = cluster.run(f"read {len(missing)} logs", tasks, task, weights, pairs)
            report_stragglers(tasks, made)
            parts = finished + made
        is_incomplete = report_damage(parts, fails=arguments.on_damage == "fail")
        digest = merged(cluster, parts, settings, logs, arguments.merge_width)
        if digest.missing:
            raise Failure(f"logs with the same content would count once; leave out {some(digest.missing)}")
        report_changes(files, arguments, output, logs)
        files.replace(digest.uri, output)
        keeps_work = False
        if arguments.resume:
            for folder in earlier:
                files.remove(folder)
    except Unfinished:
        keeps_work = True
        raise
    finally:
        if not keeps_work:
            files.remove(work)
    return INCOMPLETE if is_incomplete else 0


# ---------------------------------------------------------------------------------------------
# The command line


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def size(text: str) -> int:
    """A number of bytes, such as 512M or 1g."""
    match = re.fullmatch(r"([0-9]+)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write it as 512M or 1g")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


def count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return int(text)


def width(text: str) -> int:
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"'{text}' must be a number from 2 on")
    return int(text)


def streams(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"'{text}' must be a number from 1 to 64")
    return int(text)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    own, options = list(arguments), []
    if "--" in own:
        place = own.index("--")
        own, options = own[:place], own[place + 1 :]
    parser = Parser(
        prog="linkaudit_spark.py",
        description=(__doc__ or "").strip(),
        epilog=EXAMPLES,
        usage="%(prog)s [options] LOG... -o DIGEST [-- OPTION...]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("logs", metavar="LOG", nargs="+", help="files, directories or patterns, of any file system that Hadoop knows")
    add("-o", "--output", metavar="DIGEST", required=True, help="write the digest to DIGEST, which all executors can write")
    add("--overwrite", action="store_true", help="replace an existing digest")
    add("--resume", action="store_true", help="reuse the parts of earlier runs, and keep them if this run fails")
    add("--remote", metavar="URL", help="use the Spark Connect server at a URL such as sc://host:15002 (default: SPARK_REMOTE)")
    binary = parser.add_mutually_exclusive_group(required=True)
    binary.add_argument("--linkaudit", metavar="PATH", help="ship this command with the job")
    binary.add_argument(
        "--installed-linkaudit", metavar="PATH", help="use the command that executors have, or that '--files' ships"
    )
    add("--task-size", metavar="SIZE", type=size, default=size("1g"), help="bytes of a task's logs as stored (default: 1g)")
    add("--streams", metavar="N", type=streams, default=4, help="logs that a task streams at a time (default: 4)")
    add("--merge-width", metavar="N", type=width, default=16, help="digests that a task merges (default: 16)")
    add("--on-damage", choices=("fail", "report"), default="fail", help="fail or report if logs are damaged (default: fail)")
    add("--expect-logs", metavar="N", type=count, default=0, help="fail before reading if fewer logs are listed")
    add(
        "--on-changes",
        choices=("report", "fail"),
        default="report",
        help="report or fail if logs appear, change or vanish during the run (default: report)",
    )
    add("-q", "--quiet", action="store_true", help="hide progress, but not messages")
    result = parser.parse_args(own)
    result.options = options
    return result


def connected(remote: str | None) -> Cluster:
    """Connects to the cluster of a URL, the environment, or 'spark-submit'."""
    try:
        if not remote and "SPARK_REMOTE" not in os.environ and "SPARK_CONNECT_MODE_ENABLED" not in os.environ:
            from pyspark import SparkConf, SparkContext

            conf = SparkConf().setIfMissing("spark.app.name", "linkaudit").set("spark.ui.showConsoleProgress", "false")
            return ContextCluster(SparkContext(conf=conf))
    except ImportError as error:
        # The client of Spark Connect has no SparkContext.
        if importlib.util.find_spec("pyspark") is not None:
            raise Failure(f"this PySpark needs a Spark Connect server; pass it with '--remote URL' ({error})", USAGE) from error
        raise Failure(
            "PySpark is missing; start this with 'spark-submit', or install it with 'pip install pyspark'"
        ) from error
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("linkaudit")
        try:
            return ConnectCluster((builder.remote(remote) if remote else builder).getOrCreate())
        except PySparkException as error:
            if isinstance(error, ImportError):
                raise
            raise Failure(f"cannot use the Spark Connect server: {str(error).strip()}") from error
    except ImportError as error:
        raise Failure(f"{CONNECT_PACKAGES} ({error})") from error


def main(arguments: Sequence[str]) -> int:
    parsed_arguments = parsed(arguments)
    try:
        cluster = connected(parsed_arguments.remote)
        try:
            return run(cluster, parsed_arguments)
        finally:
            cluster.stop()
    except Failure as failure:
        complain(str(failure))
        return failure.status


if __name__ == "__main__":
    # Import it as a module, so that executors import it instead of getting a copy with each task.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import linkaudit_spark

    sys.exit(linkaudit_spark.main(sys.argv[1:]))
