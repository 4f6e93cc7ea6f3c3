"""What can be told from a command line alone: what it asks for, and whether its output is only a part."""

from __future__ import annotations

from calivet.search.expressions import expression

# `grep` and selectors show a part only; nothing follows from what such a list lacks.
_PARTIAL = expression(r"\b[ef]?grep\b|\bawk\b|\bhead\b|\btail\b|\s-l\b|--selector|--field-selector|\bsed\b")
_NARROWED = expression(r"\||\bgrep\b|\*")
_WHOLE_TABLE = expression(
    r"^\s*(?:sudo\s+)?(?:ip(?:\s+-\w+)*\s+r(?:oute)?(?:\s+(?:show|list|ls))?|route\s+-n|netstat\s+-rn)\s*$"
)
# wg-quick's table, 51820, is asked after the main one's routes to single networks.
_TABLE_FOR_ALL = expression(r"\btable\s+(?!main\b|local\b|default\b|51820\b)\w+")
_OTHER_TABLE = expression(r"\btable\s+(?!main\b|local\b|default\b)\w+")
_PACKET_FILTER = expression(
    r"\bip6?tables(?P<backend>-legacy|-nft)?(?:-save\b|\s+(?:-\S+\s+)*-[nvL])|\bnft\s+(?:-\S+\s+)*list\s+ruleset"
)
_INSIDE = expression(r"\b(?:kubectl|oc|docker|crictl|nerdctl)\b.*\bexec\b|\bnsenter\b|\bip netns exec\b")
_SETS_RP_FILTER = expression(r"\bsysctl\b.*(?:\s-\w*w\b|--write\b|rp_filter\s?=)")
_ALL_PEERS = expression(r"\bget\s+bgpp(?:eers?)?(?:\.[\w.]+)?\s+(?:-A\s+)?-o\s*(?:yaml|json)\s*$")
_BGP_SETTINGS = expression(r"\bget\s+bgpconfigurations?(?:\.[\w.]+)?\s+-o\s*(?:yaml|json)\s*$")
_POLICIES_OF_NAMESPACES = expression(
    r"\bget\s(?:[^|]*[\s,])?(?:networkpolic(?:y|ies)|netpol)(?:\.networking[\w.]*)?(?=[\s,]|$)(?=[^|]*\s(?:-A|--all-namespaces)\b)"
)
_GLOBAL_POLICIES = expression(r"\bget\s+(?:gnp|globalnetworkpolic\w+)\b")
_PICKED_EVENTS = r"\|\s*head\b|grep[^|]*{word}|reason={reason}"
_PICKED_PULLS = expression(_PICKED_EVENTS.format(word=r"[Pp]ulling\b", reason="Pulling"))
_PICKED_PLACEMENTS = expression(_PICKED_EVENTS.format(word="chedul", reason="Scheduled"))
# The file that calico-node writes for the CNI plugin, and the token that its own pods get.
_CALICO_TOKEN = expression(r"cni/net\.d|calico[\w.-]{0,12}kubeconfig|serviceaccount/token|calico-(?:node|cni-plugin)")
_RESTART = expression(
    r"\b(?:systemctl\b.{0,200}?\brestart\b|service\b.{0,200}?\brestart\b|rc-service\b.{0,200}?\brestart\b)"
)
_RUNTIME = expression(r"(?<![\w-])(?P<unit>containerd|docker|crio|cri-o|cri-docker)(?:\.service)?(?![\w-])")
_DRAIN = expression(r"\bkubectl\b.*\bdrain\b(?P<rest>.*)")
_REBOOT = expression(r"^\s*(?:sudo\s+)?(?:reboot|shutdown\s+-r|systemctl\s+reboot|init\s+6)\b")
_RUNTIME_CLIENT = expression(r"^(?P<client>crictl|ctr|docker) (?:version|info|ps|pods)\b")
# These wait for a service, a peer or the runtime.
_WAITS_FOR_OTHERS = expression(
    r"^(?:crictl|ctr|docker|birdcl?|curl|wget|bash|nc|ping|nmcli|firewall-cmd|chronyc|ntpq|ufw)\b"
)
_WRAPPED = r"^(?:sudo |time |timeout (?:-\S+ )*\S+ )*"
_ASKS_RUNTIME = expression(
    _WRAPPED + r"(?:crictl|docker|nerdctl|ctr)(?: -\S+(?: [\w./:]+)?)*? "
    r"(?:ps|pods|info|version|images|inspect\w*|(?:containers?|c|tasks?|t) (?:ls|list|ps))\b"
)
_ASKS_INSIDE = expression(
    _WRAPPED + r"(?:kubectl|k|oc|docker|crictl|nerdctl) (?:.*? )?exec (?P<where>.*? )"
    r"(?:(?:/usr)?/bin/)?(?:date|ls|hostname|id|uptime|true|pwd|whoami|echo|env|ps)(?: [^|]*)?$"
)


def shows_part(command: str) -> bool:
    """Whether a filter or a selector may have left something out."""
    return _PARTIAL.search(command) is not None


def narrows_listing(command: str) -> bool:
    """Whether a pipe or a wildcard may have cut a listing of files down."""
    return _NARROWED.search(command) is not None


def lists_all_routes(command: str) -> bool:
    """Whether it prints the whole main routing table."""
    return _WHOLE_TABLE.match(command) is not None


def lists_other_table(command: str) -> bool:
    """Whether it prints a routing table that is asked before the main one."""
    return _OTHER_TABLE.search(command) is not None


def sends_all_first(command: str) -> bool:
    """Whether it prints a table whose default route wins over every route of the main one."""
    return _TABLE_FOR_ALL.search(command) is not None


def lists_all_pods(command: str) -> bool:
    """Whether it lists the pods of all namespaces."""
    wide = " -A" in command or "--all-namespaces" in command
    return wide and "pod" in command and "grep" not in command and "get" in command


def asks_for_global_policies(command: str) -> bool:
    """Whether it lists Calico's global policies."""
    return _GLOBAL_POLICIES.search(command) is not None


def lists_bgp_peers(command: str) -> bool:
    """Whether it prints all BGPPeers whole."""
    return _ALL_PEERS.search(command) is not None


def lists_bgp_settings(command: str) -> bool:
    """Whether it prints all BGPConfigurations whole; that there is none means the mesh is on."""
    return _BGP_SETTINGS.search(command) is not None


def lists_policies_of_namespaces(command: str) -> bool:
    """Whether it lists the network policies of all namespaces."""
    return _POLICIES_OF_NAMESPACES.search(command) is not None


def find_packet_filter_backend(command: str) -> str | None:
    """-legacy or -nft, where it names the backend of the packet filter that it lists."""
    found = _PACKET_FILTER.search(command)
    return found["backend"] if found else None


def lists_packet_filter(command: str) -> bool:
    """Whether it lists rules of iptables or nft."""
    return _PACKET_FILTER.search(command) is not None


def runs_inside(command: str) -> bool:
    """Whether it looks into a container, or into another network namespace."""
    return _INSIDE.search(command) is not None


def sets_rp_filter(command: str) -> bool:
    """Whether it changes rp_filter: then its output shows what was done about it, not what was found."""
    return _SETS_RP_FILTER.search(command) is not None


def picks_pull_events(command: str) -> bool:
    """Whether events of pulls were picked by hand or cut off at the end: these do not tell what came last."""
    return _PICKED_PULLS.search(command) is not None


def picks_placement_events(command: str) -> bool:
    """The same for what the scheduler says."""
    return _PICKED_PLACEMENTS.search(command) is not None


def names_calico_token(text: str) -> bool:
    """Whether it names a place where a token of Calico's is kept."""
    return _CALICO_TOKEN.search(text) is not None


def find_restarted_runtime_unit(command: str) -> str | None:
    """The container runtime that it restarts."""
    unit = _RUNTIME.search(command)
    return unit["unit"] if unit and _RESTART.search(command) else None


def find_drained_words(command: str) -> list[str] | None:
    """What stands behind `kubectl drain`; None for other commands."""
    found = _DRAIN.search(command)
    return found["rest"].split() if found else None


def reboots(command: str) -> bool:
    """Whether it reboots the machine."""
    return _REBOOT.search(command) is not None


def find_runtime_client(command: str) -> str | None:
    """The client of a container runtime that it asks with; None for other commands."""
    found = _RUNTIME_CLIENT.match(command)
    return found["client"] if found else None


def waits_for_others(command: str) -> bool:
    """Whether it waits for a service, a peer or the runtime, and not for the machine alone."""
    return _WAITS_FOR_OTHERS.match(command) is not None


def asks_runtime(command: str) -> bool:
    """Whether it asks the container runtime for a list or a state."""
    return _ASKS_RUNTIME.match(command) is not None


def find_exec_words(command: str) -> list[str] | None:
    """Where the simplest of commands is to run inside a container; None for other commands."""
    found = _ASKS_INSIDE.match(command)
    return found["where"].split() if found else None


def lists_all_processes(command: str) -> bool:
    """Whether it lists every process of the machine by its name."""
    return command in ("ps axc", "ps ax", "ps aux", "ps -ef", "ps auxww")


ASKS_BIRD = expression(r"^birdcl? |\bshow protocols\b")


def asks_bird(command: str) -> bool:
    """Whether it asks BIRD, through its own socket, for its sessions."""
    return ASKS_BIRD.search(command) is not None
