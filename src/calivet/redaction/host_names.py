"""The table of places in which the names of machines stand, and those of domains, clusters and people."""

from __future__ import annotations

from msgspec import Struct

HOST, CLUSTER, USER, DOMAIN, SERVICE = "host", "cluster", "user", "domain", "service"
NAME = r"[A-Za-z0-9](?:[\w.-]{0,250}[A-Za-z0-9])?"
# Not a word of a sentence.
MARKED = r"(?=\S*[\d.-])"
FULL_NAME = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
TIME = r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*)"
AGO = r"(?:[ \t]\([^)\n]*\))?"
CELL = r"[ \t]+"


class Place(Struct, frozen=True):
    """One way to tell that a word is a name."""

    kind: str
    hint: str
    """For the scanner: simple, and never narrower than the shape."""
    shape: str
    """Each group of it that takes part is a name."""


PLACES = (
    Place(
        HOST, rf"^{TIME} [A-Za-z][\w.-]* [\w./@-]+(?:\[\d+\])?: ", rf"^{TIME} ([A-Za-z][\w.-]*) [\w./@-]+(?:\[\d+\])?: "
    ),
    Place(
        HOST,
        r"^\s*(?:Node|Hostname|Static hostname|Nominated Node Name|Node name):\s+\w",
        rf"^\s*(?:Node|Hostname|Static hostname|Nominated Node Name|Node name):\s+({NAME})(?:/[\d.:a-f]+)?\s*$",
    ),
    Place(HOST, r"kubernetes\.io/hostname", rf"kubernetes\.io/hostname[\"']?(?:=|:|\s+in \[)\s*[\"'\[]?({NAME})"),
    Place(
        HOST,
        r"(?i)node_?name(?:\\*[\"'])?\s*:",
        rf"(?i)\bnode_?name\\*[\"']?\s*:\s*\\*[\"']?({NAME})(?=\\*[\"',;}}]|\s*$)",
    ),
    Place(HOST, r"(?i)node_?name=", rf"(?i)\bnode_?name=\\*[\"']?({NAME})"),
    Place(
        HOST,
        r"(?i)(?:host|node)(?:name)?(?:\\*[\"'])?[=:]\s?\\*[\"']",
        rf"(?i)\b(?:host|node)(?:name)?\\*[\"']?[=:]\s?\\*[\"']({NAME})\\*[\"']",
    ),
    Place(HOST, r"(?:hostname|node)=\w", rf"\b(?:hostname|node)=({NAME})(?=[\s,;)]|$)"),
    Place(
        HOST,
        r"--(?:hostname-override|node-name|hostname)[= ]",
        rf"--(?:hostname-override|node-name|hostname)[= ]({NAME})",
    ),
    Place(HOST, r"nodes? \\*[\"']", rf"\bnodes? \\*[\"']({NAME})\\*[\"']"),
    Place(
        HOST,
        r"[nN]odes?/|system:node:",
        rf"(?<![\w/-])(?:[nN]odes?/|system:node:)(?!\S*\.go\b)({NAME})(?=[\s\"',:)]|$)",
    ),
    Place(
        HOST,
        r"(?:[Nn]ode|[Hh]ost) \S+ (?:status is now|event: |with version)",
        rf"\b(?:[Nn]ode|[Hh]ost) ({NAME}) (?:status is now|event: |with version)",
    ),
    Place(HOST, r"node name:? \w", rf"\bnode name:? ({NAME})\s*$"),
    Place(HOST, r"kubelet, \w", rf"\bkubelet, {MARKED}({NAME})\s"),
    Place(HOST, r"^\s*node: \w", rf"^\s*node: ({NAME})$"),
    Place(HOST, r"[hH]older_?[iI]dentity", r"\b[hH]older_?[iI]dentity\"?:\s+\"?([A-Za-z0-9.-]+)"),
    Place(
        HOST,
        r"(?:cordon|drain|describe nodes?|top nodes?|get nodes?|--node)[ =]\w",
        rf"\b(?:cordon|drain|describe nodes?|top nodes?|get nodes?|--node)[ =]{MARKED}({NAME})(?=\s|$)",
    ),
    Place(HOST, r"^[0-9a-f]{12}[0-9a-f]*, (?:un)?started, ", rf"^[0-9a-f]{{12,16}}, (?:un)?started, ({NAME}), http"),
    # Rows of nodes, and of pods with their nodes; their headers may be gone.
    Place(
        HOST,
        r"\s(?:Ready|NotReady|Unknown)[\w,]*\s+[\w,<>-]+\s+\d+[smhdy]",
        rf"^[ \t]*({NAME}){CELL}(?:Ready|NotReady|Unknown)[\w,]*{CELL}[\w,<>-]+{CELL}\d+[smhdy]",
    ),
    Place(HOST, r"\d+m\s+\d+%", rf"^[ \t]*({NAME}){CELL}\d+m{CELL}\d+%"),
    Place(HOST, r"\(\d+\)\s+\d+\.\d+\.\d", rf"^[ \t]*({NAME}){CELL}\(\d+\){CELL}\d+\.\d+\.\d"),
    Place(
        HOST,
        r"\s\d+/\d+\s+[A-Z]\S*\s+\d+\s",
        rf"[ \t]\d+/\d+{CELL}[A-Z]\S*{CELL}\d+{AGO}{CELL}\w+{CELL}(?:[\d.a-f:]+|<none>){CELL}({NAME})(?=\s|$)",
    ),
    Place(
        HOST,
        r"(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)-\S+\s+\d+/\d+\s",
        rf"(?:^|\s)(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)-({NAME})\s+\d+/\d+\s",
    ),
    Place(
        CLUSTER,
        r"current-context:|--context[= ]|--cluster-name[= ]|clusterName:|use-context |Switched to context|cluster: ",
        r"(?:^\s*(?:current-context|clusterName|(?:- )?cluster):\s+|--context[= ]|--cluster-name[= ]|use-context "
        rf"|Switched to context )\"?(?:{NAME}@)?({NAME})",
    ),
    Place(
        USER,
        r"\w@[\w.-]+[ :][^\n#$]*[#$%]",
        r"^[ \t(\[\w)]{0,40}?\[?([A-Za-z_][\w.+-]{0,31})@[\w.-]+[ :][^\n#$]{0,120}[#$%](?:\s|$)",
    ),
    Place(USER, r"/home/|/Users/", r"/(?:home|Users)/([A-Za-z_][\w.-]*)"),
    Place(USER, r"\w@[\w-]+\.\w", r"(?<![\w.+@/-])([A-Za-z0-9][\w.+-]*)@(?:[\w-]+\.)+[A-Za-z]{2,}(?![\w-])"),
    Place(DOMAIN, r"\w@[\w-]+\.\w", r"(?<![\w.+@/-])[A-Za-z0-9][\w.+-]*@((?:[\w-]+\.)+[A-Za-z]{2,})(?![\w-])"),
    Place(
        SERVICE,
        r"(?:https?|tcp|tls|etcd|ldaps?|wss?|ssh|git|oci|ftp)://",
        rf"\b(?:https?|tcp|tls|etcd|ldaps?|wss?|ssh|git|oci|ftp)://(?:[^\s/@\"']*@)?({FULL_NAME})(?=[:/\s\"',)]|$)",
    ),
    Place(
        SERVICE,
        r"[a-z0-9-]+\.[a-z0-9.-]+(?::\d+)?/[a-z0-9][\w./-]*(?::\w|@sha256)",
        rf"(?<![\w./:-])({FULL_NAME})(?::\d{{2,5}})?/[a-z0-9][\w./-]*(?::[\w.-]+|@sha256)",
    ),
)
