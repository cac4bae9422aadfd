#!/usr/bin/env python3
"""Run linkaudit_spark.py on clusters of several processes, and compare its digests with one machine's.

    Integrations/spark/test_linkaudit_spark.py --binary .build/debug/linkaudit [--connect] [--only NAME]

or 'LINKAUDIT=.build/debug/linkaudit pytest Integrations/spark'. Needs Java and PySpark
('Scripts/setup.sh --spark' installs them); says so and leaves with status 0 where they are missing.
With --connect, runs those tests that concern Spark Connect, against a server of its own. The PySpark for it has
the server among its jars, as PySpark 4 does.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gzip
import importlib.util
import io
import operator
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
VENV_PYTHON = HERE.parents[1] / ".build/spark" / ("connect" if "--connect" in sys.argv else "venv") / "bin/python"

try:
    import pyspark
except ImportError:
    if VENV_PYTHON.exists() and "LINKAUDIT_PYTHON" not in os.environ and __name__ == "__main__":
        os.environ["LINKAUDIT_PYTHON"] = "1"
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])
    pyspark = None  # type: ignore[assignment]

sys.path.insert(0, str(HERE))
import linkaudit_spark  # noqa: E402

SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"
PIXEL = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36"

# Seconds that an attempt lags; no other process sleeps for this number.
LAG = 241

# A file system of Hadoop over local files. A file FAULTS/CALL-* makes one call of that name fail with the text in the file.
FLAKY = """
public class FlakyFileSystem extends org.apache.hadoop.fs.RawLocalFileSystem {
    public java.net.URI getUri() { return java.net.URI.create("flaky:///"); }

    private void strike(String call) throws java.io.IOException {
        java.io.File[] faults = new java.io.File(getConf().get("fs.flaky.faults")).listFiles();
        for (int i = 0; faults != null && i < faults.length; i++) {
            if (!faults[i].getName().startsWith(call + "-")) continue;
            String text = new String(java.nio.file.Files.readAllBytes(faults[i].toPath()));
            if (!faults[i].delete()) continue;
            if (text.startsWith("missing")) throw new java.io.FileNotFoundException(text);
            throw new java.io.IOException(text);
        }
    }

    public org.apache.hadoop.fs.FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws java.io.IOException {
        strike("status");
        return plain(super.getFileStatus(path));
    }

    // A local status looks for the owner under file: only.
    private static org.apache.hadoop.fs.FileStatus plain(org.apache.hadoop.fs.FileStatus status) {
        return new org.apache.hadoop.fs.FileStatus(
            status.getLen(), status.isDirectory(), 1, 1 << 20, status.getModificationTime(), status.getPath());
    }

    public org.apache.hadoop.fs.FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws java.io.IOException {
        strike("list");
        org.apache.hadoop.fs.FileStatus[] found = super.listStatus(path);
        for (int i = 0; i < found.length; i++) found[i] = plain(found[i]);
        return found;
    }

    public org.apache.hadoop.fs.FSDataInputStream open(org.apache.hadoop.fs.Path path, int size) throws java.io.IOException {
        strike("open");
        return super.open(path, size);
    }

    public org.apache.hadoop.fs.FSDataOutputStreamBuilder createFile(org.apache.hadoop.fs.Path path) {
        try { strike("create"); } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); }
        return super.createFile(path);
    }

    public boolean mkdirs(org.apache.hadoop.fs.Path path) throws java.io.IOException {
        strike("mkdirs");
        return super.mkdirs(path);
    }

    public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to) throws java.io.IOException {
        strike("rename");
        boolean renamed = super.rename(from, to);
        strike("renamed");
        return renamed;
    }
}
"""


def what_is_missing() -> str | None:
    if pyspark is None:
        return "PySpark is missing; 'Scripts/setup.sh --spark' installs it"
    if not shutil.which("java") and "JAVA_HOME" not in os.environ:
        return "Java is missing; 'Scripts/setup.sh --spark' installs it"
    return None


def what_connect_needs() -> str | None:
    if not list((pathlib.Path(pyspark.__file__).parent / "jars").glob("spark-connect_*.jar")):
        return f"PySpark {pyspark.__version__} has no server of Spark Connect; 'Scripts/setup.sh --spark-connect' installs one that has"
    for package in ("pandas", "pyarrow", "grpc"):
        if importlib.util.find_spec(package) is None:
            return f"{package} is missing; 'Scripts/setup.sh --spark-connect' installs it"
    return None


# ---------------------------------------------------------------------------------------------
# Logs, and what one machine makes of them


def write_logs(folder: pathlib.Path, draw: random.Random, count: int, lines: int = 300) -> None:
    """Random logs, plain and gzipped, some empty, in directories."""
    for number in range(count):
        text = "".join(line(draw) for _ in range(draw.choice((0, 1, lines, 2 * lines))))
        path = folder / draw.choice(("", "web 1/", "web-2/deep/")) / f"access-{number:03}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        if draw.random() < 0.6:
            path.with_suffix(".log.gz").write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text)


def line(draw: random.Random) -> str:
    if draw.random() < 0.01:
        return "this is no request\n"
    target = draw.choice((f"/buy/{draw.randrange(400)}", "/search?q=%E8%8C%B6", f"/news/{draw.randrange(9)}"))
    return (
        f"192.0.2.{draw.randrange(9)} - - [{draw.randrange(1, 5):02}/Nov/2026:10:{draw.randrange(60):02}:00 +0100] "
        f'"GET {target} HTTP/1.1" {draw.choice((200, 200, 301, 404))} 5 '
        f'"{draw.choice(("-", "https://www.example.com/", "https://t.co/x"))}" "{draw.choice((IPHONE, PIXEL, "curl/8"))}"\n'
    )


class Bench:
    """A folder with logs, a cluster, and the command."""

    def __init__(self, context: Any, binary: str, folder: pathlib.Path) -> None:
        self.context = context
        self.binary = binary
        self.folder = folder
        self.logs = folder / "logs"
        self.logs.mkdir()
        # Keep shipped commands: executors that start later fetch them, too.
        self.commands = folder.parent / "commands"
        self.commands.mkdir(exist_ok=True)
        self.draw = random.Random(SEED)

    def spark(self, *arguments: str, binary: str | None = None, options: tuple[str, ...] = ()) -> int:
        """Runs the job on the cluster, and returns its exit status."""
        own = [*arguments, "-o", f"file://{self.folder}/spark.digest", "--linkaudit", binary or self.binary]
        return self.run([*own, "--", *options])

    def run(self, arguments: list[str]) -> int:
        """Runs the job, and keeps its messages."""
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said), self.cluster() as cluster:
            return linkaudit_spark.run(cluster, linkaudit_spark.parsed(arguments))

    @contextlib.contextmanager
    def cluster(self) -> Iterator[linkaudit_spark.Cluster]:
        """The cluster, as the job sees it."""
        yield linkaudit_spark.ContextCluster(self.context)

    def failure(self, *arguments: str, **others: Any) -> linkaudit_spark.Failure:
        """Runs the job, which has to fail and to leave nothing."""
        try:
            self.spark(*arguments, **others)
        except linkaudit_spark.Failure as failure:
            self.expect_nothing_left()
            return failure
        raise AssertionError("this should have failed")

    def expect_nothing_left(self) -> None:
        left = [name for name in os.listdir(self.folder) if name.startswith("spark.digest")]
        assert not left, left

    def single(self, *logs: str, options: tuple[str, ...] = ()) -> int:
        """Has one machine make the digest, and returns its exit status."""
        command = [self.binary, "digest", *logs, *options, "--quiet", "--no-config", "-o", f"{self.folder}/one.digest"]
        return subprocess.run(command, capture_output=True).returncode

    def expect_same(self) -> None:
        one, other = ((self.folder / name).read_bytes() for name in ("one.digest", "spark.digest"))
        assert one == other, f"{len(one)} bytes and {len(other)}; seed {SEED}"
        os.unlink(self.folder / "spark.digest")
        self.expect_nothing_left()

    def wrapper(self, name: str, script: str) -> str:
        """A command in front of linkaudit; 'once WORD' is true for the first run only that has the word."""
        path = self.commands / name
        path.write_text(
            f'#!/bin/sh\nmarks={path}.marks; mkdir -p "$marks"; : > "$marks/run-$$"\n'
            'once() { case "$*" in *"$word"*) mkdir "$marks/once" 2>/dev/null ;; *) false ;; esac; }\n'
            f'{script}\nexec {self.binary} "$@"\n'
        )
        path.chmod(0o755)
        return str(path)

    def runs(self, name: str) -> int:
        return len([mark for mark in os.listdir(self.commands / f"{name}.marks") if mark.startswith("run-")])


class ConnectBench(Bench):
    """A bench with a server of Spark Connect, and a session for each run."""

    # Kept until the server ends: closing one stops threads that PySpark's other sessions share.
    clusters: list[linkaudit_spark.Cluster] = []

    def spark(self, *arguments: str, **others: Any) -> int:  # with paths as Spark Connect needs them
        return super().spark(*(f"file://{text}" if text.startswith("/") else text for text in arguments), **others)

    @contextlib.contextmanager
    def cluster(self) -> Iterator[linkaudit_spark.Cluster]:
        from pyspark.sql import SparkSession

        cluster = linkaudit_spark.ConnectCluster(SparkSession.builder.remote(self.context).create())
        self.clusters.append(cluster)
        yield cluster


class FailingFiles(linkaudit_spark.Files):
    """Files some of whose renamings fail, by their numbers."""

    failing: set[int] = set()
    count = 0

    def rename(self, source: str, target: str, expected: linkaudit_spark.Status | None = None) -> str | None:
        self.count += 1
        return "no luck" if self.count - 1 in self.failing else super().rename(source, target, expected)


class FailingHadoopFiles(FailingFiles, linkaudit_spark.HadoopFiles):
    pass


class FailingRemoteFiles(FailingFiles, linkaudit_spark.RemoteFiles):
    pass


# ---------------------------------------------------------------------------------------------
# Tests on local-cluster[3,1,1024]


def test_random_splits_give_the_same_bytes(bench: Bench) -> None:
    for _ in range(2):
        shutil.rmtree(bench.logs)
        write_logs(bench.logs, bench.draw, bench.draw.randrange(5, 14))
        options = ("--host-from-path", "{host}/*", "--since", "2026-11-02") if bench.draw.random() < 0.5 else ()
        split = ("--task-size", bench.draw.choice(("1", "1100K", "3M", "1g")))
        assert bench.single(str(bench.logs), options=options) == 0
        assert bench.spark(str(bench.logs), *split, "--merge-width", str(bench.draw.randrange(2, 5)), options=options) == 0
        bench.expect_same()


def test_files_directories_and_patterns(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 6)
    for name in ("x-1.log", ".hidden.log", "a[1].log", "umlaut-ü.log", "sub/.old/y.log"):
        path = bench.logs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line(bench.draw) for _ in range(20)))
    root = f"file://{bench.logs}"
    files = linkaudit_spark.HadoopFiles(bench.context._jvm, bench.context._jsc.hadoopConfiguration())

    def names(*patterns: str) -> list[str]:
        with contextlib.redirect_stderr(io.StringIO()):
            return [os.path.relpath(log.name, bench.logs) for log in files.find(patterns)]

    assert names(f"{root}/x-*.log", f"{bench.logs}/x-1.log", f"{root}/x-[0-9].log") == ["x-1.log"]
    assert names(f"{root}/a[1].log") == ["a[1].log"]
    assert ".hidden.log" not in names(f"{root}/*") and "sub/.old/y.log" not in names(root)
    everything = [str(path.relative_to(bench.logs)) for path in bench.logs.rglob("*.log*")]
    assert names(root) == sorted((name for name in everything if "/." not in f"/{name}"), key=os.fsencode)
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(root, "--task-size", "2M") == 0
    bench.expect_same()


def test_another_file_system(bench: Bench) -> None:
    """Streams, uploads and moves through Hadoop, under another scheme than file."""
    write_logs(bench.logs, bench.draw, 5)
    # After an invalid member, linkaudit closes the pipe early.
    damaged = gzip.compress("".join(line(bench.draw) for _ in range(500)).encode()) + b"\x1f\x8b\x08\0\0\0\0\0\0\3\xff"
    (bench.logs / "damaged early.log.gz").write_bytes(damaged + bench.draw.randbytes(2_000_000))
    (bench.logs / "no log.log").write_bytes(b"\4\x22\x4d\x18 lz4")
    expected = [f"viewfs://cluster/data/logs/{path.relative_to(bench.logs)}" for path in bench.logs.rglob("*.log*")]
    parts = []
    for number, name in enumerate(expected):
        part = f"{bench.folder}/{number}.part"
        with open(bench.logs / os.path.relpath(name, "viewfs://cluster/data/logs"), "rb") as log:
            command = [bench.binary, "digest", "-", "--stdin-name", name, "--part", "--quiet", "-o", part]
            assert subprocess.run(command, stdin=log, capture_output=True).returncode in (0, 2)
        parts.append(part)
    assert bench.single(*parts) == 2
    place = "viewfs://cluster/data"
    arguments = [f"{place}/logs", "-o", f"{place}/spark.digest", "--linkaudit", bench.binary]
    arguments += ["--task-size", "3M", "--merge-width", "2", "--on-damage", "report"]
    assert bench.run(arguments) == 2
    assert "damaged early.log.gz': the compressed data is damaged" in bench.said.getvalue(), bench.said.getvalue()
    bench.expect_same()


def test_a_killed_executor(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 9)
    wrapper = bench.wrapper("slow", "sleep 1.5")
    killed: list[int] = []

    def kill() -> None:
        # When some parts are finished, and others are not.
        wait_for(lambda: list(bench.folder.glob("spark.digest.parts-*/*.digest")))
        victim = wait_for(lambda: busy_executor("/slow digest"))
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--task-size", "1", "--merge-width", "9", binary=wrapper) == 0
    killer.join(10)
    assert killed
    bench.expect_same()
    # One for the options, nine for the logs, two for the merge; and that of the one that was killed.
    # It may have gone on, and have written a digest that nobody reads.
    assert bench.runs("slow") > 12, bench.runs("slow")


def test_a_run_that_fails_once_counts_once(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 5)
    wrapper = bench.wrapper("failing", "word=--files-from; if once \"$@\"; then echo 'no luck' >&2; exit 70; fi")
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--task-size", "1", binary=wrapper) == 0
    bench.expect_same()
    assert bench.runs("failing") == 1 + 5 + 2 + 1


def test_a_run_that_always_fails(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 2)
    script = 'case "$*" in *--files-from*) echo "no luck, no %s" >&2; exit 70 ;; esac'
    failure = bench.failure(str(bench.logs), binary=bench.wrapper("hopeless", script))
    assert "status 70: no luck, no %s" in str(failure) and "Traceback" not in str(failure), failure
    # Status 2 without a digest means that nothing could be done.
    failure = bench.failure(str(bench.logs), binary=bench.wrapper("nothing", script.replace("70", "2")))
    assert "status 2: no luck" in str(failure), failure
    script = 'case "$*" in *--files-from*) kill -9 $$ ;; esac'
    failure = bench.failure(str(bench.logs), binary=bench.wrapper("killed", script))
    assert "signal 9" in str(failure), failure


def test_a_truncated_log(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 4)
    whole = gzip.compress("".join(line(bench.draw) for _ in range(500)).encode())
    (bench.logs / "truncated.log.gz").write_bytes(whole[: len(whole) // 2])
    (bench.logs / "error.log").write_text("2026/11/19 [error] upstream timed out\n")
    for split in ("1", "1g"):
        failure = bench.failure(str(bench.logs), "--task-size", split)
        assert "--on-damage report" in str(failure), failure
        assert bench.single(str(bench.logs)) == 2
        assert bench.spark(str(bench.logs), "--task-size", split, "--on-damage", "report") == 2
        bench.expect_same()


def test_logs_that_hold_the_same(bench: Bench) -> None:
    for name in ("a.log", "b.log", "c.log"):
        (bench.logs / name).write_text("".join(line(bench.draw) for _ in range(50)))
    shutil.copy(bench.logs / "a.log", bench.logs / "copy.log")
    failure = bench.failure(str(bench.logs), "--task-size", "1")
    assert "leave out 1 log" in str(failure) and ("a.log" in str(failure) or "copy.log" in str(failure)), failure


def test_wrong_use_is_told(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 2)
    logs = str(bench.logs)
    failure = bench.failure(logs, binary=f"{bench.folder}/none")
    assert failure.status == 64 and "--installed-linkaudit" in str(failure)
    with contextlib.suppress(linkaudit_spark.Failure):
        bench.run([logs, "-o", f"{bench.folder}/spark.digest", "--installed-linkaudit", "no-such-command"])
        raise AssertionError("no command, no failure")
    failure = bench.failure(logs, options=("--log-fromat", "combined"))
    assert failure.status == 64 and "unknown option '--log-fromat'" in str(failure), failure
    failure = bench.failure(logs, options=("another.log",))
    assert "another.log" in str(failure), failure
    for option in (("--output", "x"), ("--jobs=4",), ("--since", "yesterday"), ("--until=7d",)):
        assert bench.failure(logs, options=option).status == 64


def test_nothing_to_read(bench: Bench) -> None:
    assert "nothing to read" in str(bench.failure(str(bench.logs)))
    assert "no file matches" in str(bench.failure(f"{bench.logs}/*.gz"))


def test_a_digest_is_replaced_only_if_told(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    target = bench.folder / "spark.digest"
    target.write_text("mine")
    with contextlib.suppress(linkaudit_spark.Failure):
        bench.spark(str(bench.logs))
        raise AssertionError("the file was replaced")
    assert target.read_text() == "mine"
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--overwrite") == 0
    bench.expect_same()


def test_the_old_digest_gives_way_only_to_the_new_one(bench: Bench) -> None:
    """Whichever rename fails, the old digest or the new one can be found, and is restored."""
    with bench.cluster() as cluster:
        files: FailingFiles
        if isinstance(cluster, linkaudit_spark.ConnectCluster):
            files = FailingRemoteFiles(cluster)
        else:
            files = FailingHadoopFiles(bench.context._jvm, bench.context._jsc.hadoopConfiguration())
        check_replacing(bench, files)


def check_replacing(bench: Bench, files: FailingFiles) -> None:
    target = bench.folder / "spark.digest"
    new = bench.folder / "spark.digest.parts-x" / "new.digest"
    new.parent.mkdir()
    for failing, kept in ((set(), "new"), ({0}, "old"), ({1}, "old"), ({1, 2}, None)):
        target.write_text("old")
        new.write_text("new")
        files.failing, files.count = failing, 0
        failure = None
        try:
            files.replace(f"file:{new}", f"file:{target}")
        except linkaudit_spark.Failure as error:
            failure = error
        assert (failure is None) == (not failing), failure
        if kept:
            assert target.read_text() == kept, failing
        else:
            assert isinstance(failure, linkaudit_spark.Unfinished) and ".replaced" in str(failure), failure
            assert not target.exists() and new.read_text() == "new"
            files.failing = set()
            with contextlib.redirect_stderr(io.StringIO()):
                files.restore(f"file:{target}")
            assert target.read_text() == "old"
        assert os.listdir(bench.folder).count("spark.digest.replaced") == 0
    # An attempt that comes late: the digest is no longer the one that was to be moved away.
    before = files.status(f"file:{target}")
    target.write_text("the new one")
    reason = files.rename(f"file:{target}", f"file:{target}.replaced", before)
    assert reason and "no longer" in reason and target.read_text() == "the new one", reason
    # An attempt that repeats what is done.
    new.unlink(missing_ok=True)
    assert files.rename(f"file:{new}", f"file:{target}") is None
    target.unlink()
    shutil.rmtree(new.parent)


def streamed_log(bench: Bench, name: str) -> tuple[pathlib.Path, linkaudit_spark.Settings]:
    """Writes a log, and returns it with settings for streaming in this process, which has a JVM."""
    path = bench.logs / name
    path.write_text("".join(line(bench.draw) for _ in range(50)))
    settings = linkaudit_spark.Settings(bench.binary, False, (), "", linkaudit_spark.Hadoop("", ""), 1, "")
    own = linkaudit_spark.HadoopFiles(bench.context._jvm, bench.context._jsc.hadoopConfiguration())
    linkaudit_spark._files[settings.hadoop] = own
    return path, settings


def test_streams_of_another_length_than_listed(bench: Bench) -> None:
    """A stream that ends early, or goes on, is not the log that was listed."""
    path, settings = streamed_log(bench, "changed.log")
    uri = "viewfs://cluster/data/logs/changed.log"
    try:
        for number, difference in enumerate((0, 1, -1)):
            log = linkaudit_spark.Log(uri, uri, path.stat().st_size + difference)
            try:
                linkaudit_spark.digest_stream(settings, log, str(bench.folder), f"{bench.folder}/{number}.part")
                assert not difference
            except linkaudit_spark.Failure as failure:
                assert difference and uri in str(failure) and "were listed" in str(failure), failure
    finally:
        linkaudit_spark._files.clear()


def test_listing_takes_calls_by_the_directory(bench: Bench) -> None:
    """Not by the file; lists all files, whatever their names."""
    names = [f"{number % 3}/{number}.log" for number in range(150)]
    names += ["0/x; isDirectory=true; length=5.log", "umlaut-ü.log", "_1/_2.log", ".h/1.log", "1/.2.log"]
    for number, name in enumerate(names):
        (bench.logs / name).parent.mkdir(exist_ok=True)
        (bench.logs / name).write_bytes(b"x" * number)
    files = linkaudit_spark.HadoopFiles(bench.context._jvm, bench.context._jsc.hadoopConfiguration())
    client = bench.context._gateway._gateway_client
    send = client.send_command
    visible = sorted(name for name in names if "/." not in f"/{name}")
    for root in ("viewfs://cluster/data/logs", f"file://{bench.logs}"):
        calls = []

        def counted(command: str, *arguments: Any, **others: Any) -> Any:
            if not command.startswith("m"):  # releases objects
                calls.append(command)
            return send(command, *arguments, **others)

        client.send_command = counted
        try:
            logs = files.find([root])
        finally:
            client.send_command = send
        sizes = {log.name.partition("/logs/")[2]: log.size for log in logs}
        assert sorted(sizes) == visible, set(sizes) ^ set(visible)
        assert all(names.index(name) == size for name, size in sizes.items()), sizes
        assert all(log.modified > 1_600_000_000_000 for log in logs)
        assert len(calls) < 100, len(calls)


def test_a_later_run_goes_on(bench: Bench) -> None:
    """From the parts of unchanged logs; reads a changed log again."""
    write_logs(bench.logs, bench.draw, 5)
    (bench.logs / "changed.log").write_text(line(bench.draw))
    broken = bench.folder / "broken"
    script = f'case "$1 $*" in merge*) if [ -e {broken} ]; then echo "no luck" >&2; exit 70; fi ;; esac'
    wrapper = bench.wrapper("resumed", script)
    arguments = [str(bench.logs), "--task-size", "1", "--resume"]
    broken.touch()
    try:
        bench.spark(*arguments, binary=wrapper)
        raise AssertionError("this should have failed")
    except linkaudit_spark.Failure as failure:
        assert "no luck" in str(failure), failure
    assert list(bench.folder.glob("spark.digest.parts-*/*.digest.json"))
    broken.unlink()
    (bench.logs / "changed.log").write_text("".join(line(bench.draw) for _ in range(9)))
    assert bench.single(str(bench.logs)) == 0
    before = bench.runs("resumed")
    assert bench.spark(*arguments, binary=wrapper) == 0
    assert "5 of 6 logs are in digests of an earlier run" in bench.said.getvalue(), bench.said.getvalue()
    bench.expect_same()
    # The options, the changed log, the merge, and the check of its digest.
    assert bench.runs("resumed") - before == 4, bench.runs("resumed") - before


def faults(bench: Bench, text: str, **counts: int) -> pathlib.Path:
    """Makes some calls of the flaky file system fail with a text."""
    folder = bench.folder / "faults"
    folder.mkdir(exist_ok=True)
    for call, count in counts.items():
        for number in range(count):
            (folder / f"{call}-{number}").write_text(text)
    return folder


@contextlib.contextmanager
def short_pauses() -> Iterator[None]:
    """Has this process wait less before it calls Hadoop again; executors wait as usual."""
    usual = linkaudit_spark.RETRY_PAUSES
    linkaudit_spark.RETRY_PAUSES = (0.01, 0.01)
    try:
        yield
    finally:
        linkaudit_spark.RETRY_PAUSES = usual


def test_a_store_that_fails_for_a_short_time(bench: Bench) -> None:
    """The driver and the tasks call it again; a rename whose answer is lost is not repeated."""
    write_logs(bench.logs, bench.draw, 3)
    paths = [path for path in bench.logs.rglob("*.log*")]
    parts = [f"{bench.folder}/{number}.part" for number in range(3)]
    for path, part in zip(paths, parts):
        with open(path, "rb") as log:
            command = [bench.binary, "digest", "-", "--stdin-name", f"flaky:{path}", "--part", "--quiet", "-o", part]
            assert subprocess.run(command, stdin=log, capture_output=True).returncode == 0
    assert bench.single(*parts) == 0
    text = "PUT failed: Slow Down (Service: Amazon S3; Status Code: 503; Error Code: SlowDown)"
    folder = faults(bench, text, status=2, list=2, open=2, create=1, mkdirs=1, rename=1, renamed=1)
    arguments = [f"flaky:{bench.logs}", "-o", f"flaky:{bench.folder}/spark.digest", "--linkaudit", bench.binary]
    with short_pauses():
        assert bench.run([*arguments, "--task-size", "1"]) == 0
    assert not os.listdir(folder), os.listdir(folder)
    assert "Error Code: SlowDown); trying again" in bench.said.getvalue(), bench.said.getvalue()
    bench.expect_same()


def test_a_store_that_keeps_failing(bench: Bench) -> None:
    """A failure that repetition cannot help is not repeated; another one is for a limited time."""
    write_logs(bench.logs, bench.draw, 1)
    files = linkaudit_spark.HadoopFiles(bench.context._jvm, bench.context._jsc.hadoopConfiguration())
    for text, left in (("Permission denied", 4), ("Connection reset by peer", 2)):
        folder = faults(bench, text, list=5)
        try:
            with short_pauses(), contextlib.redirect_stderr(io.StringIO()):
                files.find([f"flaky:{bench.logs}"])
            raise AssertionError("this should have failed")
        except linkaudit_spark.Unreachable as failure:
            assert text in str(failure) and str(bench.logs) in str(failure), failure
        assert len(os.listdir(folder)) == left, text
        shutil.rmtree(folder)


def test_a_log_that_was_listed_and_is_not_there(bench: Bench) -> None:
    """It may appear; otherwise the attempt fails and names it."""
    path, settings = streamed_log(bench, "late.log")
    log = linkaudit_spark.Log(f"flaky:{path}", f"flaky:{path}", path.stat().st_size)
    try:
        with short_pauses(), contextlib.redirect_stderr(io.StringIO()):
            folder = faults(bench, "missing", open=2)
            linkaudit_spark.digest_stream(settings, log, str(bench.folder), f"{bench.folder}/late.part")
            assert not os.listdir(folder)
            path.unlink()
            linkaudit_spark.digest_stream(settings, log, str(bench.folder), f"{bench.folder}/gone.part")
        raise AssertionError("this should have failed")
    except linkaudit_spark.Unreachable as failure:
        assert f"flaky:{path}" in str(failure) and "FileNotFoundException" in str(failure), failure
    finally:
        linkaudit_spark._files.clear()


def test_logs_that_appear_change_and_vanish(bench: Bench) -> None:
    for name in ("a.log", "b.log", "c.log"):
        (bench.logs / name).write_text("".join(line(bench.draw) for _ in range(50)))
    # While digests are merged, when all logs have been read.
    script = f'if [ "$1" = merge ]; then cd "{bench.logs}"; rm -f a.log; echo >> b.log; echo > new.log; fi'
    wrapper = bench.wrapper("changing", script)
    assert bench.single(str(bench.logs)) == 0
    originals = {path: path.read_bytes() for path in bench.logs.iterdir()}
    arguments = [str(bench.logs), "--task-size", "1"]
    assert bench.spark(*arguments, binary=wrapper) == 0
    bench.expect_same()
    said = bench.said.getvalue()
    for name, what in (("new", "appeared, and the digest lacks them"), ("b", "changed"), ("a", "vanished")):
        assert f"1 log ('{bench.logs}/{name}.log') {what}" in said, said
    (bench.logs / "new.log").unlink()
    for path, content in originals.items():
        path.write_bytes(content)
    failure = bench.failure(*arguments, "--on-changes", "fail", binary=wrapper)
    assert failure.status == 2 and "new.log" in str(failure) and "There is no digest" in str(failure), failure


def test_a_later_run_reads_logs_that_appeared(bench: Bench) -> None:
    for name in ("logs/a.log", "logs/b.log", "late.log"):
        (bench.folder / name).write_text("".join(line(bench.draw) for _ in range(50)))
    wrapper = bench.wrapper("late", f'word=merge; if once "$1"; then mv "{bench.folder}/late.log" "{bench.logs}"; fi')
    arguments = [str(bench.logs), "--task-size", "1", "--resume", "--on-changes", "fail"]
    try:
        bench.spark(*arguments, binary=wrapper)
        raise AssertionError("this should have failed")
    except linkaudit_spark.Failure as failure:
        assert "late.log" in str(failure), failure
    assert bench.spark(*arguments, binary=wrapper) == 0
    assert "2 of 3 logs are in digests of an earlier run" in bench.said.getvalue(), bench.said.getvalue()
    assert bench.single(str(bench.logs)) == 0
    bench.expect_same()


def test_fewer_logs_than_expected(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 2)
    failure = bench.failure(str(bench.logs), "--expect-logs", "3")
    assert failure.status == 2 and "found 2 logs instead of 3" in str(failure), failure
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--expect-logs", "2") == 0
    bench.expect_same()


def test_progress_in_a_log(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 5)
    wrapper = bench.wrapper("watched", 'case "$*" in *--files-from*) sleep 0.4 ;; esac')
    usual, linkaudit_spark.LOG_INTERVAL = linkaudit_spark.LOG_INTERVAL, 0.1
    try:
        for options in ((), ("--quiet",)):
            assert bench.single(str(bench.logs)) == 0
            with contextlib.redirect_stdout(io.StringIO()) as output:
                assert bench.spark(str(bench.logs), "--task-size", "1", *options, binary=wrapper) == 0
            assert not output.getvalue()
            lines = [text for text in bench.said.getvalue().splitlines() if "of 5 tasks" in text]
            assert bool(lines) == (not options), lines
            assert all(text.startswith("linkaudit_spark: read 5 logs: ") for text in lines), lines
            form = r" [1-9][0-9]?%, [1-4] of 5 tasks, 0:00:[0-9]{2} left$"
            assert not lines or any(re.search(form, text) for text in lines), lines
            bench.expect_same()
    finally:
        linkaudit_spark.LOG_INTERVAL = usual


def test_progress_on_a_terminal(bench: Bench) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    usual, linkaudit_spark.TERMINAL_INTERVAL = linkaudit_spark.TERMINAL_INTERVAL, 0.01
    try:
        with contextlib.redirect_stderr(Terminal()) as terminal:
            with linkaudit_spark.progress("read 9 logs", 4, lambda: (1, 0.25)):
                wait_for(lambda: "of 4" in terminal.getvalue())
    finally:
        linkaudit_spark.TERMINAL_INTERVAL = usual
    said = terminal.getvalue()
    assert said.startswith("\rlinkaudit_spark: read 9 logs: 25%, 1 of 4 tasks, 0:00:00 left\033[K\r"), said
    assert said.endswith("\r\033[K") and "\n" not in said, said


def test_stragglers_are_named(bench: Bench) -> None:
    tasks = [[linkaudit_spark.Log(f"{number}.log", f"{number}.log", 1 << 30)] for number in range(5)]

    def said(*seconds: float) -> str:
        parts = [linkaudit_spark.Part("", 0, host=f"host-{number}", seconds=value) for number, value in enumerate(seconds)]
        with contextlib.redirect_stderr(io.StringIO()) as text:
            linkaudit_spark.report_stragglers(tasks, parts)
        return text.getvalue()

    assert not said(30, 31, 32, 33, 85) and not said(1, 1, 1, 1, 50)
    text = said(30, 31, 140, 33, 250)
    assert "2 of 5 tasks" in text and "took 250 s, 217 s too many, on 'host-4', with '4.log'" in text, text


def test_several_streams_share_memory(bench: Bench) -> None:
    options = linkaudit_spark.memory_options
    assert options((), 1) == [] and options(("--memory", "64M"), 1) == []
    assert options((), 4) == ["--memory", "262144K"] and options(("--memory=64M",), 4) == ["--memory", "16384K"]
    assert options(("--memory", "8M"), 64) == ["--memory", "4096K"]


# ---------------------------------------------------------------------------------------------
# Tests on local-cluster[2,2,1024]


def write_giant(bench: Bench) -> str:
    """Writes small logs and a giant one, which compresses badly; its name."""
    write_logs(bench.logs, bench.draw, 5)
    giant = bench.logs / "giant.log.gz"
    noise = (f"not a request {bench.draw.randbytes(900).hex()}\n" for _ in range(9000))
    giant.write_bytes(gzip.compress("".join(noise).encode() + line(bench.draw).encode(), 1))
    return str(giant)


def test_a_giant_log_gets_two_cores(bench: Bench) -> None:
    """Its task starts first, and runs at the same time as others."""
    giant = write_giant(bench)
    wrapper = bench.wrapper(
        "waiting",
        'await() { n=0; until [ -e "$marks/$1" ]; do n=$((n + 1)); [ $n -lt 200 ] || exit 70; sleep 0.1; done; }\n'
        'case "$*" in\n'
        '*"--jobs 2"*--files-from*) : > "$marks/giant"; await small ;;\n'
        '*--files-from*) case "$1" in digest) : > "$marks/small"; await giant ;; esac ;;\nesac',
    )
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--task-size", "2M", binary=wrapper) == 0
    said = bench.said.getvalue()
    assert "logs larger than a task of 2.0 MiB: 1 of 6" in said and f"'{giant}'" in said, said
    assert "times as long as an even share of all logs on 4 cores. Logs with two cores: 1" in said, said
    bench.expect_same()


def test_a_giant_log_that_fails(bench: Bench) -> None:
    """The job ends, with all other tasks."""
    write_giant(bench)
    script = 'case "$*" in *"--jobs 2"*--files-from*) echo "no luck" >&2; exit 70 ;; *--files-from*) sleep 99 ;; esac'
    began = time.monotonic()
    failure = bench.failure(str(bench.logs), "--task-size", "6M", binary=bench.wrapper("giant", script))
    assert "status 70: no luck" in str(failure) and time.monotonic() - began < 60, failure


# ---------------------------------------------------------------------------------------------
# Tests of the command line, and on a cluster of hosts


def test_the_command_line(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    script = str(HERE / "linkaudit_spark.py")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell"}
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, env=environment)

    assert "examples:" in run("--help").stdout
    usage = run(str(bench.logs), "-o", "x", "--linkaudit", "y", "--task-size", "much")
    assert usage.returncode == 64 and "'much' is not a size" in usage.stderr, usage.stderr
    if importlib.util.find_spec("grpc") is None:
        connect = run(str(bench.logs), "-o", "x", "--linkaudit", "y", "--remote", "sc://localhost")
        assert connect.returncode == 2 and "pip install 'pyspark[connect]'" in connect.stderr, connect.stderr
    assert bench.single(str(bench.logs)) == 0
    outcome = run(str(bench.logs), "-o", f"{bench.folder}/spark.digest", "--linkaudit", bench.binary)
    assert outcome.returncode == 0, outcome.stderr
    bench.expect_same()


def test_speculation_counts_once(bench: Bench) -> None:
    """On workers with addresses of their own: Spark gives no second attempt to the first one's host."""
    write_logs(bench.logs, bench.draw, 6)
    wrapper = bench.wrapper("lagging", f'word=--files-from; if once "$@"; then exec sleep {LAG}; fi')
    assert bench.single(str(bench.logs)) == 0
    began = time.monotonic()
    assert bench.spark(str(bench.logs), "--task-size", "1", binary=wrapper) == 0
    assert time.monotonic() - began < LAG
    bench.expect_same()
    assert bench.runs("lagging") > 1 + 6 + 2
    # A lagging attempt ends with its worker.
    wait_for(lambda: not [text for _, text in processes().values() if text.startswith(f"sleep {LAG} ")])


def test_speculation_of_merges(bench: Bench) -> None:
    """One of several merges lags, then the last one, which Spark watches for spark.speculation.task.duration.threshold."""
    write_logs(bench.logs, bench.draw, 6)
    for width, merges in (("2", 3 + 2 + 1), ("16", 1)):
        name = f"lagging-merge-{width}"
        wrapper = bench.wrapper(name, f'word="merge --quiet"; if once "$@"; then exec sleep {LAG}; fi')
        assert bench.single(str(bench.logs)) == 0
        assert bench.spark(str(bench.logs), "--task-size", "1", "--merge-width", width, binary=wrapper) == 0
        bench.expect_same()
        assert bench.runs(name) == 1 + 6 + merges + 1 + 1, bench.runs(name)
        wait_for(lambda: not [text for _, text in processes().values() if text.startswith(f"sleep {LAG} ")])


# ---------------------------------------------------------------------------------------------
# Tests of Spark Connect


def test_connect_needs_file_systems_in_paths(bench: Bench) -> None:
    """A path without one may lead elsewhere on an executor than on the server."""
    write_logs(bench.logs, bench.draw, 1)
    for log, output in (("logs", f"file://{bench.folder}/spark.digest"), (f"file://{bench.logs}", "/spark.digest")):
        try:
            bench.run([log, "-o", output, "--linkaudit", bench.binary])
            raise AssertionError("this should have failed")
        except linkaudit_spark.Failure as failure:
            assert failure.status == 64 and "needs its file system" in str(failure), failure
    bench.expect_nothing_left()


def test_connect_settings_of_hadoop(bench: Bench) -> None:
    """Takes those of the server that are not secret."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        text = linkaudit_spark.hadoop_xml(
            {"spark.hadoop.a": "<&>", "spark.master": "x", "spark.hadoop.b.secret": "*********(redacted)"}
        )
    assert text == "<configuration><property><name>a</name><value>&lt;&amp;&gt;</value></property></configuration>", text
    assert "'spark.hadoop.b.secret'" in said.getvalue() and "core-site.xml" in said.getvalue()


def test_connect_items(bench: Bench) -> None:
    items = [list(range(number)) for number in range(9)]
    path = str(bench.folder / "items")
    linkaudit_spark.write_items(path, items)
    assert [linkaudit_spark.read_item(path, number) for number in range(9)] == items
    with bench.cluster() as cluster:
        results = cluster.run("multiply", [0, 1, 1_500_000, 2], functools.partial(operator.mul, b"xyz"))
    assert results == [b"", b"xyz", b"xyz" * 1_500_000, b"xyzxyz"]


def test_connect_command_line(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    script = str(HERE / "linkaudit_spark.py")
    command = [sys.executable, script, f"file://{bench.logs}", "-o", f"file://{bench.folder}/spark.digest"]
    command += ["--linkaudit", bench.binary]
    environment = {**os.environ, "SPARK_REMOTE": bench.context}
    assert bench.single(str(bench.logs)) == 0
    outcome = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert outcome.returncode == 0, outcome.stderr
    bench.expect_same()
    outcome = subprocess.run([*command, "--remote", bench.context], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    bench.expect_same()


def test_connect_tells_what_executors_lack(bench: Bench) -> None:
    for text in (
        "An exception was thrown from the Python worker.\nTraceback (most recent call last):\n"
        "ModuleNotFoundError: No module named 'pyarrow'\n",
        "ImportError: PyArrow >= 11.0.0 must be installed; however, it was not found.",
    ):
        assert "Python of all executors" in str(linkaudit_spark.task_failure("read", text)), text
    text = "\n  An exception was thrown from the Python worker.\nTraceback (most recent call last):\n  File \nOSError: no java\n"
    assert str(linkaudit_spark.task_failure("read", text)).endswith("it had to read: OSError: no java")


def test_connect_keeps_all_if_an_answer_is_lost(bench: Bench) -> None:
    """Nobody knows whether a file was renamed, so nothing may be removed."""

    class LostCluster(linkaudit_spark.ConnectCluster):
        def __init__(self) -> None:
            self.hadoop = linkaudit_spark.Hadoop("", "")

        def run(self, name: str, items: Any, task: Any, weights: Any = (), pairs: int = 0) -> list[Any]:
            raise linkaudit_spark.Failure("the server is gone")

    try:
        linkaudit_spark.RemoteFiles(LostCluster()).rename("file:/new", "file:/old")
        raise AssertionError("this should have failed")
    except linkaudit_spark.Unfinished as failure:
        assert "the server is gone; 'file:/new' may be 'file:/old' by now" in str(failure), failure


# The tests above that also run with Spark Connect.
SHARED_TESTS = (
    test_random_splits_give_the_same_bytes,
    test_another_file_system,
    test_a_killed_executor,
    test_a_run_that_fails_once_counts_once,
    test_a_run_that_always_fails,
    test_a_truncated_log,
    test_logs_that_hold_the_same,
    test_wrong_use_is_told,
    test_nothing_to_read,
    test_a_digest_is_replaced_only_if_told,
    test_the_old_digest_gives_way_only_to_the_new_one,
    test_a_later_run_goes_on,
    test_a_store_that_fails_for_a_short_time,
    test_logs_that_appear_change_and_vanish,
    test_fewer_logs_than_expected,
    test_progress_in_a_log,
)


# ---------------------------------------------------------------------------------------------
# Clusters


def processes() -> dict[int, tuple[int, str]]:
    """The processes of this machine: their parents and commands."""
    found: dict[int, tuple[int, str]] = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError):
            parent = int(pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            found[int(entry)] = (parent, pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def busy_executor(command: str) -> int | None:
    """An executor of this process that runs a command."""
    found = processes()
    for process in [number for number, (_, text) in found.items() if command in text]:
        line = [process]
        while line[-1] in found:
            line.append(found[line[-1]][0])
        own = [number for number in line[:-1] if "CoarseGrainedExecutorBackend" in found[number][1]]
        if own and os.getpid() in line:
            return own[0]
    return None


def compiled(folder: pathlib.Path) -> pathlib.Path:
    """Compiles the flaky file system with the compiler in Spark's jars; the folder with its class."""
    from py4j.java_gateway import JavaGateway

    classes = folder / "classes"
    if not classes.exists():
        classes.mkdir()
        jars = pathlib.Path(pyspark.__file__).parent / "jars"
        py4j = str(next(jars.glob("py4j-*.jar")))
        gateway = JavaGateway.launch_gateway(jarpath=py4j, classpath=f"{jars}/*", die_on_exit=True)
        compiler = gateway.jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook(FLAKY)
        for name, code in dict(compiler.getBytecodes()).items():
            (classes / f"{name}.class").write_bytes(code)
        gateway.shutdown()
    return classes


def configuration(folder: pathlib.Path) -> dict[str, str]:
    # One folder for all clusters, as Python's driver keeps its JVM.
    classes = str(compiled(folder.parent))
    return {
        "spark.driver.extraClassPath": classes,
        "spark.executor.extraClassPath": classes,
        "spark.hadoop.fs.flaky.impl": "FlakyFileSystem",
        "spark.hadoop.fs.flaky.faults": str(folder / "data/faults"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.speculation": "true",
        "spark.speculation.interval": "200ms",
        "spark.speculation.minTaskRuntime": "3s",
        "spark.speculation.multiplier": "3",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.task.duration.threshold": "5s" if folder.name == "hosts" else "10min",
        "spark.hadoop.fs.viewfs.mounttable.cluster.link./data": f"file://{folder}/data",
    }


@contextlib.contextmanager
def cluster(master: str, folder: pathlib.Path) -> Iterator[Any]:
    folder.mkdir(exist_ok=True)
    # Where executors have their working directories, and which address they are asked for.
    os.environ.update(SPARK_WORKER_DIR=str(folder / "work"), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    conf = pyspark.SparkConf().setMaster(master).setAll(list(configuration(folder).items()))
    context = pyspark.SparkContext(conf=conf)
    context.setLogLevel("OFF" if "VERBOSE" not in os.environ else "WARN")
    try:
        yield context
    finally:
        context.stop()


@contextlib.contextmanager
def hosts(folder: pathlib.Path, count: int = 2) -> Iterator[str]:
    """A master, and workers each with an address of its own; its URL."""
    start = os.path.join(os.path.dirname(pyspark.__file__), "bin/spark-class")
    environment = {**os.environ, "SPARK_WORKER_DIR": str(folder / "work"), "SPARK_LOCAL_DIRS": str(folder)}
    environment.pop("SPARK_LOCAL_IP", None)
    processes: list[subprocess.Popen[bytes]] = []

    def launch(name: str, *arguments: str) -> pathlib.Path:
        log = folder / f"{len(processes)}.out"
        with open(log, "wb") as out:
            command = [start, f"org.apache.spark.deploy.{name}", "--webui-port", "0", *arguments]
            processes.append(subprocess.Popen(command, stdout=out, stderr=out, env=environment))
        return log

    folder.mkdir()
    try:
        log = launch("master.Master", "--host", "127.0.0.1", "--port", "0")
        url = wait_for(lambda: next((w for w in log.read_text().split() if w.startswith("spark://")), None))
        for number in range(count):
            launch("worker.Worker", "--host", f"127.0.0.{number + 2}", "--cores", "1", "--memory", "1g", url)
        yield url
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait()


@contextlib.contextmanager
def server(folder: pathlib.Path) -> Iterator[str]:
    """A server of Spark Connect with three executors; its URL."""
    folder.mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {**configuration(folder), "spark.connect.grpc.binding.port": str(port)}
    home = os.path.dirname(pyspark.__file__)
    command = [os.path.join(home, "bin/spark-submit"), "--master", "local-cluster[3,1,1024]"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    environment = {
        **os.environ,
        "SPARK_HOME": home,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "PYSPARK_PYTHON": sys.executable,
    }
    log = folder / "server.out"
    with open(log, "wb") as out:
        process = subprocess.Popen([*command, "spark-internal"], stdout=out, stderr=out, env=environment)
    try:
        wait_for(lambda: "Spark Connect server started" in log.read_text())
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def wait_for(find: Callable[[], Any]) -> Any:
    """Waits, a minute at most, until there is something."""
    for _ in range(600):
        if found := find():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not come")


# ---------------------------------------------------------------------------------------------
# Running them


class Benches:
    """Benches on the cluster that a test asks for; one cluster at a time, kept while it is asked for."""

    def __init__(self, binary: str) -> None:
        self.binary = binary
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-spark-"))
        self.cluster = contextlib.ExitStack()
        self.kind = ""
        self.context: Any = None

    @contextlib.contextmanager
    def bench(self, test: str, connect: bool = False) -> Iterator[Bench]:
        kind = "connect" if connect else "hosts" if "speculation" in test else "giants" if "giant" in test else "local"
        if kind != self.kind:
            self.cluster.close()
            if kind == "connect":
                self.context = self.cluster.enter_context(server(self.root / kind))
            else:
                local = "local-cluster[2,2,1024]" if kind == "giants" else "local-cluster[3,1,1024]"
                master = self.cluster.enter_context(hosts(self.root / "cluster")) if kind == "hosts" else local
                self.context = self.cluster.enter_context(cluster(master, self.root / kind))
            self.kind = kind
        folder = self.root / kind / "data"
        folder.mkdir()
        yield (ConnectBench if connect else Bench)(self.context, self.binary, folder)
        shutil.rmtree(folder)

    def close(self) -> None:
        self.cluster.close()
        shutil.rmtree(self.root, ignore_errors=True)


def usual_binary() -> str:
    return os.environ.get("LINKAUDIT") or str(HERE.parents[1] / ".build/debug/linkaudit")


with contextlib.suppress(ImportError):
    import pytest

    @pytest.fixture(scope="session")
    def benches() -> Iterator[Benches]:
        if missing := what_is_missing():
            pytest.skip(missing)
        made = Benches(os.path.abspath(usual_binary()))
        yield made
        made.close()

    @pytest.fixture
    def bench(benches: Benches, request: Any) -> Iterator[Bench]:
        connect = request.node.name.startswith("test_connect")
        if connect and (missing := what_connect_needs()):
            pytest.skip(missing)
        with benches.bench(request.node.name, connect) as made:
            yield made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=usual_binary())
    parser.add_argument("--only", default="", help="run tests whose names hold this")
    parser.add_argument("--connect", action="store_true", help="run the tests that concern Spark Connect")
    parser.add_argument("--no-skips", action="store_true", help="fail if PySpark or Java is missing")
    arguments = parser.parse_args()
    if missing := what_is_missing() or (what_connect_needs() if arguments.connect else None):
        print(f"test-spark: skipped, {missing}")
        return 1 if arguments.no_skips or os.environ.get("LINKAUDIT_NO_SKIPS") else 0
    kind = ", Spark Connect" if arguments.connect else ""
    print(f"test-spark: PySpark {pyspark.__version__}{kind}, SEED={SEED}", flush=True)
    benches = Benches(os.path.abspath(arguments.binary))
    try:
        every = [test for name, test in globals().items() if name.startswith("test_")]
        own = [test for test in every if test.__name__.startswith("test_connect")]
        tests = [*SHARED_TESTS, *own] if arguments.connect else [test for test in every if test not in own]
        for test in tests:
            name = test.__name__
            if arguments.only not in name:
                continue
            began = time.monotonic()
            with benches.bench(name, arguments.connect) as made:
                test(made)
            print(f"test-spark: {name[5:].replace('_', ' ')}: {time.monotonic() - began:.1f} s", flush=True)
    finally:
        benches.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
