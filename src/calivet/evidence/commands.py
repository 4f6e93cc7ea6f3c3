"""Recognises a command line by the program it names, and says where it runs."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.evidence.words import CHINESE, FUNCTION_WORDS, QUOTED

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
        " ld-linux-x86-64.so.2 ld.so sdiff colordiff"
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
        " nft-save ipvsadm whoami sestatus getenforce df ps netstat findmnt arp"
    ).split()
)
INVOCATION = expression(
    r"(?P<lead>(?:(?:[A-Za-z_]\w*=\S*|sudo(?: -\w+)*|time|nohup|env|exec|!) +){0,6})(?P<path>(?:\.|~|)/\S*/|\./|/)?"
    r"(?P<program>[A-Za-z][\w.-]*)(?P<rest>(?=[\s|;&<>]|$).*)"
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
    if not found or CHINESE.search(text.partition(" #")[0]):
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
    return is_command(line) and not _linking_words(found["rest"])


def remote_host(command: str) -> str | None:
    """The machine that really ran the command, where the command names it."""
    found = REMOTE.match(command)
    return (found["host"] or found["node"]) if found else None


def _is_talk(program: str, rest: str) -> bool:
    """A sentence about a command, not the command."""
    if program in WORDY:
        return False
    said = rest.partition(" #")[0].rstrip()
    allowed = 1 if ARGUMENT.search(said) and not said.endswith((".", ":", "?")) else 0
    return _linking_words(said) > allowed


def _linking_words(rest: str) -> int:
    return sum(word.lower() in FUNCTION_WORDS and word != "all" for word in QUOTED.sub(" ", rest).split())
