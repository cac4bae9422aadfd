"""GitLab's jobs, pre-commit's hooks, and the workflow's form."""
import re
import shlex

from pipeline.action import BUY, HELP, rules
from pipeline.world import AASA, World, yaml
from support.cases import case
from support.inputs import ROOT

JOBS = ROOT / "Integrations/gitlab/linkaudit.yml"


@case
def jobs_of_gitlab_run(world: World) -> None:
    job = yaml.safe_load(JOBS.read_text())["linkaudit"]
    world.repository({AASA: rules(BUY)})
    variables = {**{name: str(value) for name, value in job["variables"].items()}, "PATH": world.path,
                 "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "GIT_CONFIG_GLOBAL": "/dev/null"}
    for change, status in ((rules(BUY, HELP), 0), (rules({"/": "/buy/:id"}), 1)):
        world.commit({AASA: change})
        script = world.folder / "job.sh"
        script.write_text("set -eo pipefail\n" + "\n".join(job["script"]) + "\n")
        outcome = world.execute(["bash", str(script)], environment=variables, cwd=world.checkout)
        world.equal(outcome.status, status, "status")
        world.check((world.checkout / "linkaudit.sarif").exists(), "there is no SARIF")
    for name in job["artifacts"]["paths"]:
        world.check(any(name in line for line in job["script"]), name + " is not made")


@case
def hooks_of_pre_commit_run(world: World) -> None:
    """Each hook is run as pre-commit runs those of the system: its words, and the files that it is for."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    files = {AASA: rules(BUY), "apple-app-site-association.json": rules({"/": "/buy/:id"}), "a.json": b"{}",
             "linkaudit.yml": b"sites:\n  - hosts: www.example.com\n    aasa: " + AASA.encode() + b"\n",
             "tests/link-expectations.txt": b"open https://www.example.com/buy/1\n"}
    world.repository(files)
    chosen = {name: [f for f in files if re.search(hook["files"], f)] for name, hook in hooks.items()}
    world.equal(chosen, {"linkaudit-lint": [AASA, "apple-app-site-association.json"],
                         "linkaudit-fix": [AASA, "apple-app-site-association.json"],
                         "linkaudit-expect": ["tests/link-expectations.txt"]}, "files")
    for name, expected in (("linkaudit-lint", 1), ("linkaudit-expect", 0)):
        hook = hooks[name]
        world.equal(hook["language"], "system", "language")
        outcome = world.execute([*shlex.split(hook["entry"]), *chosen[name]], environment={"PATH": world.path},
                                cwd=world.checkout)
        world.equal(outcome.status, expected, "status of " + name)
    # pre-commit fails a hook that changes a file, so that a person looks at the change.
    hook, file = hooks["linkaudit-fix"], world.checkout / AASA
    sound = file.read_bytes()
    file.write_bytes(sound.replace(b'"/buy/*"}', b'"/buy/*"},'))
    outcome = world.execute([*shlex.split(hook["entry"]), AASA], environment={"PATH": world.path},
                            cwd=world.checkout)
    world.equal((outcome.status, file.read_bytes()), (0, sound), "the fixed file")


@case
def workflow_uses_the_action_as_it_is(world: World) -> None:
    workflow = yaml.safe_load((ROOT / "Integrations/github/workflow.yml").read_text())
    action = yaml.safe_load((ROOT / "Integrations/github/action.yml").read_text())
    steps = workflow["jobs"]["links"]["steps"]
    own = next(step for step in steps if "linkaudit/Integrations/github" in step.get("uses", ""))
    world.check(set(own["with"]) <= set(action["inputs"]), "unknown inputs: %s" % own["with"])
    required = {name for name, about in action["inputs"].items() if about.get("required")}
    world.check(required <= set(own["with"]), "missing inputs")
    world.equal(workflow["permissions"], {"contents": "read", "pull-requests": "write"}, "permissions")
    text = "".join(str(step.get("run", "")) for step in steps)
    world.check("${{" not in text, "expressions in a script can be commands: " + text)
