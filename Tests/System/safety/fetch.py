"""Hostile answers of servers: status lines, fields, bodies, redirects and the names of certificates."""
import json

from safety.forms import form_complaint
from safety.inputs import association_file, rules
from safety.texts import ALL, CONTROLS
from safety.world import World
from support.cases import case
from support.certificates import Authority
from support.inputs import FILE, HOST
from support.server import answer, saying, serving

# Fields whose text is in reports.
FIELDS = (b"Content-Type", b"Cache-Control", b"Date", b"Last-Modified", b"Age", b"Apple-Origin-Status", b"Apple-From",
          b"Apple-Failure-Reason", b"Apple-Failure-Details")
JSON = b"Content-Type: application/json\r\n"


def answers() -> list[bytes]:
    """Answers with hostile text wherever a server has a say."""
    made = []
    sound = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(FILE)
    for text in ALL:
        field = text.decode("latin-1")
        fields = b"".join(b"%s: %s\r\n" % (name, text) for name in FIELDS)
        made += [
            b"HTTP/1.1 200 " + text + b"\r\nContent-Length: 0\r\n\r\n",
            b"HTTP/1.1 404 " + text + b"\r\nContent-Length: 3\r\n\r\nabc",
            b"HTTP/1.1 " + text + b" OK\r\n\r\n", text + b"\r\n\r\n",
            sound + text + b": x\r\n\r\n" + FILE,
            b"HTTP/1.1 200 OK\r\nContent-Length: " + text + b"\r\n\r\n" + FILE,
            sound + JSON + b"Content-Encoding: " + text + b"\r\n\r\n" + FILE,
            b"HTTP/1.1 301 Moved\r\nLocation: https://" + text + b"/\r\nContent-Length: 0\r\n\r\n",
            b"HTTP/1.1 302 Found\r\nLocation: " + text + b"\r\nContent-Length: 0\r\n\r\n",
            sound + fields + b"\r\n" + FILE,
            # The type is read first, and a number where one has to stand.
            sound + JSON + b"Cache-Control: max-age=" + fields.partition(b"Cache-Control: ")[2] + b"\r\n" + FILE,
            answer(text), answer(b'{"applinks": ' + text), answer(b"<html>" + text, ["Content-Type: text/html"]),
        ]
        # JSON that holds it, escaped as JSON wants it.
        details = [{"appIDs": [field], "paths": [field]}]
        made.append(answer(json.dumps({field: field, "applinks": {"details": details}}).encode()))
    made += [answer(association_file()), answer(association_file(escapes=False))]
    return made


@case
def answers_of_servers(world: World) -> None:
    """Whatever a server says, what is printed of it is safe."""
    for data in world.some(answers(), 30):
        with serving(saying(data, ""), None) as server:
            words = ["fetch", HOST, "--base-url", server.url, "--timeout", "60"]
            world.run(*words)
            world.run(*words, "--format", "json", form="json")


@case
def answers_on_terminals(world: World) -> None:
    """Reports and saved files on a terminal, where '--save -' must not let anything through."""
    for name, text in world.some(CONTROLS.items(), 3):
        body = b'{"applinks": {"details": []}, "x": "' + text + b'"}'
        with serving(saying(answer(body), ""), None) as server:
            words = ["fetch", HOST, "--base-url", server.url, "--timeout", "60", "--from", "origin"]
            world.run_on_terminal(*words)
            for place in ("-", "/dev/tty", "/dev/stdout", "/dev/stderr"):
                world.run_on_terminal(*words, "--save", place)
            piped = world.run(*words, "--save", "-", checked=False)
            world.equal(piped.stdout, body, "what is saved on a pipe (%s)" % name)
            world.run(*words, "--save", "saved.json")
            world.equal((world.folder / "saved.json").read_bytes(), body, "what is saved in a file (%s)" % name)


@case
def names_of_certificates(world: World) -> None:
    """Certificates name hosts and authorities; strangers choose these names."""
    world.need("openssl")
    hostile = [text for text in rules() if "\r" not in text and "\n" not in text and "$" not in text][:12]
    for number, text in enumerate(world.some(hostile, 4)):
        try:
            own = Authority(world.folder / str(number), "a" + text.replace("/", "_").replace("#", "")[:40])
            whole = own.issue("leaf", "DNS:other.example.com")
        except (RuntimeError, OSError, ValueError):
            # A name that openssl or the file system refuses can't be sent, either.
            continue
        with serving(saying(answer(FILE), ""), whole) as server:
            words = ["fetch", HOST, "--from", "origin", "--base-url", server.url, "--timeout", "60"]
            world.run_everywhere(*words)
            world.run(*words, "--format", "json", form="json")
            world.run(*words, "--ca-certificate", str(own.certificate))
    world.check(form_complaint("json", b"{}") is None, "the test takes good JSON")
