"""Shells with the completions: text is typed, and the screen is read."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import time


# How each shell is started, and what is typed first, given the folder with the completions.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set completion-query-items 0'; bind 'set page-completions off'; bind 'set bell-style none'; "
             "bind 'set enable-bracketed-paste off'; . {share}/bash-completion/completions/linkaudit"),
    "zsh": (["zsh", "-f", "-i"],
            "fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; "
            "unsetopt beep zle_bracketed_paste; LISTMAX=9999"),
}


class Terminal:
    def __init__(self, start: list[str], first: str, folder: pathlib.Path, path: str):
        environment = {
            "PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": "$ ", "LC_ALL": "C.UTF-8", "COLUMNS": "200",
        }
        self.process, self.handle = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(start[0], start, environment)
        self.read()
        self.type(f"PS1='$ '; {first}; echo rea''dy\n", until="ready")

    def read(self, until: str = "", limit: float = 20) -> str:
        """Reads until a text comes, or until nothing more comes."""
        text, end = "", time.monotonic() + limit
        while time.monotonic() < end:
            ready, _, _ = select.select([self.handle], [], [], 1.0)
            if ready:
                try:
                    text += os.read(self.handle, 65536).decode("utf-8", "replace")
                except OSError:
                    break
                if until and until in text:
                    # The rest of the line.
                    until = ""
            elif not until:
                break
        return text

    def type(self, text: str, until: str = "") -> str:
        os.write(self.handle, text.encode())
        return self.read(until)

    def complete(self, text: str) -> str:
        """Returns the screen after a text and two tabs, and clears the line."""
        screen = self.type(text + "\t\t")
        os.write(self.handle, b"\x15\x0b")
        self.type("\n")
        return screen.removeprefix(text)

    def close(self) -> None:
        os.close(self.handle)
        os.waitpid(self.process, 0)


def fish_completions(share: pathlib.Path, folder: pathlib.Path, text: str, path: str) -> list[str]:
    """Returns what fish would offer, without descriptions."""
    fish = shutil.which("fish") or "fish"
    environment = {
        "PATH": path, "HOME": str(folder), "XDG_DATA_DIRS": f"{share}:/usr/share", "LC_ALL": "C.UTF-8",
        "XDG_CONFIG_HOME": str(folder / ".config"), "XDG_DATA_HOME": str(folder / ".local"),
    }
    outcome = subprocess.run(
        [fish, "-c", f"complete -C {text!r}"], capture_output=True, text=True, cwd=folder, env=environment, timeout=120)
    return [line.split("\t")[0] for line in outcome.stdout.splitlines()]
