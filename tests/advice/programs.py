"""The options of programs that cannot be asked for them here, from their own sources and manuals.

calicoctl: calicoctl/commands of 3.20 to 3.33. etcdctl: 3.4 to 3.6. firewall-cmd: its manual, 2.x. nft: its manual, 1.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct


class Usage(Struct, frozen=True):
    """One command of a program: options that stand alone, options with a value, and how many arguments it takes."""

    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    most: int = 0


def _usage(flags: str = "", values: str = "", most: int = 0) -> Usage:
    return Usage(frozenset(flags.split()), frozenset(values.split()), most)


_ANY = 20
_CALICOCTL_FILES = "-f --filename -c --config -n --namespace --context"
CALICOCTL = {
    "get": _usage("-a -A --all-namespaces --export --allow-version-mismatch", f"-o --output {_CALICOCTL_FILES}", _ANY),
    "create": _usage("--skip-exists -R --recursive --skip-empty --allow-version-mismatch", _CALICOCTL_FILES),
    "apply": _usage("-R --recursive --skip-empty --allow-version-mismatch", _CALICOCTL_FILES),
    "replace": _usage("-R --recursive --skip-empty --allow-version-mismatch", _CALICOCTL_FILES),
    "delete": _usage(
        "-s --skip-not-exists -R --recursive --skip-empty --allow-version-mismatch", _CALICOCTL_FILES, _ANY
    ),
    "patch": _usage("--allow-version-mismatch", "-p --patch -t --type -c --config -n --namespace --context", 2),
    "label": _usage("--overwrite --remove --allow-version-mismatch", "-c --config -n --namespace --context", _ANY),
    "version": _usage("--client --allow-version-mismatch", "-c --config --poll --context"),
    "ipam check": _usage("--show-all-ips --show-problem-ips", "-o --output --kubeconfig -c --config"),
    "ipam release": _usage("--force", "--ip --from-report -c --config"),
    "ipam show": _usage("--show-blocks --show-borrowed --show-configuration", "--ip -c --config"),
    "ipam configure": _usage("", "--strictaffinity --max-blocks-per-host -c --config", 1),
    "ipam split": _usage("", "--cidr --name -c --config", 1),
    "node status": _usage(),
    "node diags": _usage("", "--log-dir"),
    "node checksystem": _usage("", "-f --kernel-config"),
    "datastore migrate lock": _usage("", "-c --config"),
    "datastore migrate unlock": _usage("", "-c --config"),
    "cluster diags": _usage("", "--since --max-logs --focus-nodes -c --config"),
}
_ETCDCTL_ALL = "--endpoints --cacert --cert --key --dial-timeout --command-timeout -w --write-out --user"
ETCDCTL = {
    "endpoint health": _usage("--cluster", _ETCDCTL_ALL),
    "endpoint status": _usage("--cluster", _ETCDCTL_ALL),
    "member list": _usage("--hex", _ETCDCTL_ALL),
    "member remove": _usage("", _ETCDCTL_ALL, 1),
    "alarm list": _usage("", _ETCDCTL_ALL),
    "alarm disarm": _usage("", _ETCDCTL_ALL),
    "defrag": _usage("--cluster", _ETCDCTL_ALL),
    "compact": _usage("--physical", _ETCDCTL_ALL, 1),
    "compaction": _usage("--physical", _ETCDCTL_ALL, 1),
    "snapshot save": _usage("", _ETCDCTL_ALL, 1),
    "snapshot status": _usage("", _ETCDCTL_ALL, 1),
    "snapshot restore": _usage("--skip-hash-check", f"{_ETCDCTL_ALL} --data-dir --name --initial-cluster", 1),
    "get": _usage("--prefix --keys-only --count-only", f"{_ETCDCTL_ALL} --limit", 2),
}
_FIREWALL = re.compile(
    r"--(?:state|reload|complete-reload|permanent|runtime-to-permanent|direct|list-all|list-all-zones|list-ports"
    r"|list-protocols|list-services|list-sources|list-rich-rules|get-active-zones|get-default-zone|get-zones|get-all-rules"
    r"|(?:zone|policy|(?:add|remove|query|list)-(?:port|protocol|source|source-port|interface|service|rich-rule|masquerade"
    r"|forward|icmp-block)|set-default-zone|set-target|get-zone-of-interface|timeout)(?:=.+)?)"
)
# firewalld takes protocols by the names of /etc/protocols, where ipip is 94; IP-in-IP is ipencap, or the number 4.
_WRONG_PROTOCOL = re.compile(r"--add-protocol=(?!4$|ipencap$|vrrp$)")
_NFT = re.compile(
    r"(?:-\w+ )*(?:-f \S+|(?:list|flush) (?:ruleset|tables?|chains?|sets?|maps?)\b.*|(?:add|insert|delete|create|reset) "
    r"(?:table|chain|rule|set|element)\b.*|--version|monitor.*)"
)


def find_complaint(words: list[str]) -> str:
    """What such a program would have against this command line; empty where it would take it."""
    program, *rest = words
    if program == "calicoctl":
        return _compare_with_table(rest, CALICOCTL, {"--allow-version-mismatch"})
    if program == "etcdctl":
        return _compare_with_table(_move_options_last(rest), ETCDCTL, set())
    if program == "firewall-cmd":
        return next(_find_firewall_problems(rest), "")
    if program == "nft" and not _NFT.fullmatch(" ".join(rest)):
        return f"nft knows no such command: {' '.join(rest)}"
    return ""


def _find_firewall_problems(words: list[str]) -> Iterator[str]:
    for word in words:
        if not _FIREWALL.fullmatch(word):
            yield f"firewall-cmd knows no {word}"
        if _WRONG_PROTOCOL.match(word):
            yield f"not the protocol of Calico: {word}"


def _move_options_last(words: list[str]) -> list[str]:
    """Options that hold for all commands may stand before the command."""
    options: list[str] = []
    while words and words[0].startswith("-"):
        count = 1 if "=" in words[0] else 2
        options, words = options + words[:count], words[count:]
    return words + options


def _compare_with_table(words: list[str], table: dict[str, Usage], general: set[str]) -> str:
    words = [word for word in words if word not in general]
    for length in (3, 2, 1):
        if usage := table.get(" ".join(words[:length])):
            return _compare(words[length:], usage)
    return f"no such command: {' '.join(words)}"


def _compare(words: list[str], usage: Usage) -> str:
    arguments = 0
    while words:
        word, *words = words
        name, given, _ = word.partition("=")
        if name in usage.values:
            words = words if given else words[1:]
        elif word.startswith("-") and word != "-" and name not in usage.flags:
            return f"no such option: {name}"
        elif not word.startswith("-"):
            arguments += 1
    return "" if arguments <= usage.most else "too many arguments"
