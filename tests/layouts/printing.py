"""Objects as kubectl and the collectors print them: JSON, YAML, tables, describe pages."""

from __future__ import annotations

import json

import yaml

from tests.layouts.cluster import Object

Files = dict[str, bytes]
"""The content of an archive by path."""


def as_text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def as_json(value: object, indent: int | None = 4) -> bytes:
    return (json.dumps(value, indent=indent) + "\n").encode()


def as_yaml(value: object) -> bytes:
    return yaml.safe_dump(value, default_flow_style=False, width=10_000).encode()


def object_list(kind: str, items: list[Object], *, bare: bool = True) -> Object:
    """As the typed clients of Go write it: an item of a typed list has no kind of its own."""
    if bare:
        items = [{key: value for key, value in item.items() if key not in ("kind", "apiVersion")} for item in items]
    version = items[0].get("apiVersion", "v1") if items else "v1"
    return {"kind": kind, "apiVersion": version, "metadata": {"resourceVersion": "900211"}, "items": items}


def plain_list(items: list[Object]) -> Object:
    """As `kubectl get -o yaml` writes it."""
    return {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}


def table(rows: list[list[str]]) -> bytes:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return ("\n".join(lines) + "\n").encode()


def pod_table(pods: list[Object]) -> bytes:
    header = "NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE".split()
    return table([[*header, "NOMINATED NODE", "READINESS GATES"], *(_pod_row(pod) for pod in pods)])


def _pod_row(pod: Object) -> list[str]:
    (status,) = pod["status"]["containerStatuses"]
    word = status["state"].get("waiting", {}).get("reason", pod["status"]["phase"])
    place = [pod["metadata"]["namespace"], pod["metadata"]["name"]]
    state = [f"{int(status['ready'])}/1", word, str(status["restartCount"]), "10d"]
    return [*place, *state, pod["status"]["podIP"], pod["spec"]["nodeName"], "<none>", "<none>"]


def node_table(nodes: list[Object]) -> bytes:
    header = "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME".split()
    rows = []
    for node in nodes:
        info = node["status"]["nodeInfo"]
        ready = next(one["status"] for one in node["status"]["conditions"] if one["type"] == "Ready")
        roles = "control-plane" if "node-role.kubernetes.io/control-plane" in node["metadata"]["labels"] else "<none>"
        address = node["status"]["addresses"][0]["address"]
        head = [
            node["metadata"]["name"],
            "Ready" if ready == "True" else "NotReady",
            roles,
            "36d",
            info["kubeletVersion"],
        ]
        rows.append([*head, address, "<none>", info["osImage"], info["kernelVersion"], info["containerRuntimeVersion"]])
    return table([header, *rows])


def event_table(events: list[Object]) -> bytes:
    rows = [["NAMESPACE", "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]]
    for event in events:
        about = event["involvedObject"]
        message = " ".join(event["message"].split("\n")).strip()
        rows.append(
            [
                about["namespace"],
                "37s",
                event["type"],
                event["reason"],
                f"{about['kind'].lower()}/{about['name']}",
                message,
            ]
        )
    return table(rows)


def daemonset_table(sets: list[Object]) -> bytes:
    rows = ["NAMESPACE NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE".split()]
    for each in sets:
        ready = str(each["status"]["numberReady"])
        rows.append([each["metadata"]["namespace"], each["metadata"]["name"], "3", "3", ready, "3", ready])
    return table(rows)


def described_pod(pod: Object, events: list[Object]) -> bytes:
    (status,) = pod["status"]["containerStatuses"]
    lines = [
        f"Name:                 {pod['metadata']['name']}",
        f"Namespace:            {pod['metadata']['namespace']}",
        f"Node:                 {pod['spec']['nodeName']}/{pod['status']['hostIP']}",
        "Start Time:           Sat, 01 Mar 2025 09:00:01 +0000",
        f"Status:               {pod['status']['phase']}",
        f"IP:                   {pod['status']['podIP']}",
        f"Controlled By:  {pod['metadata']['ownerReferences'][0]['kind']}/{pod['metadata']['ownerReferences'][0]['name']}",
        "Containers:",
        f"  {status['name']}:",
        f"    Image:         {status['image']}",
        *_described_state("State", status["state"]),
        *_described_state("Last State", status["lastState"]),
        f"    Ready:          {status['ready']}",
        f"    Restart Count:  {status['restartCount']}",
        "Events:",
        "  Type     Reason     Age                  From     Message",
        "  ----     ------     ----                 ----     -------",
    ]
    for event in events:
        if event["involvedObject"]["name"] == pod["metadata"]["name"]:
            message = event["message"].rstrip("\n").replace("\n", "\n  ")
            lines.append(f"  {event['type']}  {event['reason']}  37s (x{event['count']} over 22m)  kubelet  {message}")
    return ("\n".join(lines) + "\n").encode()


def _described_state(label: str, state: Object) -> list[str]:
    for word, detail in state.items():
        lines = [f"    {label + ':':<15} {word.capitalize()}"]
        lines += [
            f"      {title + ':':<13} {detail[key]}"
            for key, title in (("reason", "Reason"), ("exitCode", "Exit Code"))
            if key in detail
        ]
        return lines
    return []


def described_node(node: Object) -> bytes:
    lines = [f"Name:               {node['metadata']['name']}", "Roles:              <none>"]
    lines += [
        "Annotations:        "
        + "\n                    ".join(f"{key}: {value}" for key, value in node["metadata"]["annotations"].items())
    ]
    lines += [
        "Conditions:",
        "  Type                 Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message",
    ]
    lines += [
        "  ----                 ------  -----------------                 ------------------                ------                       -------"
    ]
    stamp = "Tue, 11 Mar 2025 10:20:00 +0000"
    lines += [
        f"  {one['type']:<20} {one['status']:<7} {stamp}   {stamp}   {one['reason']:<28} {one['message']}"
        for one in node["status"]["conditions"]
    ]
    lines += [
        "Addresses:",
        f"  InternalIP:  {node['status']['addresses'][0]['address']}",
        f"  Hostname:    {node['metadata']['name']}",
        "",
    ]
    return "\n".join(lines).encode()
