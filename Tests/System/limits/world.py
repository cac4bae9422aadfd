"""The fixture of the limits' cases: memory is measured, and reports use a small association file."""
from typing import Any

from support import world
from support.command import Outcome
from support.inputs import FILE, HOST


class World(world.World):
    """A folder, and commands whose memory is measured."""

    statuses = (0, 1, 2, 64)
    measures = True

    def report(self, *arguments: object, **options: Any) -> Outcome:
        """Runs a report with the folder's association file, as JSON by default."""
        if not (self.folder / "aasa.json").exists():
            self.write("aasa.json", FILE)
        form = [] if "--format" in arguments else ["--format", "json"]
        return self.run("report", *arguments, "--aasa", "aasa.json", "--host", HOST, "--quiet", *form, **options)
