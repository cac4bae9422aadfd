"""The fixture of the limits' cases: memory is measured, and reports use a small association file."""
from typing import Any

from support import world
from support.command import Outcome
from support.inputs import FILE, HOST


def association_file(components: bytes, variables: bytes = b"") -> bytes:
    entry = b'{"appIDs":["A1B2C3D4E5.com.example.tea"],"components":[%s]}' % components
    return b'{"applinks":{"substitutionVariables":{%s},"details":[%s]}}' % (variables, entry)


class World(world.World):
    statuses = (0, 1, 2, 64)
    measures = True

    def ends(self, outcome: Outcome, status: int, mebibytes: int, what: str) -> None:
        """Checks how a command ended, and how much memory it had at most."""
        self.equal(outcome.status, status, "%s: %s: status" % (what, outcome.message[:300]))
        self.below(outcome, mebibytes, what)

    def report(self, *arguments: object, **options: Any) -> Outcome:
        if not (self.folder / "aasa.json").exists():
            self.write("aasa.json", FILE)
        form = [] if "--format" in arguments else ["--format", "json"]
        return self.run("report", *arguments, "--aasa", "aasa.json", "--host", HOST, "--quiet", *form, **options)
