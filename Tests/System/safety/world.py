"""The fixture of the safety cases: the command on pipes and terminals, and checks of both."""
import os
import pty
import subprocess
import termios
import threading
import tty
from collections.abc import Iterable
from typing import Any, TypeVar

from safety.forms import form_complaint
from safety.texts import complaint
from support import world
from support.command import Outcome, Word, drained, feed, limited, shown

Item = TypeVar("Item")


def named(arguments: Iterable[Word]) -> str:
    return " ".join(ascii(os.fsencode(word))[2:-1][:80] for word in arguments)


class World(world.World):
    statuses = (0, 1, 2, 64)

    def some(self, items: Iterable[Item], count: int) -> list[Item]:
        """Some of many, in their order; all in a full test."""
        all_of_them = list(items)
        if not self.settings.quick or count >= len(all_of_them):
            return all_of_them
        return [all_of_them[index] for index in sorted(self.random.sample(range(len(all_of_them)), count))]

    def run(
        self, *arguments: Word, form: str = "text", checked: bool = True, data: bytes = b"", **options: Any,
    ) -> Outcome:
        """Runs the command on pipes; whatever it prints must be safe."""
        outcome = super().run(*arguments, data=data, **options)
        if checked:
            problem = form_complaint(form, outcome.stdout) if outcome.status in (0, 1) or outcome.stdout else None
            self.check(problem is None, "%s: standard output %s" % (named(arguments), problem))
            problem = complaint(outcome.stderr)
            self.check(problem is None, "%s: standard error %s" % (named(arguments), problem))
        return outcome

    def run_on_terminal(
        self, *arguments: Word, environment: dict[str, Any] | None = None, data: bytes = b"", colors: bool = True,
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
        # Written beside the reading, so that neither side waits for the other.
        threading.Thread(target=feed, args=[process.stdin, [data]], daemon=True).start()
        with limited(process, self.patience):
            output = drained(leader)
            status = process.wait()
        os.close(leader)
        self.step("%s  on a terminal -> %d" % (shown(self.command(*arguments)), status))
        self.check(status in (0, 1, 2, 64), "ended with %d on a terminal: %s" % (status, named(arguments)))
        if checked:
            problem = complaint(output.replace(b"\r\n", b"\n"), colors=colors, progress=True)
            self.check(problem is None, "%s: the terminal's output %s" % (named(arguments), problem))
        return Outcome(status, output, b"")

    def run_everywhere(
        self, *arguments: Word, form: str = "text", data: bytes = b"", environment: dict[str, Any] | None = None,
    ) -> Outcome:
        """Runs the command on pipes, on a terminal, and on one that wants no colors."""
        outcome = self.run(*arguments, form=form, data=data, environment=environment)
        again = self.run_on_terminal(*arguments, data=data, environment=environment)
        self.equal(again.status, outcome.status, named(arguments) + ": the status on a terminal")
        self.run_on_terminal(
            *arguments, data=data, environment={**(environment or {}), "NO_COLOR": "1"}, colors=False)
        return outcome
