"""Certificates of a private authority, good ones and bad ones, made with the openssl command."""
import pathlib
import re
import string
import subprocess
from collections.abc import Sequence

# The real hosts, under whose names a server on this machine is asked.
HOST = "www.example.com"
CDN = "app-site-association.cdn-apple.com"

CONFIGURATION = string.Template(pathlib.Path(__file__).with_name("openssl.cnf").read_text())

VALID = ("20200101000000Z", "20491231235959Z")
PAST = ("20200101000000Z", "20210101000000Z")
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout")
FUTURE = ("20480101000000Z", "20491231235959Z")


class Authority:
    """An authority that signs with its own key; an intermediate one has another above it."""

    def __init__(self, folder: pathlib.Path, name: str, above: "Authority | None" = None) -> None:
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        (self.folder / "index.txt").write_text("")
        (self.folder / "serial").write_text("1000\n")
        self.configuration = self.folder / "openssl.cnf"
        self.configuration.write_text(CONFIGURATION.substitute(folder=self.folder))
        self.key = self.folder / "authority.key"
        self.certificate = self.folder / "authority.pem"
        words = [*subject("linkaudit test " + name), "-addext", "basicConstraints=critical,CA:TRUE",
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign"]
        if above is None:
            openssl("req", "-x509", "-config", self.configuration, *NEW_KEY, self.key, "-days", "3650", *words,
                    "-out", self.certificate)
        else:
            above.sign(self.key, words, self.certificate, VALID)

    def sign(self, key: pathlib.Path, words: Sequence[str], out: pathlib.Path, times: tuple[str, str]) -> None:
        """Signs a new key, with a subject and extensions."""
        request = out.with_suffix(".csr")
        openssl("req", "-config", self.configuration, *NEW_KEY, key, *words, "-out", request)
        openssl("ca", "-batch", "-notext", "-config", self.configuration, "-cert", self.certificate, "-keyfile",
                self.key, "-startdate", times[0], "-enddate", times[1], "-in", request, "-out", out)

    def issue(
        self, name: str, names: str, times: tuple[str, str] = VALID, chain: Sequence[pathlib.Path] = (),
    ) -> pathlib.Path:
        """Issues a certificate; returns a file with it, the given chain and its key."""
        key, certificate, whole = (self.folder / (name + suffix) for suffix in (".key", ".crt", ".pem"))
        self.sign(key, [*subject(name), "-addext", "subjectAltName=" + names], certificate, times)
        whole.write_text("".join(path.read_text() for path in [certificate, *chain, key]))
        return whole


def subject(name: str) -> list[str]:
    return ["-subj", "/CN=" + re.sub(r"[/+\\]", r"\\\g<0>", name)]


def self_signed(folder: pathlib.Path, names: str) -> pathlib.Path:
    """A certificate that nobody but its owner vouches for, with its key."""
    key, certificate, whole = (folder / ("self" + suffix) for suffix in (".key", ".crt", ".pem"))
    openssl("req", "-x509", *NEW_KEY, key, "-days", "3650", *subject("self"),
            "-addext", "subjectAltName=" + names, "-out", certificate)
    whole.write_text(certificate.read_text() + key.read_text())
    return whole


def openssl(*arguments: object) -> None:
    done = subprocess.run(["openssl", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise RuntimeError("openssl %s: %s" % (" ".join(map(str, arguments)), done.stdout.decode(errors="replace")))


class Certificates:
    """The certificates of all cases: files with certificate, chain and key."""

    def __init__(self, folder: pathlib.Path) -> None:
        authority = Authority(folder, "authority")
        stranger = Authority(folder, "stranger")
        between = Authority(folder, "between", above=authority)
        real = "DNS:%s,DNS:%s,DNS:example.com,DNS:*.many.example" % (HOST, CDN)
        self.authority = authority.certificate
        self.good = authority.issue("good", real)
        self.base = authority.issue("base", "IP:127.0.0.1")
        self.wildcard = authority.issue("wildcard", "DNS:*.example.com")
        self.chained = between.issue("chained", real, chain=[between.certificate])
        self.unchained = between.issue("unchained", real)
        self.wrong = authority.issue("wrong", "DNS:other.example.com,DNS:*.www.example.com,DNS:*.com")
        self.expired = authority.issue("expired", real, PAST)
        self.future = authority.issue("future", real, FUTURE)
        self.expired_wrong = authority.issue("expiredwrong", "DNS:other.example.com", PAST)
        self.unknown = stranger.issue("unknown", real)
        self.unknown_wrong = stranger.issue("unknownwrong", "DNS:other.example.com")
        self.own = self_signed(folder, real)
