"""Logs, association files and whatever else the command reads, with hostile text wherever a stranger's can stand."""
import json
import os
import pathlib

from safety.texts import ALL, backslash_encoded, percent_encoded
from support.inputs import HOST, line
from support.inputs import AGENT as AGENT_TEXT

AGENT = AGENT_TEXT.encode()


def written(text: bytes) -> list[bytes]:
    """A text as it stands, as servers escape it, and as URLs do."""
    return [text, backslash_encoded(text), percent_encoded(text)]


def combined_log() -> bytes:
    """Hostile text in every field of a common log."""
    lines = [line(0, b"/buy/%d" % number) for number in range(20)]
    for text in ALL:
        for form in written(text):
            # A formula can stand at the beginning of a target, too.
            targets = [b"/buy/" + form, b"/open/" + form + b"/x?q=" + form, form]
            lines += [line(0, target) for target in targets]
            lines += [line(0, b"/gone/" + form, status=b"404"), line(0, b"/moved/" + form, status=b"301")]
            lines.append(line(0, b"/buy/1", referrer=b"https://www.example.com/from/" + form))
            lines.append(line(0, b"/buy/1", agent=AGENT + b" " + form))
            fields = ("referrer", "agent", "method", "time", "status", "user")
            lines += [line(0, b"/buy/1", **{field: form}) for field in fields]
            lines += [form + b"\n", line(0, b"http://" + form + b"/absolute")]
            lines.append(line(0, b"/.well-known/apple-app-site-association?" + form, agent=b"AASA-Bot/1.0.0 " + form))
    return b"".join(lines)


def hosts_log() -> bytes:
    """Hostile text as the name of a host."""
    lines = [line(0, b"/buy/%d" % number, host=HOST.encode()) for number in range(20)]
    for text in ALL:
        for form in written(text):
            lines.append(line(0, b"/buy/1", host=form.replace(b" ", b"")))
            lines.append(line(0, b"/buy/1", host=form.replace(b" ", b"") + b".example.com"))
    return b"".join(lines)


def json_log() -> bytes:
    """Hostile text in keys and values of JSON, raw and escaped; unpaired surrogates, too."""
    usual = {
        "time_iso8601": "2026-06-03T10:00:00+00:00", "host": HOST, "request_method": "GET", "request_uri": "/buy/1",
        "status": "200", "http_referer": "", "http_user_agent": AGENT.decode()}
    lines = [json.dumps({**usual, "request_uri": "/buy/%d" % number}).encode() for number in range(20)]
    texts = [text.decode(*how) for how in (("latin-1",), ("utf-8", "ignore")) for text in ALL]
    texts += ["\ud800", "a\udc00\ud800b", "\udfff\x00", "\x00", "a\nb\nc", "/\ud83d"]
    for text in texts:
        for key in usual:
            lines.append(json.dumps({**usual, key: text}).encode())
            lines.append(json.dumps({**usual, key: "/open/" + text}).encode())
        lines.append(json.dumps({**usual, text: text}).encode())
        lines.append(json.dumps({text: 1}).encode())
    for text in ALL:
        # Invalid, as controls stand in it; read all the same, or rejected.
        lines.append(json.dumps({**usual, "request_uri": "/open/@"}).encode().replace(b"@", text.replace(b'"', b"")))
    return b"\n".join(lines) + b"\n"


def w3c_log() -> bytes:
    """Hostile text in the headings of the W3C's format, and in columns."""
    lines = [
        b"#Version: 1.0",
        b"#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent) cs(Referer) cs-host"]
    agent = AGENT.replace(b" ", b"+")
    for number in range(20):
        lines.append(b"2026-06-03 10:00:00 GET /buy/%d - 200 %s - %s" % (number, agent, HOST.encode()))
    for text in ALL:
        word = text.replace(b" ", b"+").replace(b"\t", b"+")
        lines.append(b"2026-06-03 10:00:00 GET /open/%s q=%s 200 %s https://%s/%s %s" % (
            word, word, agent, HOST.encode(), word, HOST.encode()))
        lines.append(b"%s 10:00:00 %s /buy/1 - %s %s %s %s" % (word, word, word, word, word, word))
    for text in ALL:
        lines += [b"#Software: " + text, b"#Remark: " + text, b"#" + text]
    for text in ALL:
        lines.append(b"#Fields: date time " + text + b" cs-uri-stem sc-status " + text)
        lines.append(b"2026-06-03 10:00:00 x /open/" + text.replace(b" ", b"+") + b" 200 x")
    return b"\n".join(lines) + b"\n"


def rules() -> list[str]:
    """All hostile texts that Unicode can hold, as they may stand in patterns."""
    # Short ones, as systems read no file of more than 128 KiB.
    return [text.decode("utf-8", "replace")[:200] for text in ALL]


def association_file(escapes: bool = True) -> bytes:
    """Hostile text in apps, patterns, comments, variables, and unknown keys."""
    texts = rules()
    details: list[object] = [{
        "appIDs": ["A1B2C3D4E5.com.example.tea"],
        "components": [
            {"/": "/buy/*"}, {"/": "/moved/*"}, {"/": "/gone/*"},
            *({"/": "/" + text + "/*", "?": {text: text}, "#": text, "comment": text, text: text} for text in texts),
            *({"/": text, "exclude": True} for text in texts),
            {"/": "/v/$(evil)/$(" + texts[8] + ")"},
        ]}]
    details += [
        {"appIDs": ["A1B2C3D4E5." + text, text], "components": [{"/": "/open/" + text}], text: text} for text in texts]
    details += [{"appID": text, "paths": ["NOT " + text, text, "/p/" + text]} for text in texts]
    details += [{"appIDs": texts[0], "components": texts[0]}, texts[0]]
    file = {
        "applinks": {
            "substitutionVariables": {"evil": texts, **{text: [text] for text in texts}},
            "details": details, "apps": texts, **{text: text for text in texts}},
        "webcredentials": {"apps": texts}, "appclips": {"apps": texts}, "activitycontinuation": {"apps": texts},
        **{text: {text: texts} for text in texts[:20]}}
    return json.dumps(file, ensure_ascii=escapes, indent=2).encode("utf-8", "surrogatepass")


def object_form() -> bytes:
    """The old form, with apps as keys."""
    details = {"A1B2C3D4E5." + text: {"paths": ["/open/" + text, "NOT /gone/" + text, "/buy/*"]} for text in rules()}
    return json.dumps({"applinks": {"apps": [], "details": details}}).encode()


def routes() -> bytes:
    lines = [b"/buy/:id", b"/moved/*", b"/account/*"]
    for text in ALL:
        lines += [b"/app/" + text, b"/open/:id/" + text, b"/open/" + text, text, b"/x/:" + text, b"/x/{" + text + b"}"]
    # A list that isn't UTF-8 is refused as a whole.
    return b"\n".join(lines).decode("utf-8", "replace").encode() + b"\n"


def entitlements(text: str) -> bytes:
    """A property list that names hostile domains and apps."""
    quoted = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
        "<key>application-identifier</key><string>A1B2C3D4E5.%s</string>"
        "<key>com.apple.developer.associated-domains</key><array><string>applinks:%s</string>"
        "<string>%s:www.example.com</string><string>applinks:www.example.com?mode=%s</string></array>"
        "<key>%s</key><string>x</string></dict></plist>\n" % ((quoted,) * 5)).encode("utf-8", "surrogatepass")


def names() -> list[bytes]:
    made = [b"a\nb", b"--help", b"-", b"=1+1", b"%1b[31m", b" ", b"*", b"?"]
    for text in ALL:
        # 255 bytes are the most that file systems take.
        made.append(text.replace(b"/", b"_").replace(b"\0", b"_")[:200])
    return [name for name in made if name not in (b"-", b"", b".", b"..")]


def write(folder: pathlib.Path) -> None:
    strange = folder / "strange"
    for new in (folder / "logs", strange):
        new.mkdir()
    for file, content in {
        "logs/combined.log": combined_log(), "logs/hosts.log": hosts_log(), "logs/json.log": json_log(),
        "logs/w3c.log": w3c_log(), "aasa.json": association_file(), "raw.json": association_file(escapes=False),
        "old.json": object_form(), "routes.txt": routes(), "plain.json": json.dumps({"applinks": {"details": [
            {"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*"}]}]}}).encode(),
    }.items():
        (folder / file).write_bytes(content)
    for name in names():
        inner = os.fsencode(strange) + b"/" + name
        os.mkdir(inner)
        with open(inner + b"/" + name + b".log", "wb") as log:
            log.write(line(0, b"/buy/" + percent_encoded(name)))
    for count, text in enumerate(ALL):
        (folder / ("entitlements-%d.plist" % count)).write_bytes(entitlements(text.decode("utf-8", "replace")))
