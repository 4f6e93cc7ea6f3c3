"""Shows command lines to the programs themselves, on a machine of their own where nothing they do matters."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable

from tests.lab.machine import ENVIRONMENT, Machine

# What each says of a command line that it does not take; all else, as that nobody answers, is about the machine.
REFUSES = {
    "etcdctl": r"unknown (?:shorthand )?(?:flag|command)|invalid argument|needs an argument|requires? .{0,20}argument",
    "firewall-cmd": r"firewall-cmd: error: ",
    "ip": r"^Usage: ip|Object \".*\" is unknown|Command \".*\" is unknown|either .* is (?:duplicate|a garbage)",
    "ipset": r"unknown argument|No command specified|Missing (?:mandatory|second) ",
    "iptables": r"unknown (?:option|protocol)|[Bb]ad argument|requires an argument|Couldn't load|Invalid ",
    "nft": r"syntax error|unknown option|invalid option",
}
"""By the name of the program; all of them read their whole command line before they do anything."""
# The rule of a packet filter that a sign found, where the catalogue is rendered with names in place of values.
_RULE = "INPUT -p tcp -m tcp --dport 179 -j REJECT --reject-with icmp-host-prohibited".split()
_WITHOUT_DELAY = {"etcdctl": ("--dial-timeout=1ms", "--command-timeout=1ms")}


def list_missing() -> list[str]:
    """Programs that are not installed."""
    return [name for name in REFUSES if not shutil.which(name, path=ENVIRONMENT["PATH"])]


def find_refusals(machine: Machine, commands: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """What the programs have against which of these commands."""
    answers = {" ".join(words): _ask(machine, words) for words in sorted(set(commands)) if words[0] in REFUSES}
    return {command: complaint for command, complaint in answers.items() if complaint}


def _ask(machine: Machine, words: tuple[str, ...]) -> str:
    program, *arguments = words
    if any("$" in word for word in arguments):
        return ""  # a name that only the loop around it gives
    told = [part for word in arguments for part in (_RULE if word == "the-rule" else [word])]
    done = machine.attempt(program, *told, *_WITHOUT_DELAY.get(program, ()))
    printed = done.stdout + done.stderr
    return printed.strip()[-300:] if done.returncode and re.search(REFUSES[program], printed, re.MULTILINE) else ""
