"""A node of the lab: a machine with the files, the kernel settings and the daemons of a Kubernetes node with Calico."""

from __future__ import annotations

from collections.abc import Sequence

from tests.lab import bird, containerd
from tests.lab.machine import Machine
from tests.lab.plan import GATEWAY, Plan

NODENAME = "/var/lib/calico/nodename"
CNI = "/etc/cni/net.d/10-calico.conflist"
KUBELET = "/var/lib/kubelet/config.yaml"
FILES = {
    NODENAME: "{name}",
    KUBELET: """\
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: {kubelet_driver}
failSwapOn: true
""",
    CNI: """\
{{
  "name": "k8s-pod-network",
  "cniVersion": "0.3.1",
  "plugins": [
    {{
      "type": "calico", "datastore_type": "kubernetes", "nodename": "{name}", "mtu": 0,
      "ipam": {{"type": "calico-ipam"}}, "policy": {{"type": "k8s"}},
      "kubernetes": {{"kubeconfig": "/etc/cni/net.d/calico-kubeconfig"}}
    }},
    {{"type": "portmap", "snat": true, "capabilities": {{"portMappings": true}}}}
  ]
}}
""",
}
PLUGINS = ("bandwidth", "calico", "calico-ipam", "host-local", "loopback", "portmap")
SETTINGS = ("net.ipv4.ip_forward=1", "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.default.rp_filter=0")


class Node:
    """Runs from its making until its machine is closed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.machine = Machine(plan.name)
        for path, text in FILES.items():
            self.machine.write(path, text.format(name=plan.name, kubelet_driver=plan.kubelet_driver))
        for plugin in PLUGINS:
            self.machine.write(f"/opt/cni/bin/{plugin}", "")
            self.machine.file(f"/opt/cni/bin/{plugin}").chmod(0o755)
        self.machine.run("sysctl", "-q", "-w", *SETTINGS)

    def plug_in(self) -> None:
        """Gives its cards, once they are there, their addresses."""
        cards = f"address add {self.plan.address}/24 dev eth0\nlink set eth0 up\nroute add default via {GATEWAY}\n"
        if self.plan.second_card:
            cards += f"address add {self.plan.second_card}/24 dev eth1\nlink set eth1 up\n"
        self.machine.wire(cards)

    def start(self, others: Sequence[Plan]) -> None:
        """Starts its daemons."""
        containerd.start(self.machine, self.plan.runtime_driver)
        bird.start(self.machine, self.plan, others)
