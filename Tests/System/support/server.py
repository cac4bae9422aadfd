"""A server that behaves as it is told, and remembers what it was asked."""
import contextlib
import pathlib
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from support.command import PATIENCE, Failure, Word, until

WELL_KNOWN = "/.well-known/apple-app-site-association"
ROOT = "/apple-app-site-association"


class Request:
    def __init__(self, head: bytes, server_name: str | None) -> None:
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path, _ = (lines[0] + "  ").split(" ", 2)
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        self.server_name = server_name


class Connection:
    def __init__(self, stream: socket.socket, stop: threading.Event) -> None:
        self.stream = stream
        self.stop = stop

    def send(self, data: bytes) -> None:
        self.stream.sendall(data)

    def wait(self) -> None:
        """Says nothing, until the test is over."""
        self.stop.wait()

    def drip(self, data: bytes, pause: float = 0.1) -> None:
        for byte in data:
            self.send(bytes([byte]))
            if self.stop.wait(pause):
                return

    def flood(self, piece: bytes) -> None:
        while not self.stop.is_set():
            self.send(piece)

    def reset(self) -> None:
        """Ends the connection without a farewell."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()


Behavior = Callable[[Connection, Request], None]


def answer(
    body: bytes, fields: list[str] | None = None, status: str = "200 OK", length: int | None = None,
) -> bytes:
    """An answer as bytes; the content type is JSON unless fields are given."""
    head = ["HTTP/1.1 " + status, "Content-Length: %d" % (len(body) if length is None else length)]
    head += ["Content-Type: application/json"] if fields is None else fields
    return "\r\n".join(head).encode("utf-8") + b"\r\n\r\n" + body


def saying(data: bytes, at: str = WELL_KNOWN) -> Behavior:
    """Answers with bytes at one path, and with 404 at all others."""

    def behave(connection: Connection, request: Request) -> None:
        connection.send(data if request.path.endswith(at) else answer(b"", status="404 Not Found"))

    return behave


def flooding(head: bytes, piece: bytes) -> Behavior:
    """Answers with bytes, then with the same piece again and again."""

    def behave(connection: Connection, request: Request) -> None:
        connection.send(head)
        connection.flood(piece)

    return behave


class Server:
    def __init__(
        self, behavior: Behavior, certificate: pathlib.Path | None, raw: bool = False,
        versions: tuple[ssl.TLSVersion, ssl.TLSVersion] | None = None,
    ) -> None:
        self.behavior = behavior
        self.raw = raw
        self.requests: list[Request] = []
        self.connections = 0
        self.stop = threading.Event()
        self.context: ssl.SSLContext | None = None
        self.names: dict[int, str | None] = {}
        if certificate is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
            if versions is not None:
                self.context.set_ciphers("ALL:@SECLEVEL=0")
                self.context.minimum_version, self.context.maximum_version = versions
            self.context.sni_callback = lambda stream, name, _: self.names.__setitem__(id(stream), name)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self) -> str:
        return "%s://127.0.0.1:%d" % ("https" if self.context or self.raw else "http", self.port)

    def accept(self) -> None:
        while not self.stop.is_set():
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=[stream], daemon=True).start()

    def serve(self, stream: socket.socket) -> None:
        # Whatever the client does not like is the client's affair.
        with contextlib.suppress(OSError, ValueError):
            with stream:
                stream.settimeout(PATIENCE)
                if self.raw:
                    self.behavior(Connection(stream, self.stop), Request(b"", None))
                    return
                if self.context is None:
                    self.respond(stream)
                    return
                with self.context.wrap_socket(stream, server_side=True) as secure:
                    self.respond(secure)
                    # A farewell, as servers have one.
                    with contextlib.suppress(OSError, ssl.SSLError):
                        secure.unwrap()

    def respond(self, stream: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = stream.recv(4096)
            if not data:
                return
            head += data
        request = Request(head, self.names.get(id(stream)))
        self.requests.append(request)
        self.behavior(Connection(stream, self.stop), request)

    def close(self) -> None:
        self.stop.set()
        self.listener.close()


@contextlib.contextmanager
def serving(*arguments: Any, **options: Any) -> Iterator[Server]:
    server = Server(*arguments, **options)
    try:
        yield server
    finally:
        server.close()


@contextlib.contextmanager
def refusing() -> Iterator[int]:
    """A port that refuses connections, and that nobody else gets, for as long as the block takes."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@contextlib.contextmanager
def listening(
    command: Callable[[str], Sequence[Word]], is_ready: Callable[[str], object], log: pathlib.Path,
) -> Iterator[str]:
    """Runs another program that serves at the address that its command gets, and returns that address."""
    # Between the moment when a port is free and that in which the program takes it, another may have taken it.
    for _ in range(10):
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = "127.0.0.1:%d" % free.getsockname()[1]
        with log.open("wb") as output:
            process = subprocess.Popen(command(address), stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            if until(lambda: is_ready(address) or process.poll() is not None, pause=0.05) and process.poll() is None:
                yield address
                return
        finally:
            process.terminate()
            process.wait(PATIENCE)
    raise Failure("the server does not start: %s" % log.read_text())
