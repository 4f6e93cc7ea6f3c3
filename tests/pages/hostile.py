"""A small sick cluster whose evidence was written by somebody who wants the page to do his bidding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

MARK = "planted"
"""What every script here would set on `window`; no page may ever have it."""

_RUN = f"window.{MARK}=1"
MARKUP = (
    f"<script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"</style></title></textarea><img src=x onerror={_RUN}>",
    f"<svg/onload={_RUN}><text>&lt;b&gt;</text></svg>",
    f"\"'><iframe srcdoc='<script>parent.{MARK}=1</script>'>",
    f"' onfocus='{_RUN}' autofocus='",
    f'<a href="javascript:{_RUN}">go</a>',
    "<!-- --><!--> ]]> <![CDATA[ <?xml?> &#x3C;b&#x3E; &amp;lt;",
    "<style>*{display:none}</style><link rel=stylesheet href=//evil.example/a.css><base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
)
TEMPLATES = (
    "{{ 7 * 7 }} {{ self }} {{ config.items() }}",
    "{% for x in ().__class__ %}{% endfor %}",
    "{# #} ${7*7} #{7}",
)
CONTROLS = (
    "\x1b[2J\x1b[31mred\x1b[0m\x1b]0;title\x07 \x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "nul\x00 bell\x07 back\x08\x08 vertical\x0b form\x0c delete\x7f next\x85 unit\x1f",
    "\u202eRTL override\u202c \u2066isolate\u2069 \u200fmark \ufeff\u2028line\u2029paragraph",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")
    + " e\u0301\u0301\u0301\u0301 \ufffe\uffff \U000e0041",
)
LONG = ("W" * 20_000, "/".join(["deep"] * 3_000))
WORDS = (*MARKUP, *TEMPLATES, *CONTROLS, *LONG)
"""Everything that is planted: in logs, messages, names, labels, commands and the names of files."""

NODES = {"cove-1": "10.66.3.11", "cove-2": "10.66.3.12", "cove-3": "10.66.3.13"}
AGENTS = {"cove-1": "calico-node-q4w2x", "cove-2": "calico-node-m8d5t", "cove-3": "calico-node-z7c9k"}
SICK = "cove-2"
_MOMENT = "2025-05-06"


def write_hostile(folder: Path) -> Path:
    """Write the evidence into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files():
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    return folder


def files() -> Iterator[tuple[str, str]]:
    """Name and content of each file; slashes and NUL are all that a file's name cannot hold."""
    yield "cluster.txt", _tables()
    yield "nodes.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": list(_nodes())}, indent=2)
    yield "events.txt", _events()
    yield f"{AGENTS[SICK]} <img src=x onerror={_RUN}> \"'& {{{{ 7*7 }}}}.log", _log()
    yield "kubelet \u202egol.exe ]]>.txt", _journal()
    yield "peers.txt", _peers()
    yield "note.md", "\n\n".join(f"On {SICK} Felix panics, somebody wrote {word[:200]} there." for word in WORDS)


def _tables() -> str:
    lines = [
        f"ops@<b>desk</b>:~$ # {MARKUP[0]}",
        f"ops@desk:~$ kubectl get nodes -o wide # {MARKUP[1]}",
        "NAME     STATUS     ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION       CONTAINER-RUNTIME",
    ]
    for name, address in NODES.items():
        status = "NotReady" if name == SICK else "Ready"
        lines.append(
            f"{name}   {status:<8}   <none>   90d   v1.29.4   {address}    <none>        Ubuntu <b>22</b>     5.15.0-105-generic   containerd://1.7.16"
        )
    lines += [
        "ops@desk:~$ kubectl get pods -n kube-system -o wide",
        "NAME                READY   STATUS             RESTARTS        AGE   IP           NODE     NOMINATED NODE   READINESS GATES",
    ]
    for name, address in NODES.items():
        state = (
            "0/1     CrashLoopBackOff   41 (2m9s ago)" if name == SICK else "1/1     Running            0            "
        )
        lines.append(f"{AGENTS[name]}   {state}   6h    {address}   {name}   <none>           <none>")
    return "\n".join([*lines, ""])


def _nodes() -> Iterator[dict[str, object]]:
    """As the API would never answer: anything may stand in a file that says it did."""
    for number, word in enumerate(WORDS):
        label = {"topology.kubernetes.io/zone": word[:300], "note": word[:100]}
        condition = {
            "type": "Ready",
            "status": "False",
            "reason": word[:100],
            "message": word[:1_000],
            "lastTransitionTime": f"{_MOMENT}T08:00:{number:02}Z",
        }
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"cove-{number} {word[:300]}", "labels": label},
            "status": {
                "conditions": [condition],
                "addresses": [{"type": "InternalIP", "address": f"10.66.4.{number} {word[:40]}"}],
            },
        }


def _events() -> str:
    head = "ops@desk:~$ kubectl get events -n kube-system\nLAST SEEN   TYPE      REASON      OBJECT                  MESSAGE"
    about = f"Warning   Unhealthy   pod/{AGENTS[SICK]}"
    rows = [
        f"{number + 1:>2}m         {about}   Liveness probe failed: {_one_line(word)}"
        for number, word in enumerate(WORDS)
    ]
    return "\n".join([head, *rows, ""])


def _log() -> str:
    """The decisive words stand before, behind and between what is planted."""
    failed = 'stderr="ipset v7.11: Cannot open session to kernel.\\n"'
    lines = [f"ops@desk:~$ kubectl logs -n kube-system {AGENTS[SICK]} -c calico-node"]
    for number, word in enumerate(WORDS):
        head = f"{_MOMENT} 09:{number:02}:11.118 [ERROR][42] felix/ipsets.go 569: Bad return code from 'ipset list'."
        lines.append(f"{head} {_one_line(word)} {failed} {_one_line(word[:500])}")
        lines.append(_one_line(word))
    return "\n".join([*lines, ""])


def _journal() -> str:
    lines = [
        f"May 06 09:{number:02}:40 {SICK} kubelet[911]: E0506 09:{number:02}:40.551210     911 pod_workers.go:1301] "
        f'"Error syncing pod, skipping" err="{_one_line(word)}" pod="kube-system/{AGENTS[SICK]}"'
        for number, word in enumerate(WORDS)
    ]
    return "\n".join([*lines, ""])


def _peers() -> str:
    rows = [
        f"| 10.66.3.{number + 11} | {_one_line(word[:60])} | start | 09:{number:02}:00 | Active Socket: {_one_line(word[:200])} |"
        for number, word in enumerate(WORDS)
    ]
    head = f"root@{SICK}:~# calicoctl node status\nCalico process is running.\n\nIPv4 BGP status"
    title = "| PEER ADDRESS | PEER TYPE | STATE | SINCE | INFO |"
    return "\n".join([head, title, *rows, ""])


def _one_line(word: str) -> str:
    return word.replace("\n", " ").replace("\r", " ")
