"""The files, kernel settings and filter rules that a command names, on a machine: kept, compared, and put back.

Kept as a tar of the machine's own making, with modes, owners and, where its tar knows them, ACLs and SELinux labels.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from calivet.fix.hosts import HostError, Hosts
from calivet.messages.command_line import quote_words
from calivet.messages.message import make_verbatim, message
from calivet.search.expressions import expression

if TYPE_CHECKING:
    import tarfile

_PATH = expression(r"(?<![\w./$}-])/(?:etc|root|opt|boot|var/lib|usr/lib|usr/local)/[\w./@%+-]{0,200}[\w]")
_SETTING = expression(r"(?<![\w/.-])(?:net|kernel|fs|vm)(?:\.[\w-]{1,60}){1,8}(?=[=\s;\"'\\]|$)")
_RULE = expression(r"\biptables -D ([A-Za-z0-9_-]{1,40} [\w ./:,+!-]{1,300})")
RULE = "rule:"
"""Before a rule of a packet filter; its state is its number in its chain, 0 where it is not there."""
# Folders that are the whole machine: no command of the catalogue changes them as such.
_TOO_WIDE = {"/etc/systemd", "/etc/systemd/system", "/var/lib/kubelet", "/opt/cni", "/var/lib/calico"}
LARGEST_FOLDER_KB = 32 << 10
LARGEST_FILE_KB = 64 << 10
OWN = "/root/"
"""Where the steps of the catalogue keep their own copies."""
_TAKE = r"""
for p in "$@"; do
  case $p in
  /*)
    if [ -L "$p" ] || [ -e "$p" ]; then
      kb=$(du -sk -- "$p" 2>/dev/null | cut -f1)
      if [ -d "$p" ] && [ ! -L "$p" ]; then limit=FOLDER; else limit=FILE; fi
      if [ "${kb:-0}" -gt "$limit" ]; then echo "large $p"; else echo "file $p"; fi
    else echo "none $p"; fi ;;
  rule:*)
    r=${p#rule:}
    n=$(iptables -w -S "${r%% *}" 2>/dev/null | grep '^-A' | grep -nxF -- "-A $r" | head -n 1 | cut -d: -f1)
    echo "rule ${n:-0} $r" ;;
  *)
    f=/proc/sys/$(echo "$p" | tr . /)
    if [ -f "$f" ] && [ -r "$f" ]; then echo "set $p $(tr '\t' ' ' <"$f")"; fi ;;
  esac
done
echo
more=
if tar --help 2>/dev/null | grep -q -- --selinux; then more='--xattrs --xattrs-include=* --acls --selinux'; fi
n=$#
while [ "$n" -gt 0 ]; do
  p=$1; shift; n=$((n - 1))
  case $p in /*) ;; *) continue ;; esac
  if [ -L "$p" ] || [ -e "$p" ]; then
    kb=$(du -sk -- "$p" 2>/dev/null | cut -f1)
    if [ -d "$p" ] && [ ! -L "$p" ]; then limit=FOLDER; else limit=FILE; fi
    [ "${kb:-0}" -gt "$limit" ] || set -- "$@" "${p#/}"
  fi
done
if [ $# -gt 0 ]; then cd / && tar $more --numeric-owner -cf - "$@" 2>/dev/null; fi
""".replace("FOLDER", str(LARGEST_FOLDER_KB)).replace("FILE", str(LARGEST_FILE_KB))
_PUT = r"""
more=
if tar --help 2>/dev/null | grep -q -- --selinux; then more='--xattrs --xattrs-include=* --acls --selinux'; fi
cd / && tar $more --numeric-owner -xpf -
"""
_DROP = r"""
for p in "$@"; do
  case $p in
  /root/?*) rm -rf -- "$p" ;;
  *) if [ -d "$p" ] && [ ! -L "$p" ]; then rmdir -- "$p" 2>/dev/null || :; else rm -f -- "$p"; fi ;;
  esac
done
"""
_RULES = r"""
while [ $# -gt 0 ]; do
  chain=${2%% *} rest=${2#* }
  iptables -w -D $chain $rest 2>/dev/null || :
  if [ "$1" -gt 0 ]; then iptables -w -I $chain "$1" $rest; fi
  shift 2
done
"""
_WRITE = 'while [ $# -gt 0 ]; do printf "%s\\n" "$2" >"/proc/sys/$(echo "$1" | tr . /)"; shift 2; done'


class Snapshot(Struct, frozen=True):
    """What was there, and what was not."""

    files: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    too_large: list[str] = field(default_factory=list)
    archive: bytes = b""

    def fingerprint(self) -> dict[str, str]:
        """For each file and setting something that is another one as soon as it is changed."""
        found = {f"/{member.name}": _fingerprint_member(archive, member) for archive, member in _walk(self.archive)}
        return found | dict.fromkeys(self.absent, "") | self.settings


def find_named_places(*commands: str) -> list[str]:
    """The paths and kernel settings in these commands that a change could be about."""
    text = "\n".join(commands)
    paths = {re.sub(r"/+", "/", found) for found in _PATH.findall(text)} - _TOO_WIDE
    whole = {path for path in paths if path.count("/") > 1 and ".." not in path}
    rules = {f"{RULE}{found.strip()}" for found in _RULE.findall(text)}
    return sorted(whole) + sorted(set(_SETTING.findall(text))) + sorted(rules)


def take_snapshot(hosts: Hosts, node: str, places: Iterable[str], seconds: float) -> Snapshot:
    """As they are now; a file that is too large to be kept is an error, because it could not be put back."""
    wanted = list(places)
    if not wanted:
        return Snapshot()
    answer = hosts.run(node, _as_root(_TAKE, wanted), b"", seconds)
    listed, _, archive = answer.out.partition(b"\n\n")
    if answer.code:
        raise HostError(message("fix.host.unsaved", node=node, why=make_verbatim(answer.errors.strip()[-200:])))
    found = Snapshot(archive=archive.lstrip(b"\n") if not listed else archive)
    for line in listed.decode("utf-8", "replace").splitlines():
        kind, _, rest = line.partition(" ")
        if kind in ("set", "rule"):
            first, _, second = rest.partition(" ")
            name, value = (first, second) if kind == "set" else (RULE + second, first)
            found.settings[name] = value
        elif kind in ("file", "none", "large"):
            {"file": found.files, "none": found.absent, "large": found.too_large}[kind].append(rest)
    return found


def restore_snapshot(hosts: Hosts, node: str, kept: Snapshot, seconds: float) -> list[str]:
    """Put back what differs; the places that still differ afterwards."""
    places = [*kept.files, *kept.absent, *kept.settings]
    wanted, now = kept.fingerprint(), take_snapshot(hosts, node, places, seconds).fingerprint()
    created = [path for path in kept.absent if now.get(path, "") != "" or path not in now]
    if created:
        hosts.run(node, _as_root(_DROP, sorted(created, reverse=True)), b"", seconds)
    changed = {path for path, seen in wanted.items() if path.startswith("/") and seen and now.get(path) != seen}
    if changed:
        hosts.run(node, _as_root(_PUT, []), _pick(kept.archive, changed), seconds)
    _restore_settings(
        hosts, node, {key: kept.settings[key] for key in kept.settings if now.get(key) != wanted[key]}, seconds
    )
    after = take_snapshot(hosts, node, places, seconds).fingerprint()
    return sorted(place for place, value in wanted.items() if after.get(place, "") != value)


def _restore_settings(hosts: Hosts, node: str, changed: dict[str, str], seconds: float) -> None:
    rules = [word for name, value in changed.items() if name.startswith(RULE) for word in (value, name[len(RULE) :])]
    written = [word for name, value in changed.items() if not name.startswith(RULE) for word in (name, value)]
    if rules:
        hosts.run(node, _as_root(_RULES, rules), b"", seconds)
    if written:
        hosts.run(node, _as_root(_WRITE, written), b"", seconds)


def _as_root(script: str, arguments: Iterable[str]) -> str:
    return "sudo " + quote_words(["sh", "-c", script, "sh", *arguments])


def _walk(archive: bytes) -> Iterable[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    import tarfile

    if not archive:
        return
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
            for member in opened:
                if member.size > len(archive):  # a file with holes may say that it is a thousand times as long
                    raise HostError(message("fix.host.archive"))
                yield opened, member
    except (tarfile.TarError, ValueError, EOFError):
        raise HostError(message("fix.host.archive")) from None


def _fingerprint_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    """Kind, mode, owner, labels and content; when it was written does not count."""
    digest = hashlib.sha256()
    if member.isfile() and (file := archive.extractfile(member)):
        digest.update(file.read())
    labels = sorted((name, value) for name, value in member.pax_headers.items() if "time" not in name)
    told = (member.type, member.mode, member.uid, member.gid, member.linkname, labels)
    digest.update(repr(told).encode())
    return digest.hexdigest()[:32]


def _pick(archive: bytes, paths: set[str]) -> bytes:
    """The members with these paths, as they were."""
    import tarfile

    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as picked:
        for opened, member in _walk(archive):
            if f"/{member.name}" in paths:
                picked.addfile(member, opened.extractfile(member) if member.isfile() else None)
    return target.getvalue()
