"""What a scenario has at hand besides what all suites have: the command on pipes and terminals, and checks of both."""
from __future__ import annotations

import os
import pathlib
import pty
import subprocess
import termios
import threading
import tty
from collections.abc import Iterable
from typing import Any, TypeVar

import world
from command import Outcome, Process, Word, limited, shown
from safety_checks import form_complaint
from safety_texts import complaint
from suite import Played, Suite
from world import Settings

Item = TypeVar("Item")


def named(arguments: Iterable[Word]) -> str:
    """A command line, short enough to be read."""
    return " ".join(ascii(os.fsencode(word))[2:-1][:80] for word in arguments)


class World(world.World):
    """A scenario that is being played."""

    def __init__(self, settings: Settings, name: str, folder: pathlib.Path) -> None:
        super().__init__(settings, name, folder)
        # How many commands were run.
        self.runs = 0

    def some(self, items: Iterable[Item], count: int) -> list[Item]:
        """Some of many, in their order; all in a full test."""
        all_of_them = list(items)
        if not self.settings.quick or count >= len(all_of_them):
            return all_of_them
        return [all_of_them[index] for index in sorted(self.random.sample(range(len(all_of_them)), count))]

    def environment(self, changes: dict[str, Any] | None = None) -> dict[str, Any]:
        clean = {
            name: value for name, value in super().environment().items()
            if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "SSL_CERT_FILE", "COLUMNS")}
        return {**clean, "TERM": "xterm-256color", "LANG": "C.UTF-8", **(changes or {})}

    def start(self, *arguments: Word, **options: Any) -> Process:
        """Starts the command in the folder of the scenario, and goes on."""
        self.runs += 1
        return self.launch(self.command(*arguments), cwd=self.folder, **options)

    def run(
        self, *arguments: Word, form: str = "text", stdin: bytes = b"", environment: dict[str, Any] | None = None,
        wrapper: Iterable[str] = (), checked: bool = True,
    ) -> Outcome:
        """Runs the command on pipes; whatever it prints must be safe."""
        self.runs += 1
        outcome = self.execute(
            [*wrapper, *self.command(*arguments)], (0, 1, 2, 64), environment, data=stdin, cwd=self.folder)
        if checked:
            problem = form_complaint(form, outcome.stdout) if outcome.status in (0, 1) or outcome.stdout else None
            self.check(problem is None, "%s: standard output %s" % (named(arguments), problem))
            problem = complaint(outcome.stderr)
            self.check(problem is None, "%s: standard error %s" % (named(arguments), problem))
        return outcome

    def run_on_terminal(
        self, *arguments: Word, environment: dict[str, Any] | None = None, stdin: bytes = b"", colours: bool = True,
        checked: bool = True,
    ) -> Outcome:
        """Runs the command with both streams on a terminal, and checks what comes there."""
        leader, follower = pty.openpty()
        # Bytes as the command writes them, without a carriage return at each end of a line.
        tty.setraw(follower, termios.TCSANOW)
        process = self.start(
            *arguments, environment=environment, stdin=subprocess.PIPE, stdout=follower, stderr=follower,
            start_new_session=True)
        os.close(follower)
        # What the command doesn't read at once must not keep anybody from reading what it says.
        threading.Thread(target=feed, args=[process, stdin], daemon=True).start()
        output = b""
        with limited(process, self.patience):
            while piece := read(leader):
                output += piece
            status = process.wait()
        os.close(leader)
        self.step("%s  on a terminal -> %d" % (shown(self.command(*arguments)), status))
        self.check(status in (0, 1, 2, 64), "ended with %d on a terminal: %s" % (status, named(arguments)))
        if checked:
            problem = complaint(output.replace(b"\r\n", b"\n"), colours=colours, progress=True)
            self.check(problem is None, "%s: the terminal's output %s" % (named(arguments), problem))
        return Outcome(status, output, b"")

    def run_everywhere(
        self, *arguments: Word, form: str = "text", stdin: bytes = b"", environment: dict[str, Any] | None = None,
    ) -> Outcome:
        """Runs the command on pipes, on a terminal, and on one that wants no colours."""
        outcome = self.run(*arguments, form=form, stdin=stdin, environment=environment)
        again = self.run_on_terminal(*arguments, stdin=stdin, environment=environment)
        self.equal(again.status, outcome.status, named(arguments) + ": the status on a terminal")
        self.run_on_terminal(
            *arguments, stdin=stdin, environment={**(environment or {}), "NO_COLOR": "1"}, colours=False)
        return outcome


def feed(process: Process, data: bytes) -> None:
    """Writes to a process, which needn't read."""
    assert process.stdin is not None
    try:
        process.stdin.write(data)
        process.stdin.close()
    except OSError:
        return


def read(terminal: int) -> bytes:
    """The next bytes that come to a terminal; none when nobody has it open any more."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


class SafetySuite(Suite[World]):
    """The suite's lines also say how many commands were run."""

    def line(self, played: Played[World]) -> str:
        return "%-32s %6.1f s  %5d runs  %s" % (played.world.name, played.seconds, played.world.runs, played.how)


SUITE = SafetySuite("safety", World)


def scenario(play: Any) -> Any:
    """Lists a function as a scenario."""
    return SUITE.add(play.__name__.replace("_", "-"), play)
