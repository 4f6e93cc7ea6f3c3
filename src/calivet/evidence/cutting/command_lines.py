"""Tells command lines, by the program they name, from a person's sentences, English and Chinese."""

from __future__ import annotations

import re

from calivet.search.expressions import expression

# So much of a line is enough to judge it by.
SEEN = 400

FUNCTION_WORDS = frozenset(
    (
        "the a an this that these those there here it its they them their he she his her you your i me my"
        " mine we us our is are was were be been being am has have had do does did can cannot could will would"
        " should shall may might must and or but so because since although though if then than when while"
        " whenever until unless whether as of in on at to from for with without by about into onto over under"
        " between after before during against among not no only also still just even again same other another"
        " any all every each both some none never always often which who whom whose what why how where very"
        " too more most less few many much now already yet don't doesn't didn't isn't aren't wasn't can't"
        " won't couldn't it's that's there's"
    ).split()
)
FIRST_PERSON = frozenset("i i'm i've i'd i'll my mine me we we're we've we'd we'll our ours us".split())
WORD = expression(r"(?<![\w-])[A-Za-z]+(?:['’][a-z]+)?(?![\w-])")
CHINESE = expression(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""And the other scripts without which Japanese and Korean are not written."""
CHINESE_MARK = expression(r"[，。；！？、：“”（）]")
TURN = expression(r", (?:but|because|although|so|which)\b")
GREETING = expression(
    r"(?:hi|hello|dear|thanks|thank you|thx|regards|best regards|cheers|any ideas?|please help)\b", re.IGNORECASE
)
# Two of these in a list with commas: somebody describes a setup.
VERSION = expression(r"(?<![\w.])v?\d{1,4}\.\d{1,3}(?:\.\d{1,3})?(?![\w.]*\.\d)")
INLINE_CODE = expression(r"(?<!`)`[^`]{1,300}`(?!`)")
# Words inside these are quoted from a program.
QUOTED = expression(r"`[^`]*`|\"[^\"]*\"|'[^']*'|https?://\S+")


def is_chinese(line: str) -> bool:
    """Chinese makes up a good part of the line, or marks it as a sentence."""
    seen = line[:SEEN]
    if seen.isascii():
        return False
    signs = len(CHINESE.findall(seen))
    if not signs or CHINESE_MARK.search(seen):
        return signs > 0
    return signs > 1 and signs >= len(WORD.findall(seen))


def is_sentence(line: str) -> bool:
    """Reads like something a person wrote."""
    if is_chinese(line):
        return True
    words = _split_words(line)
    links = sum(word in FUNCTION_WORDS for word in words)
    if len(words) >= 4 and (links >= 2 or (links == 1 and line.rstrip().endswith((".", ":", "!", "?")))):
        return True
    return _is_inventory(line, words)


def is_surely_written(line: str) -> bool:
    """No program says it this way: the first person, a question, an announcement, code in ticks, many small words."""
    if is_chinese(line) or GREETING.match(line):
        return True
    words = _split_words(line)
    if _is_inventory(line, words):
        return True
    links = sum(word in FUNCTION_WORDS for word in words)
    if len(words) < 3 or not links:
        return False
    if not FIRST_PERSON.isdisjoint(words) or links >= 7 or (links >= 3 and TURN.search(line[:SEEN])):
        return True
    if links >= 3 and line[0].islower() and words[0] in FUNCTION_WORDS:
        return True
    return links >= 2 and (line.rstrip().endswith((":", "?")) or bool(INLINE_CODE.search(line[:SEEN])))


def _is_inventory(line: str, words: list[str]) -> bool:
    return len(words) >= 4 and line.count(", ") >= 2 and len(VERSION.findall(line[:SEEN])) >= 2


def _split_words(text: str) -> list[str]:
    return [word.replace("’", "'").lower() for word in WORD.findall(QUOTED.sub(" ", text[:SEEN]))]


# Names that nothing but a command begins with.
DISTINCT = frozenset(
    (
        "kubectl oc calicoctl calicoctl.sh crictl ctr nerdctl docker podman journalctl systemctl kubeadm"
        " kubelet helm helmfile etcdctl kops rke rke2 k3s k3d k0s minikube microk8s talosctl eksctl aws gcloud"
        " az istioctl cilium velero ip iptables iptables-save iptables-legacy iptables-legacy-save iptables-"
        " nft iptables-nft-save ip6tables ip6tables-save ipset ipvsadm nft ethtool ifconfig netstat ss arp"
        " arping brctl nmcli networkctl resolvectl tcpdump tshark ping ping6 traceroute tracepath mtr nslookup"
        " dig curl wget telnet nc ncat nmap openssl iperf iperf3 cat zcat tail less grep egrep fgrep zgrep awk"
        " gawk sed jq yq ls lsmod modprobe modinfo insmod rmmod lsof lscpu lspci dmesg uname hostname"
        " hostnamectl timedatectl chronyc ntpq sysctl swapon swapoff findmnt lsblk blkid df du ps pgrep pstree"
        " strace conntrack rpm dpkg apt apt-get yum dnf zypper pacman ssh scp pssh pdsh clush ansible ansible-"
        " playbook birdcl birdcl6 vtysh firewall-cmd ufw getenforce setenforce sestatus loginctl sudo nsenter"
        " chroot bpftool runc mkdir chmod chown cp mv rm tee base64 fio iostat vmstat uptime whoami getent"
        " sha256sum md5sum terraform vagrant python3 export echo kubectx kubens stern supervisorctl rc-service"
        " ld-linux-x86-64.so.2 ld.so ldd getcap sdiff colordiff tc wg nstat fuser ausearch auditctl aa-status"
        " ipmitool mpstat pidstat smartctl dmidecode"
    ).split()
)
# Names that are words too: only with an option, or alone.
AMBIGUOUS = frozenset(
    (
        "date free top head find time watch route host mount umount id w who env set cd kill reboot shutdown"
        " service sort wc for while if exit show display configure test touch crontab history cut column diff"
        " file last locate nl od sleep stat sync tree type ulimit xargs vi vim nano tar gzip unzip dd kind"
        " make git pip python source snap sar bridge"
    ).split()
)
# Names that say something without any argument.
ALONE = frozenset(
    (
        "date free top route mount env reboot exit history w who id dmesg uptime hostname hostnamectl"
        " timedatectl lsmod lscpu lsblk ifconfig iptables-save ip6tables-save iptables-legacy-save iptables-"
        " nft-save ipvsadm whoami sestatus getenforce df ps netstat findmnt arp nproc"
    ).split()
)
# What people put before a command to limit or to rank it says nothing of what is run.
_LIMIT = r"timeout(?: -\S+(?: [\d.]+[smh]?(?= [\d.]))?){0,3} [\d.]+[smh]?|nice(?: -n ?-?\d+)?|stdbuf -\S+"
INVOCATION = expression(
    rf"(?P<lead>(?:(?:[A-Za-z_]\w*=\S*|sudo(?: -\w+)*|{_LIMIT}|time|nohup|env|exec|!) +){{0,6}})"
    r"(?P<path>(?:\.|~|)/\S*/|\./|/)?(?P<program>[A-Za-z][\w.-]*)(?P<rest>(?=[\s|;&<>]|$).*)"
)
IP_OBJECT = expression(
    r"\s+(?:-\S+\s+)*(?:a|ad|add|addr|address|r|ro|route|l|li|link|n|ne|neigh|neighbor|ru|rule|netns|tunnel|tun|xfrm|m|maddr|"
    r"mroute|monitor|-\S+)\b"
)
OPTION = expression(
    r"\s+[-/.~$\"'(\[]|\s*[|;&<>]|\s+(?:ip|bgp|isis|ospf|run|version|route|docker|kubelet|create|clone)\b"
)
ARGUMENT = expression(r"[-/|=\d.:$]")
TABLE_ROW = expression(r"\S {3,}\S+ {3,}\S|\t")
REMOTE = expression(
    r"(?:sudo +)?(?:sshpass +-\S+(?: +\S+)? +)?ssh +"
    r"(?:-[46AaCfGgKkMNnqsTtVvXxYy]+ +|-[BbcDEeFIiJLlmOopQRSWw] ?\S+ +){0,9}(?:[\w.-]+@)?(?P<host>[\w.-]+) +\S"
    r"|\w+ +debug +node/(?P<node>[\w.-]+)"
)
# Their arguments use the same small words as sentences do.
WORDY = frozenset("tcpdump tshark find for while if echo ssh".split())


def is_command(text: str) -> bool:
    """After a mark that might be a prompt: is this something one runs?"""
    found = INVOCATION.match(text)
    if not found or (not text.isascii() and CHINESE.search(text.partition(" #")[0])):
        return False
    program, rest = found["program"], found["rest"]
    if not rest.strip() or found["path"] == "./":
        return program in ALONE or found["path"] == "./"
    if program == "ip":
        return bool(IP_OBJECT.match(rest))
    if program in AMBIGUOUS:
        return bool(OPTION.match(rest)) and not _is_talk(program, rest)
    known = program in DISTINCT or "=" in found["lead"]
    return known and not _is_talk(program, rest)


def is_bare_command(line: str) -> bool:
    """Without any mark before it, only an unmistakable command counts."""
    found = INVOCATION.match(line)
    if not found or found["program"] not in DISTINCT or not found["rest"].strip():
        return False
    if TABLE_ROW.search(line) or line.rstrip().endswith((".", ":", ",", "?", "!")):
        return False
    return is_command(line) and not _count_linking_words(found["rest"])


def find_remote_host(command: str) -> str | None:
    """The machine that really ran the command, where the command names it."""
    found = REMOTE.match(command)
    return (found["host"] or found["node"]) if found else None


def _is_talk(program: str, rest: str) -> bool:
    """A sentence about a command, not the command."""
    if program in WORDY:
        return False
    said = rest.partition(" #")[0].rstrip()
    allowed = 1 if ARGUMENT.search(said) and not said.endswith((".", ":", "?")) else 0
    return _count_linking_words(said) > allowed


def _count_linking_words(rest: str) -> int:
    return sum(word.lower() in FUNCTION_WORDS and word != "all" for word in QUOTED.sub(" ", rest).split())
