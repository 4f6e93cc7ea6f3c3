"""A real ssh server on this machine, and an operator with settings, keys and known hosts of his own.

Every machine of the tests is the same server; a key of its own decides what happens to whoever logs in with it.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

SERVER = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
CLIENT = shutil.which("ssh")
HERE = "127.0.0.1"
ORIGINAL = 'exec sh -c "$SSH_ORIGINAL_COMMAND"'
# The tests are about logins; the fastest way to agree on a key will do.
_OPERATOR = """
Host *
  HostName {here}
  Port {port}
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known_hosts
  GlobalKnownHostsFile /dev/null
  KexAlgorithms curve25519-sha256
"""
_SERVER = """
Port {port}
ListenAddress {here}
HostKey {folder}/{key}
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
Banner {folder}/banner
"""


# Stands for the real script: who and where it is, what it was told; and where its machine wants so it gets stuck.
SCRIPT = """
host=birch-77 user=$(id -un) mark="#:5ed00320a384"
echo "# calivet-probe 2 host=$host user=$user time=2026-11-15T11:56:43Z $mark"
echo "[$user@$host ~]# hostname $mark"
echo "$host"
echo "#= exit=0 seconds=0.00 $mark"
echo "[$user@$host ~]# echo $mark"
echo "told: $*; as root: ${AS_ROOT:-no}"
echo "#= exit=0 seconds=0.00 $mark"
[ -n "$HALF" ] && printf 'half a li' && kill -KILL $$
[ -n "$WAITS" ] && : >"$WAITS" && read -r nothing <"$FOREVER"
[ -n "$FLOODS" ] && yes
echo "# calivet-probe end sections=2 seconds=0.1 $mark"
"""


class UnavailableError(Exception):
    """There is no such server here, or it does not run."""


class Site:
    """The operator's folder: `bin/ssh` is his ssh, with his settings; it notes what it is called with."""

    def __init__(self, folder: Path) -> None:
        """Without any machine yet."""
        self.folder = folder
        self.port = free_port()
        self._hosts: list[str] = []
        self._servers: list[subprocess.Popen[bytes]] = []
        for name in ("bin", "calls"):
            (folder / name).mkdir()
        os.mkfifo(folder / "forever")
        (folder / "banner").write_text("Authorised people only.\n")
        self.key("host")
        self.know(self.port, "host")
        ssh = f'#!/bin/sh\nprintf "%s\\n" "$@" >{folder}/calls/$$\nexec {CLIENT} -F {folder}/config "$@"\n'
        (folder / "bin/ssh").write_text(ssh)
        (folder / "bin/ssh").chmod(0o755)

    def key(self, name: str) -> Path:
        """A new pair of keys; gives the public one."""
        path = self.folder / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], check=True)
        return path.with_suffix(".pub")

    def know(self, port: int, key: str, file: str = "known_hosts") -> None:
        """The operator knows the server at this port by this key."""
        with (self.folder / file).open("a") as known:
            known.write(f"[{HERE}]:{port} {(self.folder / key).with_suffix('.pub').read_text()}")

    def machine(self, name: str, login: str = ORIGINAL, **settings: object) -> str:
        """A machine that does this with whoever logs in, and what the operator's settings say about it."""
        script = self.folder / f"login-{name}"
        script.write_text(f"{login}\n")
        line = f'command="sh {script}" {self.key(name).read_text()}'
        with (self.folder / "authorized_keys").open("a") as keys:
            keys.write(line)
        return self.entry(name, **{"IdentityFile": self.folder / name, **settings})

    def waiting(self, after: str = "") -> str:
        """A login that does this and then waits for ever; there is a file `NAME-waits` as soon as it does."""
        return f"{after}\n: >$0-waits\nread nothing <{self.folder}/forever"

    def entry(self, name: str, **settings: object) -> str:
        """Only the settings: there need not be such a machine."""
        lines = [f"  {key} {value}" for key, value in settings.items()]
        self._hosts.append("\n".join([f"Host {name}", *lines]))
        values = {"here": HERE, "port": self.port, "folder": self.folder}
        (self.folder / "config").write_text("\n".join(self._hosts) + _OPERATOR.format_map(values))
        return name

    def start(self, port: int | None = None, key: str = "host") -> None:
        """A server; returns when it listens."""
        port = port or self.port
        path = self.folder / f"server-{port}"
        path.write_text(_SERVER.format(port=port, here=HERE, folder=self.folder, key=key))
        with (self.folder / f"log-{port}").open("wb") as log:
            self._servers.append(subprocess.Popen([str(SERVER), "-D", "-e", "-f", path], stderr=log))
        while not _listens(port):
            if self._servers[-1].poll() is not None:
                raise UnavailableError(log_tail(Path(log.name)))

    def try_login(self, name: str) -> None:
        """That it can be done at all: some accounts may not log in anywhere."""
        command = [str(self.folder / "bin/ssh"), "-o", "BatchMode=yes", name, "echo in"]
        tried = subprocess.run(command, capture_output=True, text=True, check=False)
        if tried.stdout != "in\n":
            said = [*tried.stderr.splitlines(), *tried.stdout.splitlines()]
            raise UnavailableError(f"no login: {said[-1] if said else 'not a word'}")

    def calls(self) -> list[list[str]]:
        """What ssh was called with, each time."""
        return [path.read_text().splitlines() for path in (self.folder / "calls").iterdir()]

    def forget_calls(self) -> None:
        """As if nobody had called yet."""
        for path in (self.folder / "calls").iterdir():
            path.unlink()

    def close(self) -> None:
        """No server goes on, and nobody waits any longer for what never comes."""
        for server in self._servers:
            server.terminate()
            server.wait()
        with suppress(OSError):  # nobody is waiting
            os.close(os.open(self.folder / "forever", os.O_WRONLY | os.O_NONBLOCK))


@contextmanager
def opened(folder: Path) -> Iterator[Site]:
    """A site with one machine, `plain`, to which one can really log in."""
    if not SERVER or not CLIENT:
        raise UnavailableError("openssh-server or openssh-client is not installed")
    site = Site(folder)
    try:
        site.machine("plain")
        site.start()
        site.try_login("plain")
        yield site
    finally:
        site.close()


def log_tail(path: Path) -> str:
    """The last word of a server."""
    return next(iter(path.read_text().splitlines()[-1:]), "no word")


def free_port() -> int:
    """One that nobody listens at."""
    with closing(socket.create_server((HERE, 0))) as taken:
        return int(taken.getsockname()[1])


@contextmanager
def mute_port() -> Iterator[int]:
    """Takes every connection, and never says a word."""
    with closing(socket.create_server((HERE, 0))) as taken:
        yield int(taken.getsockname()[1])


@contextmanager
def agent(folder: Path, key: Path) -> Iterator[str]:
    """An agent that holds this key; gives its socket."""
    path = folder / "agent"
    held = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)
    try:
        while not path.exists():
            assert held.poll() is None
        environment = {**os.environ, "SSH_AUTH_SOCK": str(path)}
        subprocess.run(["ssh-add", "-q", key], env=environment, check=True)
        yield str(path)
    finally:
        held.terminate()
        held.wait()


def _listens(port: int) -> bool:
    with closing(socket.socket()) as trying:
        return trying.connect_ex((HERE, port)) == 0
