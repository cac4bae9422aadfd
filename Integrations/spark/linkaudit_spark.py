#!/usr/bin/env python3
"""Make one digest of logs on many machines with Apache Spark.

The digest is, byte for byte, the one that a single machine makes of the same logs under the same
names. Documentation/Clusters.md says how this works, what it needs, and what failures do.

Options after '--' go to 'linkaudit digest'. Exit status: 0 done; 2 done but incomplete (with
'--on-damage report'), or no digest was made; 64 usage.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import functools
import glob
import hashlib
import io
import json
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import uuid
import xml.sax.saxutils
import zipfile
from dataclasses import asdict, dataclass
from typing import Any, Callable, Iterable, Iterator, NoReturn, Sequence

INCOMPLETE, USAGE = 2, 64

# Opening a file costs as much time as reading so many bytes.
OPENING_COST = 1 << 20

# Bytes of a result in a row: a message of Spark Connect has whole rows and at most 128 MiB.
PIECE_SIZE = 1 << 20

# Bytes to show of a failed run: the last ones. Messages, and names of logs to show: the first ones.
COMPLAINT_LIMIT, SHOWN_COMPLAINTS, SHOWN_NAMES = 8192, 50, 5

# Suffixes of the record next to a digest, and of a digest while another one takes its place.
RECORD_SUFFIX, REPLACED_SUFFIX = ".json", ".replaced"

# Options of 'linkaudit digest' that tasks set themselves, or that have another meaning in a part.
OWN_OPTIONS = (
    "-o", "--output", "-q", "--quiet", "--jobs", "--temporary-directory", "--files-from", "--stdin-name", "--part",
    "--describe", "--format", "--rejects", "--max-rejects", "--config", "--no-config",
)  # fmt: skip

# Listing in the JVM, where it takes no call for each file. Spark has the compiler among its jars.
LISTING = """
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.fs.*;

public class Listing {
    private PrintWriter out;

    public void list(FileSystem system, Path path, String way, String target) throws IOException {
        out = new PrintWriter(target, "UTF-8");
        if (way.equals("itself")) {
            if (system.exists(path)) write(system.getFileStatus(path));
        } else if (way.equals("below")) {
            RemoteIterator found = system.listFiles(path, true);
            while (found.hasNext()) write((FileStatus) found.next());
        } else {
            FileStatus[] found = way.equals("pattern") ? system.globStatus(path) : system.listStatus(path);
            for (int i = 0; found != null && i < found.length; i++) write(found[i]);
        }
        if (out.checkError()) throw new IOException("cannot write to " + target);
        out.close();
    }

    public void write(FileStatus status) throws IOException {
        out.println(status.getLen() + " " + status.getModificationTime() + " " + status.isDirectory()
            + " " + java.net.URLEncoder.encode(status.getPath().toString(), "UTF-8"));
    }
}
"""


class Failure(Exception):
    """The reason why no digest was made, with the remedy."""

    def __init__(self, message: str, status: int = INCOMPLETE) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Log:
    """A file or a directory: its URI, its size in bytes, and the time of its last change, which is only compared."""

    uri: str
    size: int
    modified: int = 0
    is_directory: bool = False

    @property
    def name(self) -> str:
        return local_path(self.uri) or self.uri


@dataclass(frozen=True)
class Part:
    """A digest in the work directory, and the messages of the run that made it."""

    uri: str
    size: int
    complaints: str = ""
    is_incomplete: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """Settings of all tasks: for Hadoop, its configuration as XML and a class path."""

    binary: str
    options: tuple[str, ...]
    work: str
    hadoop: tuple[str, str]
    identity: str  # of the command and its options; a later run recognizes parts by it


class Files:
    """The file systems that Hadoop knows, in a small JVM of this Python worker, which can't reach the executor's.

    Methods are called in tasks, so Spark repeats them if they fail, or if their answer is lost.
    """

    def __init__(self, configuration: str, classpath: str) -> None:
        from py4j.java_gateway import JavaGateway
        from pyspark.find_spark_home import _find_spark_home

        jars = os.path.join(_find_spark_home(), "jars")  # type: ignore[no-untyped-call]
        places = [classpath, *map(os.environ.get, ("HADOOP_CONF_DIR", "SPARK_DIST_CLASSPATH", "CLASSPATH"))]
        places += [os.path.join(folder, "*") for folder in (jars, *shipped_folders())]
        self.jvm = JavaGateway.launch_gateway(
            jarpath=glob.glob(os.path.join(jars, "py4j-*.jar"))[0], classpath=":".join(filter(None, places)),
            javaopts=["-Xmx256m", "-XX:+UseSerialGC"], die_on_exit=True, enable_auth=True, java_path=None,
        ).jvm  # fmt: skip
        self.configuration = self.jvm.org.apache.hadoop.conf.Configuration()
        self.configuration.addResource(self.jvm.java.io.ByteArrayInputStream(configuration.encode()))
        self.copy = self.jvm.org.apache.hadoop.io.IOUtils.copyBytes
        compiler = self.jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook(LISTING)
        self.listing = compiler.getClassLoader().loadClass("Listing").newInstance()

    def locate(self, uri: str) -> tuple[Any, Any]:
        """Returns the file system of a path, and the complete path."""
        path = self.jvm.org.apache.hadoop.fs.Path(uri)
        system = path.getFileSystem(self.configuration)
        return system, system.makeQualified(path)

    def listed(self, uri: str, way: str) -> list[Log]:
        """Lists a path "itself", if it exists, all in a "directory", the files "below" it, or all of a "pattern"."""
        with tempfile.NamedTemporaryFile() as file:
            self.listing.list(*self.locate(uri), way, file.name)
            rows = [line.decode().rstrip("\n").split(" ") for line in file]
        return [Log(urllib.parse.unquote_plus(name), int(size), int(time), kind == "true") for size, time, kind, name in rows]

    def status(self, uri: str) -> Log | None:
        return next(iter(self.listed(uri, "itself")), None)

    def find(self, patterns: Sequence[str]) -> list[Log]:
        """Finds the logs of files, directories and Hadoop's patterns, each once, sorted by name."""
        found: dict[str, Log] = {}
        for pattern in patterns:
            matches = self.listed(pattern, "itself") or self.listed(pattern, "pattern")
            if not matches:
                raise Failure(f"there is no '{pattern}', and no file matches it as a pattern")
            for match in matches:
                for file in self._below(match.uri) if match.is_directory else [match]:
                    if not os.path.basename(file.uri).startswith("."):
                        found.setdefault(file.uri, file)
        return sorted(found.values(), key=lambda log: os.fsencode(log.name))

    def _below(self, root: str) -> list[Log]:
        """Lists the files in a directory and in those below, without hidden ones."""
        if folder := local_path(root):
            return local_files(folder)
        # An object store lists a prefix with all below in pages of thousands.
        return [file for file in self.listed(root, "below") if "/." not in file.uri[len(root.rstrip("/")) :]]

    def begin(self, name: str, arguments: argparse.Namespace) -> tuple[str, str, Log | None, list[str], list[Log]]:
        """Makes a work directory; returns the paths of the output and of it, what has the output's name, the directories of
        earlier runs, and the logs. Brings back a digest whose replacement was interrupted between two names.
        """
        output = str(self.locate(arguments.output)[1].toString())
        work = f"{output}.parts-{name}"
        old, parent = output + REPLACED_SUFFIX, os.path.dirname(output)
        if self.status(old) and not self.status(output):
            if not self.rename(old, output):
                raise Failure(f"an earlier run has left '{old}', which cannot be moved to its name")
            complain(f"an earlier run did not finish replacing '{output}'; the old digest has its name again")
        self.remove([old])
        before = self.status(output)
        if before and not arguments.overwrite:
            raise Failure(f"'{output}' exists; to replace it, use '--overwrite'", USAGE)
        logs = self.find(arguments.logs)
        if len(logs) < max(1, arguments.expect_logs):
            raise Failure(f"found {len(logs)} logs instead of {max(1, arguments.expect_logs)}; run again when all are there")
        beside = self.listed(parent, "directory") if self.status(parent) else []
        earlier = [file.uri for file in beside if file.is_directory and file.uri.startswith(f"{output}.parts-")]
        earlier = sorted(uri for uri in earlier if self.listed(uri, "directory"))
        system, path = self.locate(work)
        system.mkdirs(path)
        return output, work, before, earlier, logs

    def finished(self, folders: Sequence[str], identity: str) -> list[tuple[Part, list[Log]]]:
        """Finds the digests of earlier runs with the same settings, and their logs."""
        found: list[tuple[Part, list[Log]]] = []
        with scratch() as folder:
            for place in folders:
                sizes = {file.uri: file.size for file in self.listed(place, "directory")}
                for uri in (uri for uri in sizes if uri.endswith(RECORD_SUFFIX)):
                    with contextlib.suppress(ValueError, KeyError, TypeError):  # an interrupted attempt
                        values = json.loads(pathlib.Path(self.fetched(uri, f"{folder}/record")).read_bytes())
                        part = Part(**values["part"])
                        if values["settings"] == identity and sizes.get(part.uri) == part.size:
                            found.append((part, [Log(**log) for log in values["logs"]]))
        return sorted(found, key=lambda entry: (-len(entry[1]), entry[0].uri))

    def fetched(self, uri: str, target: str) -> str:
        """Returns the path of a file, which is copied if this machine can't open it."""
        if place := local_path(uri):
            return place
        system, path = self.locate(uri)
        self.copy(system.open(path), self.jvm.java.io.FileOutputStream(target), 1 << 20, True)
        return target

    def store(self, source: str, uri: str) -> None:
        """Copies a local file into an existing directory."""
        system, path = self.locate(uri)
        # Make no directory: a late attempt must not restore it.
        sink = system.createFile(path).overwrite(True).build()
        self.copy(self.jvm.java.io.FileInputStream(source), sink, 1 << 20, True)

    def rename(self, source: str, target: str) -> bool:
        system, path = self.locate(source)
        return bool(system.rename(path, self.locate(target)[1]))

    def publish(self, source: str, target: str, before: Log | None) -> None:
        """Gives a digest its name, and replaces the old one if that is as it was before the run. Can be repeated, even while
        an attempt that Spark has given up still runs. At each moment, one of the digests has the name or is next to it.
        """
        old = target + REPLACED_SUFFIX
        now = self.status(target)
        if self.status(source):
            if now and now != before:
                raise Failure(f"'{target}' has appeared or changed during the run")
            if now and not self.rename(target, old):
                raise Failure(f"cannot replace '{target}', which is unchanged")
            if not self.rename(source, target):
                left = f"; the old one is '{old}'" if before and not self.rename(old, target) else ""
                raise Failure(f"cannot move the digest to '{target}'{left}")
        elif not now:
            raise Failure(f"there is no '{source}'")
        self.remove([old])

    def remove(self, uris: Sequence[str]) -> None:
        """Removes files and directories if they exist, and complains if one stays."""
        for uri in uris:
            system, path = self.locate(uri)
            if not system.delete(path, True) and system.exists(path):
                complain(f"cannot remove '{uri}'; remove it")


def local_files(folder: str) -> list[Log]:
    """Lists the regular files in a local directory and in those below, without hidden ones; follows no links in circles."""
    found: list[Log] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        folders[:] = [name for name in folders if not name.startswith(".") and real not in seen]
        paths = [os.path.join(place, name) for name in names if not name.startswith(".") and real not in seen]
        seen.add(real)
        for path in filter(os.path.isfile, paths):
            status = os.stat(path)
            found.append(Log(f"file:{path}", status.st_size, status.st_mtime_ns // 1_000_000))
    return found


def local_path(uri: str) -> str | None:
    """Returns the path of a file under file:, which every machine opens itself, or None."""
    match = re.match(r"file:(?://)?(/.*)", uri, re.DOTALL)
    return match[1] if match else None


files_of = functools.lru_cache(maxsize=None)(lambda hadoop: Files(*hadoop))


def shipped_folders() -> list[str]:
    """Lists the directories of an executor for shipped files: those of the session and of its application."""
    from pyspark import SparkFiles

    root = os.path.abspath(SparkFiles.getRootDirectory())
    return [root, os.path.dirname(root)] if os.environ.get("SPARK_JOB_ARTIFACT_UUID") == os.path.basename(root) else [root]


# Loaded before threads start, because nothing may load between 'fork' and 'exec'. Has Linux kill a process when its parent
# thread ends, such as with a killed worker.
die_with_parent = functools.partial(ctypes.CDLL(None).prctl, 1, signal.SIGKILL)


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """Makes a temporary directory on the executor; Spark removes it if the worker is killed."""
    place = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    with tempfile.TemporaryDirectory(prefix="linkaudit-", dir=place or None) as folder:
        yield folder


class Run:
    """A run of linkaudit on an executor, with as many workers as its task has cores."""

    def __init__(self, settings: Settings, arguments: Sequence[str], folder: str, stdin: int = subprocess.DEVNULL) -> None:
        shipped = [os.path.join(folder, settings.binary) for folder in shipped_folders()]
        self.command = [next(filter(os.path.exists, shipped), settings.binary), *arguments]
        # A file, because a pipe fills up while nobody reads it.
        self.said = tempfile.TemporaryFile(dir=folder)
        try:
            self.process = subprocess.Popen(
                self.command, stdin=stdin, stdout=self.said, stderr=self.said, cwd=folder, preexec_fn=die_with_parent
            )
        except OSError as error:
            remedy = "ship it with '--linkaudit PATH', or install it on all of them"
            raise Failure(f"cannot run '{self.command[0]}' on an executor: {error.strerror}; {remedy}") from error

    def finish(self) -> tuple[int, str]:
        status = self.process.wait()
        self.said.seek(0)
        return status, self.said.read().decode("utf-8", "replace")

    def checked(self, output: str) -> tuple[bool, str]:
        """Waits for the end, and returns whether the input was incomplete, and the last messages."""
        # Status 2 means incomplete only if there is a digest, which no empty file is; otherwise nothing could be done.
        status, text = self.finish()
        text = text[-COMPLAINT_LIMIT:]
        if status not in (0, INCOMPLETE) or not os.path.exists(output) or os.path.getsize(output) == 0:
            cause = f"signal {-status}" if status < 0 else f"status {status}"
            raise Failure(f"linkaudit ended with {cause}: {text.strip() or 'no message'}\n  command: {' '.join(self.command)}")
        return status == INCOMPLETE, text


def command(settings: Settings, folder: str, output: str, name: str, *options: str) -> list[str]:
    from pyspark import TaskContext

    context = TaskContext.get()
    cores = str(context.cpus() if context else 1)
    own = (*settings.options, "--no-config", "--part") if name == "digest" else ()
    return [name, *own, *options, "--quiet", "--jobs", cores, "--temporary-directory", folder, "-o", output]


def list_of(folder: str, paths: Iterable[str]) -> list[str]:
    path = os.path.join(folder, "list")
    pathlib.Path(path).write_bytes(b"".join(os.fsencode(entry) + b"\0" for entry in paths))
    return ["--files-from", path]


def digest_files(settings: Settings, logs: Sequence[Log], folder: str, output: str) -> tuple[bool, str]:
    for log in logs:
        if not os.access(log.name, os.R_OK):
            raise Failure(f"the executor cannot read '{log.name}'; every executor needs the same files under file:")
    arguments = command(settings, folder, output, "digest", *list_of(folder, [log.name for log in logs]))
    return Run(settings, arguments, folder).checked(output)


def digest_stream(settings: Settings, log: Log, folder: str, output: str) -> tuple[bool, str]:
    """Makes a digest of a log that the JVM writes into a named pipe, so it is never in memory."""
    from py4j.protocol import Py4JJavaError

    files = files_of(settings.hadoop)
    pipe = f"{output}.pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with contextlib.ExitStack() as opened:
        try:
            # Open the writer first: without one, the reader sees the end at once.
            sink = files.jvm.java.io.FileOutputStream(pipe)
            opened.callback(sink.close)
            os.set_blocking(reader, True)
            system, path = files.locate(log.uri)
            source = system.open(path)
            opened.callback(source.close)
            arguments = command(settings, folder, output, "digest", "-", "--stdin-name", log.name)
            run = Run(settings, arguments, folder, stdin=reader)
        finally:
            os.close(reader)
            os.unlink(pipe)
        problem = None
        try:
            files.copy(source, sink, 1 << 20, False)
            if source.getPos() != log.size:
                problem = f"has {source.getPos()} bytes where {log.size} were listed: it has changed, or its stream broke off"
        except Py4JJavaError as error:
            # At damage, linkaudit closes the pipe, which is no error.
            frames = error.java_exception.getStackTrace()
            if not frames or frames[0].getClassName() != "java.io.FileOutputStream":
                problem = f"cannot be read to its end: {error.java_exception.toString()}"
    outcome = run.checked(output)
    if problem:
        raise Failure(f"'{log.uri}' {problem}")
    return outcome


def merge_files(settings: Settings, digests: Sequence[str], folder: str, output: str) -> str:
    """Merges digests that this machine can open, and returns the messages."""
    return Run(settings, command(settings, folder, output, "merge", *list_of(folder, digests)), folder).checked(output)[1]


def stored(settings: Settings, source: str, suffix: str = "") -> str:
    """Copies an output of this attempt into the work directory, under a name of its own, and returns its URI."""
    from pyspark import TaskContext

    context: Any = TaskContext.get()
    uri = f"{settings.work}/{context.stageId()}-{context.partitionId()}-{context.taskAttemptId()}.digest{suffix}"
    if place := local_path(uri):
        shutil.copyfile(source, place)
    else:
        files_of(settings.hadoop).store(source, uri)
    return uri


def digest_task(logs: Sequence[Log], settings: Settings) -> Part:
    """Makes a digest of some logs, and a record next to it by which a later run knows them, as a task."""
    with scratch() as folder:
        local = [log for log in logs if local_path(log.uri)]
        streams = [log for log in logs if not local_path(log.uri)]
        outputs = [os.path.join(folder, f"{number}.digest") for number in range(len(streams) + bool(local))]
        outcomes = [digest_stream(settings, log, folder, output) for log, output in zip(streams, outputs)]
        if local:
            outcomes.append(digest_files(settings, local, folder, outputs[-1]))
        output = outputs[0]
        if len(outputs) > 1:
            output = os.path.join(folder, "all.digest")
            merge_files(settings, outputs, folder, output)
        incomplete, complaints = zip(*outcomes)
        part = Part(stored(settings, output), os.path.getsize(output), "".join(complaints), any(incomplete))
        values = {"settings": settings.identity, "part": asdict(part), "logs": [asdict(log) for log in logs]}
        pathlib.Path(folder, "record").write_text(json.dumps(values))
        stored(settings, os.path.join(folder, "record"), RECORD_SUFFIX)
        return part


def merge_task(parts: Sequence[Part], settings: Settings, logs: Sequence[Log] | None = None) -> Part:
    """Merges some digests, as a task; reads the last one again and checks it against all logs."""
    with scratch() as folder:
        output = os.path.join(folder, "all.digest")
        places = ((part.uri, os.path.join(folder, f"{number}.digest")) for number, part in enumerate(parts))
        paths = [local_path(uri) or files_of(settings.hadoop).fetched(uri, place) for uri, place in places]
        complaints = merge_files(settings, paths, folder, output)
        missing = missing_logs(settings, output, folder, logs) if logs else ()
        return Part(stored(settings, output), os.path.getsize(output), complaints, missing=missing)


def missing_logs(settings: Settings, digest: str, folder: str, logs: Sequence[Log]) -> tuple[str, ...]:
    """Reads a digest completely, and lists logs that it lacks because others have the same content."""
    status, text = Run(settings, ["digest", "--describe", digest], folder).finish()
    if status:
        raise Failure(f"the merged digest cannot be read: {text}")
    match = re.search(r"^  input +([0-9,]+) logs?:", text, re.MULTILINE)
    if match and int(match[1].replace(",", "")) == len(logs):
        return ()
    present = {line[4:] for line in text.splitlines() if line.startswith("    ")}
    return tuple(log.name for log in logs if log.name not in present) or ("(unknown)",)


def files_task(arguments: Sequence[Any], method: str, hadoop: tuple[str, str]) -> tuple[Any, str, Failure | None]:
    """Calls a method of Files, as a task; returns its result, its messages, and a failure that repetition can't help."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            return getattr(files_of(hadoop), method)(*arguments), said.getvalue(), None
        except Failure as failure:
            return None, said.getvalue(), failure


class Cluster:
    """A session of Spark, whose driver is this process or behind a Spark Connect server."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.is_remote = type(session).__module__.startswith("pyspark.sql.connect")
        self.folder = tempfile.TemporaryDirectory(prefix="linkaudit-")
        module = os.path.abspath(__file__)
        if self.is_remote:
            self.name = session.session_id  # that no other run has
            values = {row.key: row.value for row in session.sql("SET").collect()}
            self.hadoop = hadoop_xml(values), values.get("spark.executor.extraClassPath", "")
            session.addArtifacts(module, pyfile=True)
        else:
            context = session.sparkContext
            self.name = context.applicationId
            xml = context._jvm.java.io.StringWriter()
            context._jsc.hadoopConfiguration().writeXml(xml)
            self.hadoop = xml.toString(), context.getConf().get("spark.executor.extraClassPath", "")
            context.addPyFile(module)

    def ship(self, path: str) -> None:
        if self.is_remote:
            self.session.addArtifacts(path, file=True)
        else:
            self.session.sparkContext.addFile(path)

    def run(self, name: str, items: Sequence[Any], task: Callable[[Any], Any]) -> list[Any]:
        """Runs a task for each item, and returns the results of those attempts that Spark counts."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException
        from pyspark.sql import functions

        # Ship items in a file, which stays for later executors: the plan of a query has a limit, and would send all to each.
        path = os.path.join(self.folder.name, f"linkaudit-items-{uuid.uuid4().hex}")
        with zipfile.ZipFile(path, "w") as archive:
            for number, item in enumerate(items):
                archive.writestr(str(number), pickle.dumps(item))
        work = functools.partial(numbered_task, task=task, items=os.path.basename(path))
        column = functions.udf(work, "array<binary>", useArrow=False).asNondeterministic()("id")
        try:
            self.ship(path)
            if not self.is_remote:
                self.session.sparkContext.setJobDescription(f"linkaudit: {name}")
            # Each partition has one number, and nothing shuffles them.
            results = self.session.range(0, len(items), 1, len(items)).select("id", column.alias("pieces"))
            rows = results.select("id", functions.posexplode("pieces").alias("piece", "content")).collect()
        except (PySparkException, Py4JJavaError) as error:
            raise task_failure(name, str(error)) from error
        pieces: dict[int, list[bytes]] = {}
        for row in sorted(rows, key=lambda row: (row.id, row.piece)):
            pieces.setdefault(row.id, []).append(row.content)
        if list(pieces) != list(range(len(items))):
            raise Failure(f"Spark returned the results of {len(pieces)} tasks, not {len(items)}, that had to {name}; run this again")
        return [pickle.loads(b"".join(contents)) for contents in pieces.values()]

    def files(self, purpose: str, method: str, *arguments: Any) -> Any:
        """Calls a method of Files on an executor: the one way in which a run reaches the cluster's files."""
        task = functools.partial(files_task, method=method, hadoop=self.hadoop)
        [(result, said, failure)] = self.run(purpose, [arguments], task)
        sys.stderr.write(said)
        if failure:
            raise failure
        return result

    def close(self) -> None:
        """Ends the session, and tasks that still run."""
        with contextlib.suppress(Exception):
            self.session.interruptAll()
        self.folder.cleanup()
        self.session.stop()


def task_failure(name: str, text: str) -> Failure:
    """Makes the failure of a task from Spark's message, which wraps the exception of the last attempt in traces."""
    own = re.search(r"linkaudit_spark\.Failure: (.*?)(?:\n(?:\n|\tat |Driver stacktrace|JVM stacktrace)|\Z)", text, re.DOTALL)
    raised = re.search(r"Traceback \(most.*?^(\S*(?:Error|Exception)\b.*?)(?:\n(?:\n|\tat )|\Z)", text, re.DOTALL | re.MULTILINE)
    words = own[1].rstrip() if own else raised[1] if raised else text.strip().split("\n")[0]
    # Wrong options are so in the first task.
    return Failure(f"a task failed while it had to {name}: {words}", USAGE if f"status {USAGE}:" in words else INCOMPLETE)


def hadoop_xml(values: dict[str, str]) -> str:
    """Selects the settings of Hadoop from those of a session. Executors add those of their own files."""
    own = {key[len("spark.hadoop.") :]: value for key, value in sorted(values.items()) if key.startswith("spark.hadoop.")}
    for name in [name for name, value in own.items() if "(redacted)" in value]:
        complain(f"the server hides 'spark.hadoop.{name}'; executors need it in core-site.xml, or in their environment")
        del own[name]
    row = "<property><name>%s</name><value>%s</value></property>"
    entries = (row % tuple(map(xml.sax.saxutils.escape, pair)) for pair in own.items())
    return f"<configuration>{''.join(entries)}</configuration>"


def numbered_task(number: int, task: Callable[[Any], Any], items: str) -> list[bytes]:
    """Turns the number of an item into the result of its task, in pieces."""
    from pyspark import SparkFiles

    with zipfile.ZipFile(SparkFiles.get(items)) as archive:
        item = pickle.loads(archive.read(str(number)))
    result = pickle.dumps(task(item))
    return [result[start : start + PIECE_SIZE] for start in range(0, len(result), PIECE_SIZE)]


def complain(message: str) -> None:
    print(f"linkaudit_spark: {message}", file=sys.stderr)


def packed(logs: Iterable[Log], task_size: int) -> list[list[Log]]:
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


def merged(cluster: Cluster, parts: list[Part], settings: Settings, logs: Sequence[Log], width: int) -> Part:
    while True:
        groups = [parts[start : start + width] for start in range(0, len(parts), width)]
        task = functools.partial(merge_task, settings=settings, logs=logs if len(groups) == 1 else None)
        parts = cluster.run(f"merge {len(parts)} digests", groups, task)
        if len(groups) == 1:
            return parts[0]


def check_usage(cluster: Cluster, arguments: argparse.Namespace) -> None:
    """Refuses options that can't be the same in all parts, and paths that executors may read as others than the user's."""
    for option, value in zip(arguments.options, [*arguments.options[1:], ""]):
        name, _, own = option.partition("=")
        if name in OWN_OPTIONS:
            raise Failure(f"'{name}' cannot follow '--': tasks set it themselves, or cannot use it", USAGE)
        if name in ("--since", "--until") and not re.match(r"[0-9]{4}-", own or value):
            raise Failure(f"'{name}' needs a date or a time here, because tasks start at different times", USAGE)
    for path in [arguments.output, *arguments.logs]:
        if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/" + ("" if cluster.is_remote else "|/"), path):
            raise Failure(f"'{path}' needs its file system, such as file:///logs or hdfs://name/logs", USAGE)
    if arguments.linkaudit and not os.path.isfile(arguments.linkaudit):
        raise Failure(f"there is no '{arguments.linkaudit}' to ship; if executors have it, use '--installed-linkaudit'", USAGE)


def prepared(cluster: Cluster, arguments: argparse.Namespace, work: str) -> Settings:
    """Ships the command, and returns the settings of tasks."""
    binary = arguments.linkaudit or arguments.installed_linkaudit
    content = binary.encode()
    if arguments.linkaudit:
        content = pathlib.Path(binary).read_bytes()
        cluster.ship(os.path.abspath(binary))
        binary = os.path.basename(binary)
    identity = hashlib.sha256(json.dumps(arguments.options).encode() + content).hexdigest()
    return Settings(binary, tuple(arguments.options), work, cluster.hadoop, identity)


def report_damage(parts: Sequence[Part], fails: bool) -> bool:
    """Prints the messages about damaged logs, and returns whether some are incomplete."""
    texts = sorted({part.complaints.rstrip() for part in parts} - {""})
    for text in texts[:SHOWN_COMPLAINTS]:
        print(text, file=sys.stderr)
    if len(texts) > SHOWN_COMPLAINTS:
        complain(f"{len(texts) - SHOWN_COMPLAINTS} more complaints like these")
    is_incomplete = any(part.is_incomplete for part in parts)
    if is_incomplete and fails:
        raise Failure("some logs are incomplete, and there is no digest; to make one of the readable part, use '--on-damage report'")
    return is_incomplete


def report_changes(cluster: Cluster, arguments: argparse.Namespace, output: str, logs: Sequence[Log]) -> None:
    """Lists the logs again, and names those that appeared, changed or vanished since."""
    # Parts and digests are no logs, if the output is among the logs.
    before = {log.uri: log for log in logs if not log.uri.startswith(output)}
    try:
        listed = cluster.files("list the logs again", "find", arguments.logs)
        after = {log.uri: log for log in listed if not log.uri.startswith(output)}
        found = (
            ("appeared, and the digest lacks them", after.keys() - before.keys()),
            ("changed", [uri for uri in before.keys() & after.keys() if before[uri] != after[uri]]),
            ("vanished, and the digest has them", before.keys() - after.keys()),
        )
        texts = [f"{some([local_path(uri) or uri for uri in sorted(uris)])} {verb}" for verb, uris in found if uris]
    except Failure as failure:
        texts = [f"the logs could not be listed again: {failure}"]
    if texts and arguments.on_changes == "fail":
        raise Failure(f"during the run, {'; '.join(texts)}. There is no digest; run this again")
    for text in texts:
        complain(f"during the run, {text}")


def some(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > SHOWN_NAMES else ""
    return f"{len(names)} log{'s'[: len(names) > 1]} ({', '.join(map(repr, names[:SHOWN_NAMES]))}{more})"


def run(cluster: Cluster, arguments: argparse.Namespace) -> int:
    """Makes the digest, and returns the exit status."""
    check_usage(cluster, arguments)
    output, work, before, earlier, logs = cluster.files("list the logs", "begin", cluster.name, arguments)
    if earlier and not arguments.resume:
        complain(f"an earlier run has left '{earlier[0]}'; '--resume' continues from its parts, or remove it")
    keeps_work, needless = arguments.resume, [work]
    try:
        settings = prepared(cluster, arguments, work)
        parts: list[Part] = []
        missing = dict.fromkeys(logs)
        if arguments.resume and earlier:
            for part, known in cluster.files("look for earlier parts", "finished", earlier, settings.identity):
                if all(log in missing for log in known):
                    for log in known:
                        del missing[log]
                    parts.append(part)
            complain(f"{len(logs) - len(missing)} of {len(logs)} logs are in digests of an earlier run")
        if missing:
            task = functools.partial(digest_task, settings=settings)
            parts += cluster.run(f"read {len(missing)} logs", packed(missing, arguments.task_size), task)
        is_incomplete = report_damage(parts, fails=arguments.on_damage == "fail")
        digest = merged(cluster, parts, settings, logs, arguments.merge_width)
        if digest.missing:
            raise Failure(f"logs with the same content would count once; leave out {some(digest.missing)}")
        report_changes(cluster, arguments, output, logs)
        keeps_work = True
        try:
            cluster.files("publish the digest", "publish", digest.uri, output, before)
        except Failure as failure:
            raise Failure(f"{failure}; '{digest.uri}' may be '{output}' by now: look at both, and keep them") from failure
        keeps_work = False
        needless += earlier if arguments.resume else []
    finally:
        if not keeps_work:
            try:
                cluster.files("remove the parts", "remove", needless)
            except Failure as failure:
                complain(f"{failure}; remove {needless}")
    return INCOMPLETE if is_incomplete else 0


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def size(text: str) -> int:
    match = re.fullmatch(r"([0-9]+)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write it as 512M or 1g")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


def at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}' must be a number from {least} on")
    return int(text)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    place = arguments.index("--") if "--" in arguments else len(arguments)
    own, options = arguments[:place], list(arguments[place + 1 :])
    parser = Parser(
        prog="linkaudit_spark.py", usage="%(prog)s [options] LOG... -o DIGEST [-- OPTION...]",
        description=(__doc__ or "").strip(), formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("logs", metavar="LOG", nargs="+", help="files, directories or patterns, of any file system that Hadoop knows")
    add("-o", "--output", metavar="DIGEST", required=True, help="write the digest to DIGEST, which all executors can write")
    add("--overwrite", action="store_true", help="replace an existing digest")
    add("--resume", action="store_true", help="reuse the parts of earlier runs, and keep them if this run fails")
    add("--remote", metavar="URL", help="use the Spark Connect server at a URL such as sc://host:15002 (default: SPARK_REMOTE)")
    binary = parser.add_mutually_exclusive_group(required=True).add_argument
    binary("--linkaudit", metavar="PATH", help="ship this command with the job")
    binary("--installed-linkaudit", metavar="PATH", help="use the command that executors have, or that '--files' ships")
    add("--task-size", metavar="SIZE", type=size, default=size("1g"), help="bytes of a task's logs as stored (default: 1g)")
    add("--merge-width", metavar="N", type=functools.partial(at_least, 2), default=16, help="digests that a task merges (default: 16)")
    add("--on-damage", choices=("fail", "report"), default="fail", help="fail or report if logs are damaged (default: fail)")
    add("--expect-logs", metavar="N", type=functools.partial(at_least, 0), default=0, help="fail before reading if fewer logs are listed")
    add("--on-changes", choices=("report", "fail"), default="report", help="report or fail if logs change (default: report)")
    result = parser.parse_args(own)
    result.options = options
    return result


def connected(remote: str | None) -> Cluster:
    """Connects to the cluster of a URL, the environment, or 'spark-submit'."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise Failure("PySpark is missing; start this with 'spark-submit', or run 'pip install pyspark'") from error
    builder = SparkSession.builder.appName("linkaudit")
    try:
        return Cluster((builder.remote(remote) if remote else builder).getOrCreate())
    except ImportError as error:
        raise Failure(f"Spark Connect needs more where this program runs: pip install 'pyspark[connect]' ({error})") from error
    except PySparkException as error:
        raise Failure(f"cannot use the cluster: {str(error).strip()}") from error


def main(arguments: Sequence[str]) -> int:
    given = parsed(arguments)
    try:
        with contextlib.closing(connected(given.remote)) as cluster:
            return run(cluster, given)
    except Failure as failure:
        complain(str(failure))
        return failure.status


if __name__ == "__main__":
    # Import it as a module, so that executors import it instead of getting a copy with each task.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    import linkaudit_spark

    sys.exit(linkaudit_spark.main(sys.argv[1:]))
