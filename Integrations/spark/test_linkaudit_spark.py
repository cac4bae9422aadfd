#!/usr/bin/env python3
"""Run linkaudit_spark.py on clusters of several processes, and compare its digests with one machine's.

    Integrations/spark/test_linkaudit_spark.py --binary .build/debug/linkaudit [--connect] [--only NAME]

Needs Java and PySpark ('Scripts/setup.sh --spark' installs them); says so and leaves with status 0 where they are missing.
With --connect, runs those tests that concern Spark Connect, against a server of its own (PySpark 4 has one among its jars).
"""

import argparse
import contextlib
import functools
import gzip
import importlib.util
import io
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
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

FLAKY = (HERE / "test_flaky_file_system.java").read_text()


def what_is_missing(connect: bool) -> str | None:
    install = f"'Scripts/setup.sh --spark{'-connect' if connect else ''}' installs it"
    if pyspark is None or connect and not list((pathlib.Path(pyspark.__file__).parent / "jars").glob("spark-connect_*.jar")):
        return f"PySpark is missing{', with a server of Spark Connect' if connect else ''}; {install}"
    for package in ("pandas", "pyarrow", "grpc") if connect else ():
        if importlib.util.find_spec(package) is None:
            return f"{package} is missing; {install}"
    return None if shutil.which("java") or "JAVA_HOME" in os.environ else f"Java is missing; {install}"


# Logs, and what one machine makes of them


def write_logs(folder: pathlib.Path, draw: random.Random, count: int, lines: int = 300) -> None:
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
        f'"{draw.choice(("-", "https://www.example.com/", "https://t.co/x"))}" "{draw.choice((IPHONE, "curl/8"))}"\n'
    )


class Bench:
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
        # Spark Connect needs the file system of each path.
        own = [f"file://{text}" if text.startswith("/") else text for text in arguments]
        own += ["-o", f"file://{self.folder}/spark.digest", "--linkaudit", binary or self.binary]
        return self.run([*own, "--", *options])

    def run(self, arguments: list[str]) -> int:
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            return linkaudit_spark.run(self.cluster(), linkaudit_spark.parsed(arguments))

    # Kept to the end: executors that start later fetch what earlier runs have shipped, and PySpark's sessions share threads.
    clusters: list[linkaudit_spark.Cluster] = []

    def cluster(self) -> linkaudit_spark.Cluster:
        from pyspark.sql import SparkSession

        remote = isinstance(self.context, str)
        session = SparkSession.builder.remote(self.context).create() if remote else SparkSession(self.context)
        self.clusters.append(linkaudit_spark.Cluster(session))
        return self.clusters[-1]

    def failure(self, *arguments: str, **others: Any) -> linkaudit_spark.Failure:
        failure = raised(functools.partial(self.spark, *arguments, **others))
        self.expect_nothing_left()
        return failure

    def expect_nothing_left(self) -> None:
        left = [name for name in os.listdir(self.folder) if name.startswith("spark.digest")]
        assert not left, left

    def parts(self, scheme: str) -> list[str]:
        """Has one machine make a digest of each log, as a stream under its name on another file system."""
        parts = []
        for number, path in enumerate(path for path in self.logs.rglob("*.log*") if path.is_file()):
            parts.append(f"{self.folder}/{number}.part")
            name = f"{scheme}/{path.relative_to(self.logs)}"
            command = [self.binary, "digest", "-", "--stdin-name", name, "--part", "--quiet", "-o", parts[-1]]
            with open(path, "rb") as log:
                assert subprocess.run(command, stdin=log, capture_output=True).returncode in (0, 2)
        return parts

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


# Tests of the file systems, in a small JVM of this process


def hadoop(bench: Bench) -> tuple[str, str]:
    """What a task reaches the cluster's file systems with, which this process can, too."""
    xml = bench.context._jvm.java.io.StringWriter()
    bench.context._jsc.hadoopConfiguration().writeXml(xml)
    return xml.toString(), bench.context.getConf().get("spark.driver.extraClassPath")


def files(bench: Bench) -> linkaudit_spark.Files:
    return linkaudit_spark.files_of(hadoop(bench))


def raised(function: Callable[..., Any], *arguments: Any) -> linkaudit_spark.Failure:
    try:
        function(*arguments)
    except linkaudit_spark.Failure as failure:
        return failure
    raise AssertionError("this should have failed")


def test_files_directories_and_patterns(bench: Bench) -> None:
    names = ["x-1.log", ".hidden.log", "a[1].log", "umlaut-ü.log", "sub/.old/y.log", "_1/_2.log", "sub/100%41; length=5 é.log"]
    for number, name in enumerate(names):
        (bench.logs / name).parent.mkdir(parents=True, exist_ok=True)
        (bench.logs / name).write_bytes(b"x" * number)
    (bench.logs / "sub/circle").symlink_to(bench.logs)
    local, other = f"file://{bench.logs}", "viewfs://cluster/data/logs"

    def found(*patterns: str) -> dict[str, int]:
        return {log.name.partition("/logs/")[2]: log.size for log in files(bench).find(patterns)}

    assert list(found(f"{local}/x-*.log", f"{local}/x-1.log", f"{local}/x-[0-9].log")) == ["x-1.log"]
    assert list(found(f"{local}/a[1].log")) == ["a[1].log"] and ".hidden.log" not in found(f"{local}/*")
    visible = {name: number for number, name in enumerate(names) if "/." not in f"/{name}"}
    assert found(local) == visible, found(local)
    (bench.logs / "sub/circle").unlink()
    assert found(other) == visible and list(found(other)) == sorted(visible, key=os.fsencode), found(other)
    assert all(log.modified > 1_600_000_000_000 for log in files(bench).find([other]))
    assert "no file matches" in str(raised(files(bench).find, [f"{local}/*.gz"]))


def test_the_old_digest_gives_way_only_to_the_new_one(bench: Bench) -> None:
    """However often it is published, and whatever becomes of an attempt."""
    target, new = bench.folder / "spark.digest", bench.folder / "new.digest"
    uris = f"flaky:{new}", f"flaky:{target}"
    mine = files(bench)
    for fault in (None, "rename", "renamed"):
        target.write_text("old")
        new.write_text("new")
        before = mine.status(uris[1])
        if fault:
            faults(bench, **{fault: 1})
            with contextlib.suppress(Exception):
                mine.publish(*uris, before)
            assert [path.read_text() for path in bench.folder.glob("spark.digest*")] in (["old"], ["new"]), fault
        mine.publish(*uris, before)
        mine.publish(*uris, before)
        assert target.read_text() == "new" and len(list(bench.folder.glob("*.digest*"))) == 1, fault
    # An attempt that comes late, or a second run: the digest is no longer the one that was to be replaced.
    new.write_text("late")
    assert "has appeared or changed" in str(raised(mine.publish, *uris, None)) and target.read_text() == "new"
    # A run that was interrupted between two names.
    target.rename(f"{target}.replaced")
    arguments = linkaudit_spark.parsed([f"flaky:{new}", "-o", uris[1], "--linkaudit", "x"])
    with contextlib.redirect_stderr(io.StringIO()) as said:
        failure = raised(mine.begin, "x", arguments)
    assert failure.status == 64 and target.read_text() == "new" and "has its name again" in said.getvalue(), failure


def test_streams_of_another_length_than_listed(bench: Bench) -> None:
    """A stream that ends early, or goes on, is not the log that was listed; one that isn't there is named."""
    path = bench.logs / "changed.log"
    path.write_text("".join(line(bench.draw) for _ in range(50)))
    uri = "viewfs://cluster/data/logs/changed.log"
    settings = linkaudit_spark.Settings(bench.binary, (), "", hadoop(bench), "")
    for difference in (0, 1, -1):
        log = linkaudit_spark.Log(uri, path.stat().st_size + difference)
        arguments = settings, log, str(bench.folder), f"{bench.folder}/{difference}.part"
        if difference:
            failure = raised(linkaudit_spark.digest_stream, *arguments)
            assert uri in str(failure) and "were listed" in str(failure), failure
        else:
            linkaudit_spark.digest_stream(*arguments)


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


def test_another_file_system(bench: Bench) -> None:
    """Streams, uploads and moves through Hadoop, under another scheme than file."""
    write_logs(bench.logs, bench.draw, 5)
    # After an invalid member, linkaudit closes the pipe early.
    damaged = gzip.compress("".join(line(bench.draw) for _ in range(500)).encode()) + b"\x1f\x8b\x08\0\0\0\0\0\0\3\xff"
    (bench.logs / "damaged early.log.gz").write_bytes(damaged + bench.draw.randbytes(2_000_000))
    (bench.logs / "no log.log").write_bytes(b"\4\x22\x4d\x18 lz4")
    assert bench.single(*bench.parts("viewfs://cluster/data/logs")) == 2
    place = "viewfs://cluster/data"
    arguments = [f"{place}/logs", "-o", f"{place}/spark.digest", "--linkaudit", bench.binary]
    arguments += ["--task-size", "3M", "--merge-width", "2", "--on-damage", "report"]
    assert bench.run(arguments) == 2
    assert "damaged early.log.gz': the compressed data is damaged" in bench.said.getvalue(), bench.said.getvalue()
    bench.expect_same()


def test_a_killed_executor(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 9)
    # The executor is above the daemon of Python's workers, when some parts are finished, and others are not.
    script = 'above() { cut -d " " -f 4 "/proc/$1/stat"; }; word=--files-from; set -- "$@"\n'
    script += f'ls {bench.folder}/spark.digest.parts-*/*.digest >/dev/null 2>&1 && if once "$@"; then\n'
    script += '  kill -9 "$(above "$(above "$PPID")")"; sleep 2; fi'
    wrapper = bench.wrapper("killing", script)
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--task-size", "1", "--merge-width", "9", binary=wrapper) == 0
    bench.expect_same()
    # Nine for the logs, two for the merge; and that of the one that was killed.
    # It may have gone on, and have written a digest that nobody reads.
    assert (bench.commands / "killing.marks/once").exists() and bench.runs("killing") > 11, bench.runs("killing")


def test_a_run_that_fails_once_counts_once(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 5)
    wrapper = bench.wrapper("failing", "word=--files-from; if once \"$@\"; then echo 'no luck' >&2; exit 70; fi")
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--task-size", "1", binary=wrapper) == 0
    bench.expect_same()
    assert bench.runs("failing") == 5 + 2 + 1


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
    output = f"file://{bench.folder}/spark.digest"
    failure = raised(bench.run, [f"file://{logs}", "-o", output, "--installed-linkaudit", "no-such-command"])
    assert "cannot run 'no-such-command'" in str(failure), failure
    for place in (["logs", "-o", output], [f"file://{logs}", "-o", "spark.digest"]):
        failure = raised(bench.run, [*place, "--linkaudit", bench.binary])
        assert failure.status == 64 and "needs its file system" in str(failure), failure
    failure = bench.failure(logs, options=("--log-fromat", "combined"))
    assert failure.status == 64 and "unknown option '--log-fromat'" in str(failure), failure
    assert "found 2 logs instead of 3" in str(bench.failure(logs, "--expect-logs", "3"))
    for option in (("--output", "x"), ("--jobs=4",), ("--since", "yesterday"), ("--until=7d",)):
        assert bench.failure(logs, options=option).status == 64


def test_a_digest_is_replaced_only_if_told(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    target = bench.folder / "spark.digest"
    target.write_text("mine")
    assert "'--overwrite'" in str(raised(bench.spark, str(bench.logs)))
    assert target.read_text() == "mine"
    assert bench.single(str(bench.logs)) == 0
    assert bench.spark(str(bench.logs), "--overwrite") == 0
    bench.expect_same()


def test_a_later_run_goes_on(bench: Bench) -> None:
    """From the parts of unchanged logs; reads a changed log again."""
    write_logs(bench.logs, bench.draw, 5)
    (bench.logs / "changed.log").write_text(line(bench.draw))
    broken = bench.folder / "broken"
    script = f'case "$1 $*" in merge*) if [ -e {broken} ]; then echo "no luck" >&2; exit 70; fi ;; esac'
    wrapper = bench.wrapper("resumed", script)
    arguments = [str(bench.logs), "--task-size", "1", "--resume"]
    broken.touch()
    failure = raised(functools.partial(bench.spark, *arguments, binary=wrapper))
    assert "no luck" in str(failure), failure
    assert list(bench.folder.glob("spark.digest.parts-*/*.digest.json"))
    broken.unlink()
    (bench.logs / "changed.log").write_text("".join(line(bench.draw) for _ in range(9)))
    assert bench.single(str(bench.logs)) == 0
    before = bench.runs("resumed")
    assert bench.spark(*arguments, binary=wrapper) == 0
    assert "5 of 6 logs are in digests of an earlier run" in bench.said.getvalue(), bench.said.getvalue()
    bench.expect_same()
    # The changed log, the merge, and the check of its digest.
    assert bench.runs("resumed") - before == 3, bench.runs("resumed") - before


def faults(bench: Bench, **counts: int) -> pathlib.Path:
    folder = bench.folder / "faults"
    folder.mkdir(exist_ok=True)
    for call, count in counts.items():
        for number in range(count):
            (folder / f"{call}-{number}").touch()
    return folder


def test_a_store_that_fails_for_a_short_time(bench: Bench) -> None:
    """Spark repeats tasks; a rename whose answer is lost is not repeated."""
    write_logs(bench.logs, bench.draw, 3)
    assert bench.single(*bench.parts(f"flaky:{bench.logs}")) == 0
    folder = faults(bench, open=2, rename=1, renamed=1)
    arguments = [f"flaky:{bench.logs}", "-o", f"flaky:{bench.folder}/spark.digest", "--linkaudit", bench.binary]
    assert bench.run([*arguments, "--task-size", "1"]) == 0
    assert not os.listdir(folder), os.listdir(folder)
    bench.expect_same()


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


# Tests of the command line


def test_the_command_line(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    script = str(HERE / "linkaudit_spark.py")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell"}
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, env=environment)

    assert "Exit status: " in run("--help").stdout
    usage = run(str(bench.logs), "-o", "x", "--linkaudit", "y", "--task-size", "much")
    assert usage.returncode == 64 and "'much' is not a size" in usage.stderr, usage.stderr
    if importlib.util.find_spec("grpc") is None:
        connect = run("file:/x", "-o", "file:/y", "--linkaudit", "y", "--remote", "sc://localhost")
        assert connect.returncode == 2 and "pip install 'pyspark[connect]'" in connect.stderr, connect.stderr
    assert bench.single(str(bench.logs)) == 0
    outcome = run(str(bench.logs), "-o", f"{bench.folder}/spark.digest", "--linkaudit", bench.binary)
    assert outcome.returncode == 0, outcome.stderr
    bench.expect_same()


# Tests of Spark Connect


def test_connect_settings_of_hadoop(bench: Bench) -> None:
    """Takes those of the server that are not secret."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        text = linkaudit_spark.hadoop_xml(
            {"spark.hadoop.a": "<&>", "spark.master": "x", "spark.hadoop.b.secret": "*********(redacted)"}
        )
    assert text == "<configuration><property><name>a</name><value>&lt;&amp;&gt;</value></property></configuration>", text
    assert "'spark.hadoop.b.secret'" in said.getvalue() and "core-site.xml" in said.getvalue()


def test_connect_command_line(bench: Bench) -> None:
    write_logs(bench.logs, bench.draw, 3)
    command = [sys.executable, str(HERE / "linkaudit_spark.py"), f"file://{bench.logs}", "--linkaudit", bench.binary]
    command += ["-o", f"file://{bench.folder}/spark.digest"]
    assert bench.single(str(bench.logs)) == 0
    for options, environment in ((["--remote", bench.context], {}), ([], {"SPARK_REMOTE": bench.context})):
        outcome = subprocess.run([*command, *options], capture_output=True, text=True, env={**os.environ, **environment})
        assert outcome.returncode == 0, outcome.stderr
        bench.expect_same()


# The tests that need the driver's JVM, or a cluster of their own.
LOCAL_TESTS = (
    test_files_directories_and_patterns,
    test_the_old_digest_gives_way_only_to_the_new_one,
    test_streams_of_another_length_than_listed,
    test_the_command_line,
)


# Clusters


def configuration(folder: pathlib.Path) -> dict[str, str]:
    """Settings of a cluster, with the flaky file system, which the compiler in Spark's jars compiles."""
    from py4j.java_gateway import JavaGateway

    classes = folder / "classes"
    classes.mkdir(parents=True)
    jars = pathlib.Path(pyspark.__file__).parent / "jars"
    gateway = JavaGateway.launch_gateway(jarpath=str(next(jars.glob("py4j-*.jar"))), classpath=f"{jars}/*", die_on_exit=True)
    compiler = gateway.jvm.org.codehaus.janino.SimpleCompiler()
    compiler.cook(FLAKY)
    for name, code in dict(compiler.getBytecodes()).items():
        (classes / f"{name}.class").write_bytes(code)
    gateway.shutdown()
    # Where executors have their working directories, and which address they are asked for.
    os.environ.update(SPARK_WORKER_DIR=str(folder / "work"), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    return {
        "spark.driver.extraClassPath": str(classes),
        "spark.executor.extraClassPath": str(classes),
        "spark.hadoop.fs.flaky.impl": "FlakyFileSystem",
        "spark.hadoop.fs.flaky.faults": str(folder / "data/faults"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.hadoop.fs.viewfs.mounttable.cluster.link./data": f"file://{folder}/data",
    }


@contextlib.contextmanager
def cluster(folder: pathlib.Path) -> Iterator[Any]:
    conf = pyspark.SparkConf().setMaster("local-cluster[3,1,1024]").setAll(list(configuration(folder).items()))
    context = pyspark.SparkContext(conf=conf)
    context.setLogLevel("OFF" if "VERBOSE" not in os.environ else "WARN")
    try:
        yield context
    finally:
        context.stop()


@contextlib.contextmanager
def server(folder: pathlib.Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {**configuration(folder), "spark.connect.grpc.binding.port": str(port)}
    home = os.path.dirname(pyspark.__file__)
    command = [os.path.join(home, "bin/spark-submit"), "--master", "local-cluster[3,1,1024]"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    environment = {**os.environ, "SPARK_HOME": home}
    log = folder / "server.out"
    with open(log, "wb") as out:
        process = subprocess.Popen([*command, "spark-internal"], stdout=out, stderr=out, env=environment)
    try:
        while "Spark Connect server started" not in log.read_text():
            assert process.poll() is None, log.read_text()[-2000:]
            time.sleep(0.1)
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


# Running them


@contextlib.contextmanager
def benches(binary: str, connect: bool) -> Iterator[Callable[[], contextlib.AbstractContextManager[Bench]]]:
    root = pathlib.Path(tempfile.mkdtemp(prefix="linkaudit-spark-"))
    try:
        with (server if connect else cluster)(root / "cluster") as context:

            @contextlib.contextmanager
            def bench() -> Iterator[Bench]:
                folder = root / "cluster/data"
                folder.mkdir()
                yield Bench(context, binary, folder)
                shutil.rmtree(folder)

            yield bench
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--only", default="", help="run tests whose names hold this")
    parser.add_argument("--connect", action="store_true", help="run the tests that concern Spark Connect")
    arguments = parser.parse_args()
    if missing := what_is_missing(arguments.connect):
        print(f"test-spark: skipped, {missing}")
        return 1 if os.environ.get("LINKAUDIT_NO_SKIPS") else 0
    kind = ", Spark Connect" if arguments.connect else ""
    print(f"test-spark: PySpark {pyspark.__version__}{kind}, SEED={SEED}", flush=True)
    every = [test for name, test in globals().items() if name.startswith("test_")]
    own = [test for test in every if test.__name__.startswith("test_connect")]
    with benches(os.path.abspath(arguments.binary), arguments.connect) as bench:
        for test in every:
            name = test.__name__
            if arguments.only in name and test not in (LOCAL_TESTS if arguments.connect else own):
                began = time.monotonic()
                with bench() as made:
                    test(made)
                print(f"test-spark: {name[5:].replace('_', ' ')}: {time.monotonic() - began:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
