"""What messages tell: those of events, Calico's last words in a log, and the author's own words."""

from __future__ import annotations

import re

from calivet.search.expressions import expression

# What the messages of Kubernetes' events tell.
# Whoever was refused at 127.0.0.1 had the right address: nobody listened there.
_AT_LOCALHOST = expression(
    r"//localhost:90(?:98|99)/(?!.*dial tcp 127\.).*(?:refused|no such host|lookup localhost|timeout|canceled)"
)
_CONTAINER = expression(r"(Created|Started) container:? (?!with\b)(?P<name>[\w.-]+)", re.IGNORECASE)
_UPGRADE_STARTED = expression(r"Started container:? upgrade-ipam")
_PROBE_FAILED = expression(r"(?:Liveness|Readiness|Startup) probe (?:failed|errored)", re.IGNORECASE)
_PROBE_SILENT = expression(
    r"(?P<kind>Liveness|Readiness|Startup) probe failed: *(?:command .* timed out.*)?$", re.IGNORECASE
)
# Each of these pods is meant for one node, so that the other nodes do not match tells nothing where more is told.
_OBSTACLE = expression(
    r"Insufficient [\w./-]*\w|untolerated taint(?:\(s\))?(?: \{[^}]*\})?|had taints?(?: \{[^}]*\})?|Too many pods"
    r"|were unschedulable|didn't have free ports"
)
_NO_MATCH = expression(r"didn't (?:match|satisfy) (?:Pod's )?(?:node|plugin)[^,.]{0,40}")
_PULL_FAILED = expression(r"(?:Failed to pull image|Back-off pulling image) \"(?P<image>[^\"]+)\"")
_IMAGE_THERE = expression(r"(?:Successfully pulled image|Container image) \"(?P<image>[^\"]+)\"")
_PULLING = expression(r"[Pp]ulling image \"(?P<image>[^\"]+)\"")
_NO_SANDBOX_IMAGE = expression(r"failed to get sandbox image \"(?P<image>[^\"]+)\"")
# Pulls fail with the daemon's words too, but not as a container's.
_CONTAINER_REFUSED = expression(
    r"^Error: (?:failed to (?:start|create|generate) container|(?:Error response from daemon: )?.{0,20}\bpath \W?/)"
)
_NO_BPF = "hostPath type check failed: /sys/fs/bpf is not a directory"
_UNREACHED = expression(r"BGP not established with (?P<list>[\d.,: ]+)")
_PEER_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}")
_WHOLE_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}(?!\d)")
# Events glue the probe's log time to the last address: "with 192.0.2.72021-03-04 05:06".
_GLUED_TIME = expression(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*")


def fails_at_localhost(message: str) -> bool:
    """Whether a probe that calls a health port by name fails."""
    return _AT_LOCALHOST.search(message) is not None


def find_created_container(message: str) -> str | None:
    """The container that was created."""
    return _find_container(message, "created")


def find_started_container(message: str) -> str | None:
    """The container that was started."""
    return _find_container(message, "started")


def _find_container(message: str, word: str) -> str | None:
    found = _CONTAINER.search(message)
    return found["name"] if found and found[1].lower() == word else None


def starts_upgrade_ipam(message: str) -> bool:
    """Whether the container that moves old IPAM data was started."""
    return _UPGRADE_STARTED.search(message) is not None


def tells_failed_probe(message: str) -> bool:
    """Whether a probe failed, in whatever way."""
    return _PROBE_FAILED.search(message) is not None


def find_silent_probe(message: str) -> str | None:
    """The kind of a probe that failed without a word: it was cut off by its time limit."""
    found = _PROBE_SILENT.search(message)
    return found["kind"] if found else None


def find_scheduling_obstacle(message: str) -> str | None:
    """Why the scheduler turned a pod away."""
    found = _OBSTACLE.search(message) or _NO_MATCH.search(message)
    return found[0] if found else None


def find_failed_image(message: str) -> str | None:
    """The image that could not be pulled."""
    return _find_image(_PULL_FAILED, message)


def present_image(message: str) -> str | None:
    """The image that was pulled, or was there already."""
    return _find_image(_IMAGE_THERE, message)


def find_pulling_image(message: str) -> str | None:
    """The image whose pull began."""
    return _find_image(_PULLING, message)


def find_missing_sandbox_image(message: str) -> str | None:
    """The image of every pod's sandbox, where it could not be had."""
    return _find_image(_NO_SANDBOX_IMAGE, message)


def _find_image(pattern: re.Pattern[str], message: str) -> str | None:
    found = pattern.search(message)
    return found["image"] if found else None


def refuses_container(message: str) -> bool:
    """Whether the runtime did not make or start a container."""
    return _CONTAINER_REFUSED.search(message) is not None


def lacks_bpf_directory(message: str) -> bool:
    """Whether the directory of the BPF file system is not there."""
    return _NO_BPF in message


def find_unreached_peers(message: str) -> list[str]:
    """The peers that a readiness probe says BGP is not established with."""
    found = _UNREACHED.search(message)
    return _PEER_ADDRESS.findall(_GLUED_TIME.sub("", message[found.start("list") :])) if found else []


def find_listed_peers(message: str) -> list[str]:
    """The same, but only what stands in the list, and none to which a time is glued."""
    found = _UNREACHED.search(message)
    return _WHOLE_ADDRESS.findall(found["list"]) if found else []


# What Calico's last words in a log tell.
_NO_DATASTORE = expression(
    r"(?:Hit error connecting to|Unable to connect to|Failed to connect to|Cannot reach) (?:the )?datastore"
)
_SILENT_ADDRESS = expression(r"dial tcp (?P<address>[\d.]+):\d+: i/o timeout")
# Silence, or what a blackhole and a missing neighbour answer.
_NO_SERVICE = expression(
    r"dial tcp \S+: (?:i/o timeout|connect: (?:no route to host|invalid argument))|context deadline exceeded"
)
_NO_MOUNT = expression(
    r"Failed to mount (?:BPF|cgroup2) filesystem|Failed to initialize BPF network.*(?:not implemented|no such)"
)


def lacks_datastore(message: str) -> bool:
    """Whether it waits for its datastore."""
    return _NO_DATASTORE.search(message) is not None


def find_silent_address(message: str) -> str | None:
    """The address that did not answer in time."""
    found = _SILENT_ADDRESS.search(message)
    return found["address"] if found else None


def lacks_answer(message: str) -> bool:
    """Whether what it asked for kept silent, or no way leads there."""
    return _NO_SERVICE.search(message) is not None


def lacks_bpf_mounts(message: str) -> bool:
    """Whether the mounts that eBPF needs could not be made."""
    return _NO_MOUNT.search(message) is not None


# What the author's own words tell.
_VIRTUAL = expression(
    r"(?<![a-z])vips?(?![a-z])|virtual ip|keepalived|kube-vip|vrrp|虚拟 ?(?:ip|地址)|浮动 ?(?:ip|地址)", re.IGNORECASE
)
_CLAUSE_END = expression(r"[。；;]|\.\s|, |，")
_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}")
_RESTARTS = expression(r"重启|CrashLoopBackOff|restart(?:s|ed|ing)?\b", re.IGNORECASE)


def find_virtual_addresses(text: str) -> list[str]:
    """The addresses in the same clause as a word for virtual ones."""
    clauses = _CLAUSE_END.split(text) if _VIRTUAL.search(text) else []
    return [address for clause in clauses if _VIRTUAL.search(clause) for address in _ADDRESS.findall(clause)]


def tells_of_restarts(text: str) -> bool:
    """Whether the author speaks of something that restarts."""
    return _RESTARTS.search(text) is not None


LONGEST_MESSAGE = 160


def abbreviate(message: str) -> str:
    """As much of a message as a claim may hold: whole words, with … where there are more."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    head, _, torn = message[:LONGEST_MESSAGE].rpartition(" ")
    return f"{head or torn} …"
