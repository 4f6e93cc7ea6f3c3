"""What a container runtime does for a pod with a network of its own: calls the CNI plugin that the node's folder names."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from tests.lab.machine import Machine

FOLDER = "/etc/cni/net.d"
PLUGINS = "/opt/cni/bin"
NOT_READY = (
    "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady "
    "message:Network plugin returns error: cni plugin not initialized"
)


class Outcome(Struct, frozen=True):
    """The pod's address, or why it has none in the words of the runtime."""

    address: str = ""
    error: str = ""


def configuration(machine: Machine) -> dict[str, Any] | None:
    """The first plugin of the first file in the folder, as a runtime picks it."""
    folder = machine.file(FOLDER)
    names = sorted(path.name for path in folder.glob("*.conf*")) if folder.is_dir() else []
    for name in names:
        try:
            whole = json.loads((folder / name).read_text("utf-8"))
        except ValueError:
            continue
        first = whole["plugins"][0] if "plugins" in whole else whole
        return {**first, "name": whole["name"], "cniVersion": whole.get("cniVersion", "0.3.1")}
    return None


def connect(machine: Machine, namespace: str, name: str, sandbox: str) -> Outcome:
    """Gives a pod its network."""
    head = f'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "{sandbox}": '
    if not (chosen := configuration(machine)):
        return Outcome(error=NOT_READY)
    kind = chosen["type"]
    if not machine.file(f"{PLUGINS}/{kind}").exists():
        return Outcome(error=f'{head}failed to find plugin "{kind}" in path [{PLUGINS}]')
    machine.attempt("ip", "netns", "add", f"cni-{sandbox[:8]}")
    variables = {
        "CNI_COMMAND": "ADD",
        "CNI_CONTAINERID": sandbox,
        "CNI_NETNS": f"/run/netns/cni-{sandbox[:8]}",
        "CNI_IFNAME": "eth0",
        "CNI_PATH": PLUGINS,
        "CNI_ARGS": f"IgnoreUnknown=1;K8S_POD_NAMESPACE={namespace};K8S_POD_NAME={name};"
        f"K8S_POD_INFRA_CONTAINER_ID={sandbox}",
    }
    words = [f"{key}={value}" for key, value in variables.items()]
    done = machine.attempt("env", *words, f"{PLUGINS}/{kind}", text=json.dumps(chosen))
    try:
        answer = json.loads(done.stdout.strip() or "{}")
    except ValueError:
        answer = {"msg": done.stdout + done.stderr}
    if done.returncode or "ips" not in answer:
        machine.attempt("ip", "netns", "delete", f"cni-{sandbox[:8]}")
        why = (
            answer.get("msg")
            or done.stderr.strip()
            or f"netplugin failed with no error message: exit status {done.returncode}"
        )
        if details := answer.get("details"):
            why = f"{why}; {details}"
        return Outcome(error=f'{head}plugin type="{kind}" failed (add): {why}')
    return Outcome(address=answer["ips"][0]["address"].split("/")[0])
