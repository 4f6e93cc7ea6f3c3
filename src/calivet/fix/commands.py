"""What a command of the catalogue does, as far as its text tells: looks, changes, or is for people alone.

This is for the plan. When a step runs, every call of kubectl and ssh in it is judged by itself (`broker.py`).
"""

from __future__ import annotations

import re

from calivet.search.expressions import expression

_KUBECTL_CHANGES = expression(
    r"\b(?:kubectl|oc) (?:-n \S{1,80} )?(?:patch|set|annotate|label|delete|scale|create|apply|replace|edit"
    r"|cordon|uncordon|drain|taint|rollout (?:restart|undo)|certificate approve)\b"
)
_ON_HOST = (
    r"\bsystemctl (?:--\S{1,40} ){0,4}(?:daemon-reload|(?:re)?start|stop|reload|enable|disable|mask)\b",
    r"\bsystemctl (?:--\S{1,40} ){0,4}(?:set-property|revert|reboot)\b",
    r"\b(?:sysctl -[wp]|sed -i|mount -|kill -|ethtool -K|chronyc makestep|journalctl --vacuum)",
    r"\b(?:mv|rm|cp|mkdir|tee|chmod|chown|umount|swapoff|swapon(?! --show)) [-/\w$\"'*]",
    r"\b(?:hwclock|setenforce|restorecon|hostnamectl) [-/\w$\"'*]",
    r"\bmodprobe (?!-n)|\breboot\b|\bsystemd-machine-id-setup\b",
    r"\b(?:apt-get|dnf) (?:-\S{1,20} ){0,3}(?:re)?install|\bkubeadm (?:certs renew|init|upgrade|reset|join)\b",
    r"\bcrictl\}?(?: -r \S+)? (?:rmi?|pull|stop)\b|\bimages import\b",
    r"\bip (?:-\S{1,10} ){0,3}(?:link|route|addr|rule) (?:set|add|del|delete|flush|replace)\b",
    r"\biptables (?:-w )?(?:-t \S{1,20} )?-[ADIRFX]\b|\bxargs [^|;&]{0,40}iptables|\biptables-restore\b",
    r"\bnft (?:add|delete|flush|insert)|\bipset (?:destroy|restore)",
    r"\bfirewall-cmd [^|;&]{0,200}--(?:add|remove|reload)",
    r"\bufw (?:allow|route|disable|delete|--force)",
    r"(?<![0-9&>])>>? ?/(?!dev/)",
    r"\bcat > ?/|\btalosctl [^|;&]{0,60}(?:restart|reboot)\b",
    r"\bcalicoctl (?:patch|delete|apply|create|replace|label|ipam (?:release|split|configure))\b",
    r"\bcalicoctl datastore migrate (?:un)?lock\b",
    r"\bopenstack port (?:un)?set\b|\betcdctl [^|;&]{0,300}\b(?:defrag|compact|del|alarm disarm)\b|\bfio ",
)
_HOST_CHANGES = expression("|".join(_ON_HOST))
# What it interrupts comes up again by itself, and there is nothing to put back.
_PASSING = expression(
    r"\bsystemctl (?:--\S{1,40} ){0,4}(?:daemon-reload|(?:re)?start|reload|reboot)\b|\breboot\b|\bkill -"
    r"|\bcrictl\}?(?: -r \S+)? (?:rm|pull|stop)\b|\bchronyc makestep|\bhwclock -"
)
_SSH = expression(r"\bssh (?:\"\$node\"|\S{1,260}) ")
# What is handed to a machine: one word in quotes, or the rest of the command.
_REMOTE = expression(r"\bssh (?:\"\$node\"|\S{1,260}) (?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^|;&\n]*)", re.DOTALL)
_LOGIN = expression(r"\bssh (?:-o \S{1,80} )?([A-Za-z0-9][\w.@:-]{0,255}) ")
_PEOPLE = expression(r"\bkubectl (?:-n \S{1,80} )?(?:edit|certificate approve)\b|\bread -rs\b|\bdocker login\b")
_FOREIGN = expression(
    r"(?:^|[;&|(\n]\s{0,4}|\bdo )(calicoctl|talosctl|docker|aws|openstack|etcdctl|etcdutl|fio|export)(?= )"
)


def does_change(command: str) -> bool:
    """Whether it changes an object or a machine."""
    return does_change_objects(command) or _HOST_CHANGES.search(command) is not None


def only_interrupts(command: str) -> bool:
    """Whether all that it does to a machine is over by itself, as a restart is."""
    return _HOST_CHANGES.search(_PASSING.sub("", command)) is None


def does_change_objects(command: str) -> bool:
    """Whether it changes objects of the API server."""
    return _KUBECTL_CHANGES.search(_REMOTE.sub("", command)) is not None


def runs_on_nodes(command: str) -> bool:
    """Whether it logs in to a machine."""
    return _SSH.search(command) is not None


def list_machines(command: str) -> list[str]:
    """The machines that it logs in to, by the names that stand in it."""
    return list(dict.fromkeys(_LOGIN.findall(command)))


def needs_person(command: str) -> bool:
    """Whether it opens an editor, asks for a secret, or needs a judgement."""
    return _PEOPLE.search(command) is not None


def find_foreign_program(command: str) -> str:
    """A program that would be started here and that calivet does not start; empty where there is none."""
    found = _FOREIGN.search(_REMOTE.sub("", command))
    return found[1] if found else ""
