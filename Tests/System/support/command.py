"""A command that was started: how it ends, and what it is doing meanwhile.

What a test waits for is looked up in /proc, not guessed from the time that has passed, so that it is the same on a
machine that is slow or has much else to do.
"""
import contextlib
import dataclasses
import json
import os
import pathlib
import select
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any

MIB = 1 << 20

# So long anything may take on a machine that has much else to do, in seconds; then it hangs.
PATIENCE = 300.0

Word = str | bytes | os.PathLike[str]
Process = subprocess.Popen[bytes]


class Failure(Exception):
    """A case can't go on."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a command ended, what it printed, and its most memory in bytes, if that was measured."""

    status: int
    stdout: bytes
    stderr: bytes
    peak: int = 0

    @property
    def text(self) -> str:
        return self.stdout.decode(errors="replace")

    @property
    def message(self) -> str:
        return self.stderr.decode(errors="backslashreplace").strip()

    def report(self) -> Any:
        return json.loads(self.stdout)


def shown(command: Sequence[Word]) -> str:
    """A command line that can be read, and as a rule be given to a shell."""
    return shlex.join(word if isinstance(word, str) else ascii(os.fsencode(word))[2:-1] for word in command)


def injected(call: str, fault: str, path: object = None) -> tuple[str, ...]:
    """The words before a command that meets a fault at one of its calls of the system, in strace's notation."""
    place = () if path is None else ("-P", str(path))
    return ("strace", "-f", "-qq", "-o", "/dev/null", *place, "-e", "trace=" + call, "-e", "inject=%s:%s" % (call, fault))


# MARK: - Ends


@contextlib.contextmanager
def limited(process: Process, seconds: float = PATIENCE) -> Iterator[None]:
    """Kills a process that lives longer; whoever waits for it in the block fails then."""
    hangs = threading.Event()

    def kill() -> None:
        hangs.set()
        process.kill()

    timer = threading.Timer(seconds, kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
    if hangs.is_set():
        raise Failure("no end after %d s: %s" % (seconds, process.args))


def ended(
    process: Process, data: bytes | Iterable[bytes] | None = None, seconds: float = PATIENCE, measured: bool = False,
) -> Outcome:
    """Waits for the end of a process, which gets `data` on its standard input."""
    peak = Peak(process) if measured else None
    with limited(process, seconds):
        if data is not None and not isinstance(data, bytes):
            # Written beside the reading, so that neither side waits for the other.
            feeder = threading.Thread(target=feed, args=[process.stdin, data], daemon=True)
            process.stdin, data = None, None
            feeder.start()
        stdout, stderr = process.communicate(data)
    return Outcome(process.returncode, stdout or b"", stderr or b"", peak.finish() if peak else 0)


def feed(pipe: IO[bytes], pieces: Iterable[bytes]) -> None:
    """Writes to a process, which needn't read all of it."""
    with contextlib.suppress(OSError), pipe:
        for piece in pieces:
            pipe.write(piece)
            pipe.flush()


# MARK: - Watching a process


def until(condition: Callable[[], object], seconds: float = PATIENCE, pause: float = 0.005) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def while_alive(process: Process, condition: Callable[[], object], pause: float = 0.005) -> bool:
    """Waits until something holds or the process ends; returns whether it does while the process is there."""
    return until(lambda: process.poll() is not None or condition(), pause=pause) and process.poll() is None


def positions(process: Process, path: pathlib.Path | str) -> list[int]:
    """Where the descriptors stand with which a process has a file open, in bytes."""
    folder = pathlib.Path("/proc/%d" % process.pid)
    found = []
    for entry in entries(folder / "fd"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            if os.readlink(entry) == str(path):
                found.append(int((folder / "fdinfo" / entry.name).read_text().split()[1]))
    return found


def opened_below(process: Process, folder: pathlib.Path) -> list[pathlib.Path]:
    """The descriptors with which a process has files of a folder open, also such as have no name."""
    found = []
    for entry in entries(pathlib.Path("/proc/%d/fd" % process.pid)):
        with contextlib.suppress(OSError):
            if os.readlink(entry).startswith("%s/" % folder):
                found.append(entry)
    return found


def entries(folder: pathlib.Path) -> list[pathlib.Path]:
    """Lists a folder that may be gone at any time."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def drained(terminal: int, sought: bytes | None = None) -> bytes:
    """Reads a terminal until it shows a text, or until nobody has it open any more."""
    shown = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (sought is None or sought not in shown):
        if select.select([terminal], [], [], 1)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
    return shown


def statuses(process: Process) -> list[dict[str, str]]:
    """Reads the system's status of each thread: fields by name."""
    found = []
    for task in entries(pathlib.Path("/proc/%d/task" % process.pid)):
        with contextlib.suppress(OSError):
            lines = (task / "status").read_text(errors="replace").splitlines()
            found.append({name: value.strip() for name, _, value in (line.partition(":") for line in lines)})
    return found


def waits(process: Process) -> bool:
    """Waits until a process waits: all its threads sleep, and none wakes for a while. False if it ends before."""
    last: list[dict[str, str]] = []
    still = 0

    def is_still() -> bool:
        nonlocal last, still
        before, last = last, statuses(process)
        sleeps = bool(last) and all(status.get("State", "").startswith("S") for status in last)
        # Whatever a thread does, it is switched to and away again, which is counted.
        still = still + 1 if sleeps and last == before else 0
        return still >= 15

    return while_alive(process, is_still, pause=0.02)


def processor_seconds(process: Process) -> float:
    """How long processors have worked for a process; also for one that has ended, and that nobody has waited for."""
    try:
        fields = pathlib.Path("/proc/%d/stat" % process.pid).read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def worked(process: Process, seconds: float) -> bool:
    """Waits until processors have worked so long for a process; returns whether it is still there.

    That is a moment of its run that is the same on a machine that has much else to do.
    """
    return while_alive(process, lambda: processor_seconds(process) >= seconds, pause=0.001)


def effort(process: Process) -> float:
    """Waits for a process, and returns how many seconds processors have worked for it."""
    with limited(process):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        seconds = processor_seconds(process)
        process.wait()
    return seconds


def stopped(process: Process) -> bool:
    """Stops a process where it is; returns whether it is still there."""
    process.send_signal(signal.SIGSTOP)
    return while_alive(process, lambda: all(
        status.get("State", "").startswith("T") for status in statuses(process)), pause=0.001)


class Peak(threading.Thread):
    """Reads again and again how much memory a process has had at most, in bytes.

    What the system says when it has ended counts what its parent had when it was begun, too.
    """

    def __init__(self, process: Process) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.bytes = 0
        self.is_done = threading.Event()
        self.look()
        self.start()

    def look(self) -> None:
        with contextlib.suppress(OSError), open("/proc/%d/status" % self.process.pid, errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    self.bytes = max(self.bytes, int(line.split()[1]) << 10)

    def run(self) -> None:
        while not self.is_done.wait(0.01):
            self.look()

    def finish(self) -> int:
        self.is_done.set()
        self.join()
        return self.bytes
