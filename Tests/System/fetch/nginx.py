"""nginx as sites run it, with TLS."""
from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
from collections.abc import Iterator

from fetch.world import World
from support.cases import case
from support.command import PATIENCE, Process, until
from support.inputs import FILE, HOST
from support.world import Skip

CONFIGURATION = """
daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  types {{ text/html html; application/json json; }}
  default_type application/octet-stream;
  server {{
    listen 127.0.0.1:{port} ssl{protocols};
    server_name {host};
    ssl_certificate {certificate};
    ssl_certificate_key {certificate};
    root {folder}/www;
    {rules}
  }}
}}
"""


@contextlib.contextmanager
def nginx(world: World, rules: str, protocols: str = "") -> Iterator[Site]:
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        raise Skip("no nginx; 'Scripts/setup.sh --fetch' installs it")
    known = world.folder / "www/.well-known"
    known.mkdir(parents=True)
    (known / "apple-app-site-association").write_bytes(FILE)
    (world.folder / "www/index.html").write_text("<!DOCTYPE html><title>App</title>\n")
    # Between the moment when a port is free and that in which nginx takes it, another may have taken it.
    for _ in range(10):
        port = free_port()
        process = started(world, program, port, rules, protocols)
        if process is not None:
            break
    else:
        log = world.folder / "error.log"
        raise RuntimeError("nginx does not start: %s" % (log.read_text() if log.exists() else "no log"))
    try:
        yield Site("https://127.0.0.1:%d" % port, known)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def started(world: World, program: str, port: int, rules: str, protocols: str) -> Process | None:
    """Starts nginx on a port; returns nothing if it doesn't stay."""
    path = world.folder / "nginx.conf"
    path.write_text(CONFIGURATION.format(
        folder=world.folder, port=port, host=HOST, certificate=world.certificates.good, rules=rules,
        protocols=protocols))
    process = subprocess.Popen(
        [program, "-c", path, "-e", world.folder / "error.log"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    # It says who it is when it listens.
    if until(lambda: (world.folder / "nginx.pid").exists() or process.poll() is not None) and process.poll() is None:
        return process
    process.kill()
    process.wait()
    return None


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Site:
    def __init__(self, url: str, known: pathlib.Path) -> None:
        self.url = url
        self.known = known


TYPE = "location /.well-known/ { default_type application/json; %s }"


@case
def nginx_sound(world: World) -> None:
    with nginx(world, TYPE % "") as site:
        outcome = world.ask(site)
        world.expect(outcome, [], 0)
        copy = outcome.report()["hosts"][0]["copies"][0]
        world.equal((copy["status"], copy["bytes"], copy["contentType"]), (200, len(FILE), "application/json"), "copy")
        world.check(copy["lastModified"] is not None, "no time of the last change")


@case
def nginx_redirects(world: World) -> None:
    with nginx(world, "location / { return 301 https://example.com$request_uri; }") as site:
        findings = world.expect(world.ask(site), ["redirected"], 1)
        world.equal(findings[0]["location"], "https://example.com/.well-known/apple-app-site-association", "location")


@case
def nginx_denies_what_begins_with_a_full_stop(world: World) -> None:
    with nginx(world, "location ~ /\\. { deny all; }") as site:
        world.expect(world.ask(site), ["forbidden"], 1)


@case
def nginx_denies_apple(world: World) -> None:
    with nginx(world, TYPE % "if ($http_user_agent ~ AASA-Bot) { return 403; }") as site:
        world.expect(world.ask(site), [], 0)
        world.expect(world.ask(site, "--user-agent", "AASA-Bot/1.0.0"), ["forbidden"], 1)


@case
def nginx_http2(world: World) -> None:
    with nginx(world, TYPE % "gzip on; gzip_min_length 1; gzip_types application/json;", " http2") as site:
        outcome = world.ask(site)
        world.expect(outcome, [], 0)
        copy = outcome.report()["hosts"][0]["copies"][0]
        world.equal((copy["status"], copy["bytes"], copy["contentType"]), (200, len(FILE), "application/json"), "copy")
        (site.known / "apple-app-site-association").unlink()
        world.expect(world.ask(site), ["not-found"], 1)
    log = (world.folder / "access.log").read_text()
    world.check("HTTP/2.0" in log, "the protocol is another one: %r" % log[:300])


@case
def nginx_http2_too_large(world: World) -> None:
    with nginx(world, TYPE % "", " http2") as site:
        (site.known / "apple-app-site-association").write_bytes(FILE + b" " * 2_000_000)
        world.expect(world.ask(site), ["too-large"], 1)
