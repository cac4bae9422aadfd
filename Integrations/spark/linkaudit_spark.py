#!/usr/bin/env python3
"""Make one digest of logs on many machines with Apache Spark.

The digest is, byte for byte, the one that a single machine makes of the same logs under the same
names. Documentation/Clusters.md says how this works, what it needs, and what failures do.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import functools
import glob
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
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

What follows '--' goes to 'linkaudit digest'. Exit status: 0 done; 2 done but incomplete (with
'--on-damage report'), or nothing could be done; 64 usage."""

INCOMPLETE, USAGE = 2, 64

CONNECT = (
    "Spark Connect gives a program no SparkContext, which ships the command, runs its tasks and reaches Hadoop's file "
    "systems; unset SPARK_REMOTE, and start this with 'spark-submit --master URL', in cluster mode if the cluster is far"
)

# A file costs something to open, however small it is.
OPENING_COST = 1 << 20

# Calls of Hadoop that wait for the network, at a time, and files that one call of it describes.
PARALLEL_CALLS = 16
STATUSES_A_CALL = 10_000

# What is said of a failed run is its end.
COMPLAINT_LIMIT = 8192
SHOWN_COMPLAINTS = 50

# What the name of the record beside a digest ends with.
RECORD_SUFFIX = ".json"

# Options of 'linkaudit digest' that tasks set themselves, or that mean something else in a part.
OWN_OPTIONS = (
    "-o", "--output", "-q", "--quiet", "--jobs", "--temporary-directory", "--files-from", "--stdin-name", "--part",
    "--describe", "--format", "--rejects", "--max-rejects", "--config", "--no-config",
)  # fmt: skip


class Failure(Exception):
    """Why no digest was made, in a sentence with the remedy."""

    def __init__(self, message: str, status: int = INCOMPLETE) -> None:
        super().__init__(message)
        self.status = status


class Unfinished(Failure):
    """A failure after which the work directory must stay, as it holds what nothing else does."""


@dataclass(frozen=True)
class Log:
    """A file: where it is, what it is called in the digest, its size in bytes, and when it changed.

    The unit of the time is that of the file system; it is only compared.
    """

    uri: str
    name: str
    size: int
    modified: int = 0

    @property
    def identity(self) -> list[Any]:
        """By which a later run knows it again."""
        return [self.uri, self.size, self.modified]


@dataclass(frozen=True)
class Part:
    """A digest in the work directory: what it is a digest of, and what was said while it was made."""

    uri: str
    size: int
    complaints: str = ""
    is_incomplete: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """What tasks have to know."""

    binary: str
    is_shipped: bool
    options: tuple[str, ...]
    work: str
    configuration: str  # Hadoop's, as XML
    classpath: str
    streams: int
    identity: str  # of the command and its options, by which a later run knows parts again


# ---------------------------------------------------------------------------------------------
# Files


class HadoopFiles:
    """The file systems that Hadoop knows, in the JVM behind a gateway."""

    def __init__(self, jvm: Any, configuration: Any) -> None:
        self.jvm = jvm
        self.configuration = configuration

    def locate(self, uri: str) -> tuple[Any, Any]:
        """The file system of a path, and the path with its scheme and all."""
        path = self.jvm.org.apache.hadoop.fs.Path(uri)
        system = path.getFileSystem(self.configuration)
        return system, system.makeQualified(path)

    def find(self, patterns: Iterable[str]) -> list[Log]:
        """The logs behind files, directories and Hadoop's patterns, each once, by name."""
        found: dict[str, Log] = {}
        with ThreadPoolExecutor(PARALLEL_CALLS) as pool:
            for pattern in patterns:
                system, path = self.locate(pattern)
                matches = self._matches(system, path)
                if not matches:
                    raise Failure(f"there is no '{pattern}', and no file matches it as a pattern")
                before = len(found)
                folders = [match.uri for match in matches if match.is_directory]
                files = [match for match in matches if not match.is_directory]
                visible = [match for match in files if not os.path.basename(match.uri).startswith(".")]
                for below in pool.map(functools.partial(self._below, system), folders):
                    visible += below
                for match in visible:
                    if match.uri not in found:
                        found[match.uri] = Log(match.uri, local_path(match.uri) or match.uri, match.size, match.modified)
                if len(found) == before:
                    complain(f"'{pattern}' adds no file; hidden ones and those found before are left out")
        return sorted(found.values(), key=lambda log: os.fsencode(log.name))

    def _matches(self, system: Any, path: Any) -> list[Status]:
        """What a path or a pattern leads to."""
        if system.exists(path):
            return [Status.of(system.getFileStatus(path))]
        matches = system.globStatus(path)
        if matches is None or path.toUri().getScheme() == "file":
            # What is written of a local file has its owner, for which Hadoop runs a command.
            return [Status.of(match) for match in matches or []]
        return self._described(matches)

    def _below(self, system: Any, root: str) -> list[Status]:
        """The files in a directory and in those below, without hidden ones."""
        if folder := local_path(root):
            return local_files(folder)
        path = self.jvm.org.apache.hadoop.fs.Path(root)
        # An object store lists a prefix with all below in pages of thousands.
        files = self._described(self._drained(system.listFiles(path, True)))
        return [file for file in files if "/." not in file.uri[len(root.rstrip("/")) :]]

    def directory(self, system: Any, path: Any) -> list[Status]:
        """The files in a directory itself."""
        return [status for status in self._listed(system, path) if not status.is_directory]

    def siblings(self, path: Any, ending: str) -> list[str]:
        """The directories beside a path whose names begin with its own and an ending."""
        system = path.getFileSystem(self.configuration)
        parent = path.getParent()
        if parent is None or not system.exists(parent):
            return []
        start = path.toString() + ending
        return sorted(
            status.uri for status in self._listed(system, parent) if status.is_directory and status.uri.startswith(start)
        )

    def _listed(self, system: Any, path: Any) -> list[Status]:
        """What is in a directory, other directories among it."""
        if folder := local_path(path.toString()):
            with os.scandir(folder) as entries:
                return [
                    Status(f"file:{entry.path}", entry.stat().st_size, entry.stat().st_mtime_ns // 1_000_000, entry.is_dir())
                    for entry in entries
                ]
        return self._described(system.listStatus(path))

    def _drained(self, files: Any) -> Any:
        """An array in the JVM of what Hadoop lists one by one."""
        try:
            return self.jvm.org.apache.hadoop.util.functional.RemoteIterators.toList(files).toArray()
        except TypeError:  # before Hadoop 3.3.1
            found = self.jvm.java.util.ArrayList()
            while files.hasNext():
                found.add(files.next())
            return found.toArray()

    def _described(self, statuses: Any) -> list[Status]:
        """An array in the JVM as values here, thousands in a call: a call for each takes a millisecond."""
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

    def open(self, uri: str) -> Any:
        system, path = self.locate(uri)
        return system.open(path)

    def download(self, uri: str, target: str) -> None:
        self.copy(self.open(uri), self.jvm.java.io.FileOutputStream(target))

    def upload(self, source: str, uri: str) -> None:
        """Copies a local file into a directory that is there; nothing stays of half a copy."""
        system, path = self.locate(uri)
        # Not even the directory is made: a late attempt must not bring it back.
        sink = system.createFile(path).overwrite(True).build()
        try:
            self.copy(self.jvm.java.io.FileInputStream(source), sink)
        except BaseException:
            system.delete(path, False)
            raise

    def read(self, uri: str) -> bytes:
        """The bytes of a small file."""
        output = self.jvm.java.io.ByteArrayOutputStream()
        self.copy(self.open(uri), output)
        return bytes(output.toByteArray())

    def rename(self, source: Any, target: Any) -> str | None:
        """Gives a file another name, and returns what kept it from having it, or None."""
        from py4j.protocol import Py4JJavaError

        system = target.getFileSystem(self.configuration)
        try:
            if system.rename(source, target):
                return None
            reason = "the file system refuses"
        except Py4JJavaError as error:
            reason = str(error.java_exception.toString())
        # An answer that was lost is no failure.
        with contextlib.suppress(Py4JJavaError):
            if system.exists(target) and not system.exists(source):
                return None
        return reason

    def replace(self, source: str, target: str) -> None:
        """Moves a digest to its name; one that has the name gives way when the new one is complete.

        At each moment, the old digest or the new one is at the name or beside it.
        """
        system, path = self.locate(target)
        new, old = self.locate(source)[1], self.replaced(path)
        if system.exists(path):
            if reason := self.rename(path, old):
                raise Failure(f"cannot replace '{target}': {reason}; it is as it was")
            if reason := self.rename(new, path):
                if self.rename(old, path):
                    raise Unfinished(
                        f"cannot move the digest to '{target}': {reason}; the new one is '{new.toString()}', the one before "
                        f"'{old.toString()}'"
                    )
                raise Failure(f"cannot move the digest to '{target}': {reason}; the one before is as it was")
        elif reason := self.rename(new, path):
            raise Failure(f"cannot move the digest to '{target}': {reason}")
        self.remove(old)

    def replaced(self, path: Any) -> Any:
        """Where a digest is while another one takes its name."""
        return self.jvm.org.apache.hadoop.fs.Path(f"{path.toString()}.replaced")

    def restore(self, path: Any) -> None:
        """Brings back a digest whose replacement was interrupted between two names."""
        system, old = path.getFileSystem(self.configuration), self.replaced(path)
        if not system.exists(old):
            return
        if system.exists(path):
            self.remove(old)
        elif reason := self.rename(old, path):
            raise Failure(f"an earlier run has left '{old.toString()}', which cannot be moved to its name: {reason}")
        else:
            complain(f"an earlier run has not replaced '{path.toString()}'; the digest before is there again")

    def remove(self, path: Any) -> None:
        """Removes a file or a directory, if there is one; says so if it stays."""
        from py4j.protocol import Py4JJavaError

        system = path.getFileSystem(self.configuration)
        try:
            if not system.delete(path, True) and system.exists(path):
                complain(f"cannot remove '{path.toString()}'; remove it")
        except Py4JJavaError as error:
            complain(f"cannot remove '{path.toString()}': {error.java_exception.toString()}; remove it")


@dataclass(frozen=True)
class Status:
    """What Hadoop says of a file."""

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
    position = 2 + number(0, 2)  # behind the name of the class
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
                raise ValueError("this is no message")
        if position != end:
            raise ValueError("a message is cut short")
        statuses.append(Status(fields[2].decode(), fields.get(3, 0), fields.get(7, 0), fields[1] == 1))
    return statuses


def varint(content: bytes, position: int) -> tuple[int, int]:
    """A number of variable length, and the position behind it."""
    value = shift = 0
    while True:
        byte = content[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7


def local_files(folder: str) -> list[Status]:
    """The regular files in a directory of this machine and in those below, without hidden ones.

    Links are followed, and never round in circles.
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
    """The path of a file that every machine opens itself, or None."""
    match = re.match(r"file:(?://)?(/.*)", uri, re.DOTALL)
    return match[1] if match else None


_files: HadoopFiles | None = None


def executor_files(settings: Settings) -> HadoopFiles:
    """Hadoop's file systems in a Python worker, whose own JVM it can't reach: one of its own.

    It is started once for each worker, has the executor's classes and the driver's
    configuration, and ends when the worker does, however that ends.
    """
    global _files
    if _files is None:
        from py4j.java_gateway import JavaGateway
        from pyspark import SparkFiles
        from pyspark.find_spark_home import _find_spark_home

        jars = os.path.join(_find_spark_home(), "jars")  # type: ignore[no-untyped-call]
        environment = [os.environ.get(name, "") for name in ("HADOOP_CONF_DIR", "SPARK_DIST_CLASSPATH", "CLASSPATH")]
        shipped = os.path.join(SparkFiles.getRootDirectory(), "*")
        classpath = [settings.classpath, *environment, os.path.join(jars, "*"), shipped]
        gateway = JavaGateway.launch_gateway(
            jarpath=glob.glob(os.path.join(jars, "py4j-*.jar"))[0],
            classpath=":".join(filter(None, classpath)),
            javaopts=["-Xmx256m", "-XX:+UseSerialGC"],
            die_on_exit=True,
            enable_auth=True,
            java_path=None,
        )
        configuration = gateway.jvm.org.apache.hadoop.conf.Configuration()
        stream = gateway.jvm.java.io.ByteArrayInputStream(settings.configuration.encode())
        configuration.addResource(stream)
        _files = HadoopFiles(gateway.jvm, configuration)
    return _files


# ---------------------------------------------------------------------------------------------
# Tasks


# Loaded before there are threads: between 'fork' and 'exec', nothing may be.
_c_library = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Has Linux end this process with the thread that started it, which waits for it in a worker that may be killed."""
    with contextlib.suppress(OSError, AttributeError):
        _c_library.prctl(1, signal.SIGKILL)


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """A directory on the executor that is removed in the end; by Spark, if the worker is killed."""
    place = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    with tempfile.TemporaryDirectory(prefix="linkaudit-", dir=place or None) as folder:
        yield folder


class Run:
    """A run of linkaudit on an executor."""

    def __init__(self, settings: Settings, arguments: Sequence[str], folder: str, stdin: int = subprocess.DEVNULL) -> None:
        from pyspark import SparkFiles

        shipped = SparkFiles.get(settings.binary)
        binary = shipped if settings.is_shipped or os.path.exists(shipped) else settings.binary
        # A file rather than a pipe, which could fill up while nobody reads it.
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
        """Waits for the end: the exit status, and what was said, or its last bytes."""
        status = self.process.wait()
        end = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, end - (end if limit is None else limit)))
        text = self.errors.read().decode("utf-8", "replace")
        self.errors.close()
        return status, text

    def checked(self, output: str) -> tuple[bool, str]:
        """Waits for the end: whether the input was incomplete, and what was said.

        Status 2 says so only if there is a digest; without one, nothing could be done. A file without a byte is none.
        """
        status, text = self.finish()
        if status not in (0, INCOMPLETE) or not os.path.exists(output) or os.path.getsize(output) == 0:
            command = " ".join(map(str, self.process.args))  # type: ignore[arg-type]
            cause = f"signal {-status}" if status < 0 else f"status {status}"
            raise Failure(f"linkaudit ended with {cause}: {text.strip() or 'it said nothing'}\n  command: {command}")
        return status == INCOMPLETE, text


def task_options(folder: str) -> list[str]:
    from pyspark import TaskContext

    context = TaskContext.get()
    return ["--quiet", "--jobs", str(context.cpus() if context else 1), "--temporary-directory", folder]


def digest_command(settings: Settings, folder: str, output: str, share: int = 1) -> list[str]:
    """The command that makes a digest; of several at a time, each has its share of memory for tables."""
    own = memory_options(settings.options, share)
    return ["digest", *settings.options, *own, *task_options(folder), "--no-config", "--part", "-o", output]


def memory_options(options: Sequence[str], share: int) -> list[str]:
    """The option for a share of the memory that a task's tables may take; the last one counts."""
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
            raise Failure(f"the executor cannot read '{log.name}'; every one of them needs the same files under file:")
    listed = write_list(folder, "logs", [log.name for log in logs])
    return Run(settings, [*digest_command(settings, folder, output), "--files-from", listed], folder).checked(output)


def digest_stream(settings: Settings, log: Log, folder: str, output: str, share: int = 1) -> tuple[bool, str]:
    """Makes a digest of a log while the JVM writes it into a named pipe; it is never in memory."""
    files = executor_files(settings)
    pipe = f"{output}.pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        # The writer comes first: without one, the reader would be at the end at once.
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

    Returns the number of bytes that were read, or None where linkaudit reads no further than damage, and
    what kept the log from being read whole.
    """
    from py4j.protocol import Py4JJavaError

    try:
        files.jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, sink, 1 << 20, False)
        count = source.getPos()
        sink.close()
        return count, None
    except Py4JJavaError as error:
        # That the pipe is closed is no error.
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
    """Merges digests that this machine can open, and returns what was said."""
    return Run(settings, merge_command(folder, write_list(folder, "digests", digests), output), folder).checked(output)[1]


@contextlib.contextmanager
def published(settings: Settings, folder: str) -> Iterator[tuple[str, str]]:
    """Where an attempt writes its digest, and the digest's place in the work directory.

    No other attempt has the place, and the driver learns of it from the attempt that Spark
    counts: so what others leave is never read, and goes with the work directory.
    """
    from pyspark import TaskContext

    context = TaskContext.get()
    uri = f"{settings.work}/{context.stageId()}-{context.partitionId()}-{context.taskAttemptId()}.digest"  # type: ignore[union-attr]
    place = local_path(uri)
    output = place or os.path.join(folder, "output.digest")
    try:
        yield output, uri
        if not place:
            executor_files(settings).upload(output, uri)
    except BaseException:
        if place:
            with contextlib.suppress(OSError):
                os.unlink(place)
        raise


def record(settings: Settings, folder: str, part: Part, logs: Sequence[Log]) -> None:
    """Writes beside a digest what it is one of, when it is there: so a later run knows that it is whole."""
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
        # On one file system, so that the record is there whole or not at all.
        draft = f"{place}.draft"
        pathlib.Path(draft).write_text(content)
        os.replace(draft, place)
    else:
        executor_files(settings).upload(source, uri)


def digest_task(logs: Sequence[Log], settings: Settings) -> Part:
    """One task: a digest of some logs."""
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
            )
        record(settings, folder, part, logs)
        return part


def digest_streams(
    settings: Settings, logs: Sequence[Log], folder: str, outputs: Sequence[str]
) -> list[tuple[bool, str]]:
    """Makes digests of streams, some at a time: opening one waits for the network, and so does its first byte."""
    share = max(1, min(settings.streams, len(logs)))
    if share == 1:
        return [digest_stream(settings, log, folder, output) for log, output in zip(logs, outputs)]
    executor_files(settings)  # one for all threads
    with ThreadPoolExecutor(share) as pool:
        work = [pool.submit(digest_stream, settings, log, folder, path, share) for log, path in zip(logs, outputs)]
        try:
            return [outcome.result() for outcome in work]
        except BaseException:
            for outcome in work:
                outcome.cancel()
            raise


def merge_task(parts: Sequence[Part], settings: Settings, logs: Sequence[Log] | None = None) -> Part:
    """One task: a digest of some digests; the last one is read again and held against all logs."""
    with scratch() as folder, published(settings, folder) as (output, uri):
        paths = []
        for number, part in enumerate(parts):
            path = local_path(part.uri)
            if not path:
                path = os.path.join(folder, f"{number}.digest")
                executor_files(settings).download(part.uri, path)
            paths.append(path)
        complaints = merge_files(settings, paths, folder, output)
        missing = missing_logs(settings, output, folder, logs) if logs else ()
        return Part(uri, os.path.getsize(output), complaints=complaints, missing=missing)


def missing_logs(settings: Settings, digest: str, folder: str, logs: Sequence[Log]) -> tuple[str, ...]:
    """The logs that are not in a digest because another one holds the same; reads it whole."""
    status, text = Run(settings, ["digest", "--describe", digest], folder).finish(limit=None)
    if status:
        raise Failure(f"the merged digest cannot be read: {text}")
    match = re.search(r"^  input +([0-9,]+) logs?:", text, re.MULTILINE)
    if match and int(match[1].replace(",", "")) == len(logs):
        return ()
    present = {line[4:] for line in text.splitlines() if line.startswith("    ")}
    return tuple(log.name for log in logs if log.name not in present) or ("(unknown)",)


def options_task(_: int, settings: Settings) -> tuple[int, str]:
    """One task: whether linkaudit runs on an executor and takes the options, tried on an empty log."""
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
    """Logs in tasks of about a size, the largest first: what begins late should be short."""
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


def run_tasks(context: Any, name: str, items: Sequence[Any], task: Any) -> list[Any]:
    """One task for each item; what is returned is what the attempts returned that Spark counts."""
    from py4j.protocol import Py4JJavaError

    context.setJobDescription(f"linkaudit: {name}")
    try:
        results: list[Any] = context.parallelize(items, len(items)).map(task).collect()
        return results
    except Py4JJavaError as error:
        text = str(error.java_exception.getMessage())
        # Spark wraps what was raised in two traces; the last attempt's own words say it all.
        own = re.search(r"linkaudit_spark\.Failure: (.*?)\n(?:\n|\tat |Driver stacktrace)", text, re.DOTALL)
        raise Failure(f"a task failed while it had to {name}: {own[1] if own else text.split(chr(10))[0]}") from error


def merged(context: Any, parts: list[Part], settings: Settings, logs: Sequence[Log], width: int, files: HadoopFiles) -> Part:
    """Merges digests in a tree, and removes those of each round when the next one stands.

    Those of logs stay to the end: with them, a later run goes on.
    """
    kept = {part.uri for part in parts}
    while True:
        groups = [parts[start : start + width] for start in range(0, len(parts), width)]
        last = logs if len(groups) == 1 else None
        task = functools.partial(merge_task, settings=settings, logs=last)
        outcome = run_tasks(context, f"merge {len(parts)} digests", groups, task)
        for part in parts:
            if part.uri not in kept:
                system, path = files.locate(part.uri)
                system.delete(path, False)
        parts = outcome
        if last is not None:
            return parts[0]


def finished_parts(files: HadoopFiles, folders: Iterable[str], settings: Settings, logs: Sequence[Log]) -> tuple[list[Part], list[Log]]:
    """The digests that earlier runs have finished of logs as they are now, and the logs that have none."""
    missing = {json.dumps(log.identity): log for log in logs}
    found: list[tuple[str, dict[str, Any]]] = []
    for folder in folders:
        system, path = files.locate(folder)
        sizes = {status.uri: status.size for status in files.directory(system, path)}
        records = [uri for uri in sizes if uri.endswith(RECORD_SUFFIX)]
        with ThreadPoolExecutor(PARALLEL_CALLS) as pool:
            contents = pool.map(files.read, records)
            for uri, content in zip(records, contents):
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
    """Refuses what can't be the same in all parts."""
    for option, value in zip(options, [*options[1:], ""]):
        name, _, own = option.partition("=")
        if name in OWN_OPTIONS:
            raise Failure(f"'{name}' cannot be given behind '--': tasks set it, or it is of no use in them", USAGE)
        if name in ("--since", "--until") and not re.match(r"[0-9]{4}-", own or value):
            raise Failure(f"'{name}' needs a date or a time here: tasks begin at different moments", USAGE)


def prepared(context: Any, arguments: argparse.Namespace, work: str) -> Settings:
    """Ships what tasks need."""
    binary = arguments.linkaudit or arguments.installed_linkaudit
    if arguments.linkaudit:
        if not os.path.isfile(binary):
            raise Failure(f"there is no '{binary}' to ship; '--installed-linkaudit' names one that executors have", USAGE)
        context.addFile(os.path.abspath(binary))
        binary = os.path.basename(binary)
    context.addPyFile(os.path.abspath(__file__))
    configuration = context._jsc.hadoopConfiguration()
    xml = context._jvm.java.io.StringWriter()
    configuration.writeXml(xml)
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
        configuration=xml.toString(),
        classpath=context.getConf().get("spark.executor.extraClassPath", ""),
        streams=arguments.streams,
        identity=identity.hexdigest(),
    )


def report_damage(parts: Sequence[Part], fails: bool) -> bool:
    """Says what is wrong with logs, and whether some are incomplete."""
    # Runs say the same of one log again, and some things in several lines.
    complaints = sorted(
        {text.rstrip() for part in parts for text in re.split(r"^(?=linkaudit: )", part.complaints, flags=re.M)}
    )
    for text in list(filter(None, complaints))[:SHOWN_COMPLAINTS]:
        print(text, file=sys.stderr)
    if len(complaints) > SHOWN_COMPLAINTS:
        complain(f"{len(complaints) - SHOWN_COMPLAINTS} more complaints like these")
    is_incomplete = any(part.is_incomplete for part in parts)
    if is_incomplete and fails:
        raise Failure("some logs are incomplete, and there is no digest; '--on-damage report' makes one of what was read")
    return is_incomplete


def run(context: Any, arguments: argparse.Namespace) -> int:
    """Makes the digest, and returns the exit status."""
    check_options(arguments.options)
    files = HadoopFiles(context._jvm, context._jsc.hadoopConfiguration())
    system, output = files.locate(arguments.output)
    files.restore(output)
    if system.exists(output) and not arguments.overwrite:
        raise Failure(f"there is a '{arguments.output}' already; '--overwrite' replaces it", USAGE)
    logs = files.find(arguments.logs)
    if not logs:
        raise Failure("there is nothing to read")
    work = f"{output.toString()}.parts-{context.applicationId}"
    earlier = files.siblings(output, ".parts-")
    if earlier and not arguments.resume:
        complain(f"an earlier run has left '{earlier[0]}'; '--resume' goes on from what it has finished, or remove it")
    settings = prepared(context, arguments, work)
    (status, text), *_ = run_tasks(context, "try the options", [0], functools.partial(options_task, settings=settings))
    if status:
        raise Failure(text.strip(), USAGE if status == USAGE else INCOMPLETE)
    work_path = context._jvm.org.apache.hadoop.fs.Path(work)
    system.mkdirs(work_path)
    keeps_work = arguments.resume
    try:
        finished, missing = finished_parts(files, earlier, settings, logs) if arguments.resume else ([], logs)
        if finished:
            complain(f"{len(logs) - len(missing)} of {len(logs)} logs are in digests of an earlier run")
        tasks = packed(missing, arguments.task_size)
        task = functools.partial(digest_task, settings=settings)
        parts = finished + (run_tasks(context, f"read {len(missing)} logs", tasks, task) if tasks else [])
        is_incomplete = report_damage(parts, fails=arguments.on_damage == "fail")
        digest = merged(context, parts, settings, logs, arguments.merge_width, files)
        if digest.missing:
            names = ", ".join(f"'{name}'" for name in digest.missing[:5])
            raise Failure(f"{len(digest.missing)} logs hold the same as others and would count once: {names}; leave them out")
        files.replace(digest.uri, output.toString())
        keeps_work = False
        if arguments.resume:
            for folder in earlier:
                files.remove(context._jvm.org.apache.hadoop.fs.Path(folder))
    except Unfinished:
        keeps_work = True
        raise
    finally:
        if not keeps_work:
            files.remove(work_path)
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
        raise argparse.ArgumentTypeError(f"'{text}' is no size; write one such as 512M or 1g")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


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
    add("-o", "--output", metavar="DIGEST", required=True, help="where the digest goes, which all executors can write")
    add("--overwrite", action="store_true", help="replace a digest that is there")
    add("--resume", action="store_true", help="go on from what earlier runs have finished, and keep that if this one fails")
    binary = parser.add_mutually_exclusive_group(required=True)
    binary.add_argument("--linkaudit", metavar="PATH", help="the command, shipped with the job")
    binary.add_argument(
        "--installed-linkaudit", metavar="PATH", help="the command as all executors have it, or as '--files' ships it"
    )
    add("--task-size", metavar="SIZE", type=size, default=size("1g"), help="bytes of a task's logs as stored (default: 1g)")
    add("--streams", metavar="N", type=streams, default=4, help="logs that a task streams at a time (default: 4)")
    add("--merge-width", metavar="N", type=width, default=16, help="digests that a task merges (default: 16)")
    add("--on-damage", choices=("fail", "report"), default="fail", help="what a damaged log does (default: fail)")
    result = parser.parse_args(own)
    result.options = options
    return result


def main(arguments: Sequence[str]) -> int:
    parsed_arguments = parsed(arguments)
    if "SPARK_REMOTE" in os.environ or "SPARK_CONNECT_MODE_ENABLED" in os.environ:
        complain(CONNECT)
        return USAGE
    try:
        from pyspark import SparkConf, SparkContext
    except ImportError as error:
        # The client of Spark Connect has no contexts.
        is_client = importlib.util.find_spec("pyspark") is not None
        complain(
            f"{CONNECT} ({error})"
            if is_client
            else "PySpark is missing; start this with 'spark-submit', or install it with 'pip install pyspark'"
        )
        return USAGE if is_client else INCOMPLETE
    context = SparkContext(conf=SparkConf().setIfMissing("spark.app.name", "linkaudit"))
    try:
        return run(context, parsed_arguments)
    except Failure as failure:
        complain(str(failure))
        return failure.status
    finally:
        context.stop()


if __name__ == "__main__":
    # As a module of its own, so that executors import it rather than get a copy with each task.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import linkaudit_spark

    sys.exit(linkaudit_spark.main(sys.argv[1:]))
