"""Faults whose advice was wrong once: evidence as small as the cause allows, and what the advice has and has not."""

from __future__ import annotations

from msgspec import Struct

from tests.facts.drawing import nodes, pods

OPERATOR = pods(
    "calico-node-7tq4n 0/1 Running 3 9d 10.71.0.11 loom-1",
    "calico-node-kd9wp 1/1 Running 0 9d 10.71.0.12 loom-2",
    namespace="calico-system",
)
MANIFEST = pods(
    "calico-node-7tq4n 0/1 Running 3 9d 10.71.0.11 loom-1",
    "calico-node-kd9wp 1/1 Running 0 9d 10.71.0.12 loom-2",
    "calico-kube-controllers-5d4f8c7b9-x2x2x 1/1 Running 0 9d 10.244.0.3 loom-2",
)
NATIVE = """
$ kubectl get crd
NAME                                    CREATED AT
ippools.projectcalico.org               2026-05-02T10:00:00Z
felixconfigurations.projectcalico.org   2026-05-02T10:00:00Z
"""
BPF = """
$ kubectl get felixconfigurations.crd.projectcalico.org default -o yaml
apiVersion: crd.projectcalico.org/v1
kind: FelixConfiguration
metadata:
  name: default
spec:
  bpfEnabled: true
"""
RKE2 = nodes("loom-1 NotReady 10.71.0.11", "loom-2 Ready 10.71.0.12").replace("v1.24.6", "v1.24.6+rke2r1")


def log(line: str, namespace: str = "kube-system", container: str = "calico-node") -> str:
    """What calico-node of loom-1 logs."""
    return f"\n$ kubectl logs -n {namespace} calico-node-7tq4n -c {container}\n{line}\n"


def on(host: str, command: str, *lines: str) -> str:
    """What a command prints on a node."""
    return f"\n[root@{host} ~]# {command}\n" + "\n".join(lines) + "\n"


def event(text: str) -> str:
    """A warning that kubectl shows."""
    return f"\n$ kubectl get events -A\nNAMESPACE     LAST SEEN   TYPE      REASON         OBJECT                  MESSAGE\n{text}\n"


class Row(Struct):
    """A fault, evidence of it, and expressions for what its advice has and has not."""

    cause: str
    text: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


NO_V1_KIND = log(
    "2026-05-02 10:11:12.131 [FATAL][9] startup/startup.go 200: failed to list nodes"
    " error=the server could not find the requested resource (get ippools.crd.projectcalico.org)"
)
FLANNEL_CALLED = on(
    "loom-1",
    "journalctl -u kubelet",
    'E0502 10:11:12.131415 900 pod_workers.go:1300] failed to find plugin "flannel" in path [/opt/cni/bin]',
)
LOCKED = "$ kubectl get clusterinformations.crd.projectcalico.org default -o yaml\napiVersion: crd.projectcalico.org/v1\nkind: ClusterInformation\nmetadata:\n  name: default\nspec:\n  datastoreReady: false\n"
REJECTS = on(
    "loom-1",
    "iptables -S INPUT",
    "-P INPUT ACCEPT",
    "-A INPUT -j cali-INPUT",
    "-A INPUT -p tcp -m tcp --dport 179 -j REJECT --reject-with icmp-host-prohibited",
) + on("loom-1", "firewall-cmd --list-all", "public (active)")
SMALL_PASSES = on(
    "loom-1",
    "ping -c 3 -M do -s 1300 10.244.1.9",
    "PING 10.244.1.9 (10.244.1.9) 1300(1328) bytes of data.",
    "1308 bytes from 10.244.1.9: icmp_seq=1 ttl=62 time=0.4 ms",
    "",
    "--- 10.244.1.9 ping statistics ---",
    "3 packets transmitted, 3 received, 0% packet loss, time 2043ms",
)
POLICY_WITHOUT_DNS = (
    pods(
        "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.11 loom-1",
        "calico-node-kd9wp 1/1 Running 0 9d 10.71.0.12 loom-2",
    )
    + pods("shop-5d4f8c7b9-abcde 1/1 Running 0 2h 10.244.1.9 loom-1", namespace="shop")
    + """
$ kubectl -n shop exec deploy/shop -- nslookup kubernetes.default
;; connection timed out; no servers could be reached

command terminated with exit code 1
$ kubectl -n desk exec deploy/desk -- nslookup kubernetes.default
Server:     10.96.0.10
Address:    10.96.0.10#53

Name:   kubernetes.default.svc.cluster.local
Address: 10.96.0.1

$ kubectl -n shop exec deploy/shop -- curl -skm3 -o /dev/null -w '%{http_code}' https://10.96.0.1/version
200
$ kubectl get netpol -n shop
NAME              POD-SELECTOR   AGE
restrict-egress   <none>         118m
$ kubectl get netpol -n shop restrict-egress -o yaml
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: restrict-egress
  namespace: shop
spec:
  egress:
  - ports:
    - port: 443
      protocol: TCP
  podSelector: {}
  policyTypes:
  - Egress
"""
)
POOL_OF_NODES = """
$ calicoctl get ippool -o wide
NAME                  CIDR           NAT    IPIPMODE   VXLANMODE   DISABLED   DISABLEBGPEXPORT   SELECTOR
default-ipv4-ippool   10.71.0.0/16   true   Always     Never       false      false              all()
"""
PODS_MTU = on(
    "loom-1",
    "ping -c 3 -M do -s 1472 10.244.1.9",
    "PING 10.244.1.9 (10.244.1.9) 1472(1500) bytes of data.",
    "",
    "--- 10.244.1.9 ping statistics ---",
    "3 packets transmitted, 0 received, 100% packet loss, time 2043ms",
)
OOM = on(
    "loom-1",
    "dmesg -T",
    "[Fri May  2 10:11:12 2026] Out of memory: Killed process 4711 (calico-node) total-vm:3145728kB",
)
LOADED = on(
    "loom-1",
    "uptime",
    " 10:11:12 up 9 days,  2:03,  1 user,  load average: 96.10, 92.44, 90.02",
) + on("loom-1", "nproc", "4")
REFUSED_AS = on(
    "loom-1",
    "calicoctl node status",
    "Calico process is running.",
    "",
    "IPv4 BGP status",
    "+--------------+---------------+-------+----------+--------------------------------+",
    "| PEER ADDRESS |   PEER TYPE   | STATE |  SINCE   |              INFO              |",
    "+--------------+---------------+-------+----------+--------------------------------+",
    "| 10.71.9.1    | node specific | start | 10:11:12 | {info:<30} |",
    "+--------------+---------------+-------+----------+--------------------------------+",
)


def refused_as(info: str) -> str:
    """A session that ends over an AS number."""
    return MANIFEST + REFUSED_AS.replace("{info:<30}", info.ljust(30))


UNANSWERED = (
    nodes("loom-1 Ready 10.71.0.11", "loom-2 Ready 10.71.0.12")
    + MANIFEST
    + on(
        "loom-2",
        "birdcl -s /var/run/calico/bird.ctl show protocols",
        "BIRD v0.3.3+birdv1.6.8 ready.",
        "name     proto    table    state  since       info",
        "Mesh_10_71_0_11 BGP      master   start  10:44:07    Active        Socket: Connection timed out",
    )
    + on(
        "loom-2",
        "tcpdump -nni ens192 host 10.71.0.11 and tcp port 179 -c 2",
        "10:52:31.011201 IP 10.71.0.12.43231 > 10.71.0.11.179: Flags [S], seq 2077211803, win 64240, length 0",
        "10:52:32.040117 IP 10.71.0.12.43231 > 10.71.0.11.179: Flags [S], seq 2077211803, win 64240, length 0",
    )
    + on(
        "loom-1",
        "timeout 20 tcpdump -nni ens192 host 10.71.0.12 and tcp port 179",
        "0 packets captured",
        "0 packets received by filter",
    )
    + on(
        "loom-1",
        "ss -ltn 'sport = :179'",
        "State   Recv-Q  Send-Q   Local Address:Port   Peer Address:Port  Process",
        "LISTEN  0       8              0.0.0.0:179         0.0.0.0:*",
    )
)


def pull(reason: str) -> str:
    """An image that cannot be pulled."""
    return pods("calico-node-7tq4n 0/1 Init:ImagePullBackOff 0 9m 10.71.0.11 loom-1") + event(
        "kube-system   2m   Warning   Failed   pod/calico-node-7tq4n   "
        f'Failed to pull image "registry.example/calico/node:v3.27.0": {reason}'
    )


def refused_pod(reason: str) -> str:
    """A pod that may not be created."""
    return event(f"kube-system   2m   Warning   FailedCreate   daemonset/calico-node   Error creating: {reason}")


ROWS: dict[str, Row] = {
    "a foreign CNI file goes alone": Row(
        "cni-config-conflict",
        MANIFEST
        + FLANNEL_CALLED
        + on(
            "loom-1",
            "ls -l /etc/cni/net.d",
            "total 12",
            "-rw-r--r-- 1 root root  292 May  2 10:00 05-flannel.conflist",
            "-rw-r--r-- 1 root root  813 May  2 10:01 10-calico.conflist",
            "-rw------- 1 root root 2800 May  2 10:01 calico-kubeconfig",
        ),
        has=(
            r"mv -v /etc/cni/net\.d/05-flannel\.conflist /root/cni-saved/",
            r"ls /etc/cni/net\.d/10-calico\.conflist",
            "cni.type",
        ),
        lacks=(r"! -name", r"find /etc/cni"),
    ),
    "the only CNI file stays": Row(
        "cni-config-conflict",
        MANIFEST
        + FLANNEL_CALLED
        + on(
            "loom-1", "ls -l /etc/cni/net.d", "total 4", "-rw-r--r-- 1 root root  292 May  2 10:00 05-flannel.conflist"
        ),
        lacks=(r"\bmv\b", r"! -name"),
    ),
    "v1 kinds are not added to a v3 store": Row(
        "crd-missing",
        MANIFEST + NATIVE + NO_V1_KIND,
        has=(r"manifests/v3_projectcalico_org\.yaml",),
        lacks=(r"manifests/crds\.yaml", r"operator-crds\.yaml"),
    ),
    "v1 kinds are added behind a guard": Row(
        "crd-missing",
        MANIFEST + NO_V1_KIND,
        has=(r"get crd ippools\.projectcalico\.org .*\|\| kubectl apply .*manifests/crds\.yaml",),
        lacks=(r"<end>",),
    ),
    "a migration is looked for before the flag is set": Row(
        "datastore-not-ready-flag",
        MANIFEST + "\n" + LOCKED,
        has=(
            r"datastoremigrations\.migration\.projectcalico\.org.*\|\| kubectl patch clusterinformations\.crd\.projectcalico\.org",
        ),
    ),
    "firewalld is opened before it is switched off": Row(
        "firewall-on-host",
        MANIFEST + REJECTS,
        has=(
            r"iptables -D INPUT -p tcp -m tcp --dport 179 -j REJECT --reject-with icmp-host-prohibited",
            r"--add-protocol=4 ",
            r"(?s)--add-port=179/tcp.*systemctl disable --now firewalld",
            r"rm -rf /etc/firewalld && mv /root/firewalld-saved /etc/firewalld",
        ),
        lacks=(r"protocol=ipip", r"10\.244\.0\.0/16", r"(?s)disable --now firewalld.*--add-port"),
    ),
    "deployments are not restarted all over": Row(
        "mtu-mismatch",
        MANIFEST + SMALL_PASSES + PODS_MTU,
        has=(r"cat veth-mtu-saved\.txt \|\| echo 0", r"not|other than 0", r"veth_mtu\":\"1328\""),
        lacks=(r"rollout restart deployment -A", r'"veth_mtu":"14', r'"mtu":1400'),
    ),
    "the node's name comes from Kubernetes": Row(
        "hostname-changed-or-dup",
        MANIFEST
        + on("loom-1", "cat /var/lib/calico/nodename", "loom-2")
        + log(
            "2026-05-02 10:11:12.131 [WARNING][9] startup/startup.go 410: IPv4 address has changed."
            ' This could happen if there are multiple nodes with the same name. node="loom-2"'
        )
        + "\nIt turned out that two machines had the same hostname.\n",
        has=(
            r'"NODENAME","value":null,"valueFrom":\{"fieldRef":\{"fieldPath":"spec\.nodeName"\}\}',
            r"rollout restart daemonset calico-node",
        ),
        # Clones share the machine-id, so it makes no name unique.
        lacks=(r"--from-field", r"delete pod -l", r"cut -c1-6 /etc/machine-id"),
    ),
    "the operator's overrides stay": Row(
        "host-oom",
        OPERATOR + OOM,
        has=(
            r"calico-node-overrides-saved\.json",
            r"replaces the whole list",
            r'"path\\":\\"/spec/calicoNodeDaemonSet\\",\\"value\\":\$\(',
        ),
        lacks=(r'"op":"remove","path":"/spec/calicoNodeDaemonSet"', r"2Gi"),
    ),
    "the operator's overrides stay under load": Row(
        "node-overload",
        OPERATOR + LOADED,
        has=(r"calico-node-overrides-saved\.json", r"replaces the whole list"),
        lacks=(r'"op":"remove","path":"/spec/calicoNodeDaemonSet"', r"256Mi"),
    ),
    "all other methods are set to null": Row(
        "no-ip-autodetected",
        OPERATOR
        + log(
            "2026-05-02 10:11:12.131 [WARNING][9] startup/startup.go 710: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.",
            "calico-system",
        ),
        has=(
            r'"firstFound":null,"interface":null,"skipInterface":null,"canReach":null,"cidrs":null,"kubernetes":"NodeInternalIP"',
            r"autodetection-saved\.json",
        ),
        lacks=(r"<end>", r'"kubernetes":null,"firstFound":true'),
    ),
    "kube-proxy comes back before eBPF goes": Row(
        "bpf-dataplane-failed",
        MANIFEST
        + BPF
        + log(
            "2026-05-02 10:11:12.131 [ERROR][61] felix/syscall.go 180: BPF Verifier:    BPF program is too large. Processed 1000001 insn\n"
            "2026-05-02 10:11:12.231 [WARNING][61] felix/bpf_ep_mgr.go 2031: Failed to apply policy to endpoint, leaving it dirty"
            ' error=failed to update policy program: argument list too long name="caliaf3071b65e2"'
        ),
        has=(
            r'(?s)"non-calico":null.*"bpfEnabled":false',
            r"daemonset kube-proxy",
            r"kubectl drain loom-1 .*reboot",
            r"every Service stops working",
        ),
    ),
    "the operator may look after kube-proxy itself": Row(
        "bpf-dataplane-failed",
        OPERATOR
        + BPF
        + log(
            "2026-05-02 10:11:12.131 [ERROR][61] felix/syscall.go 180: BPF Verifier:    BPF program is too large. Processed 1000001 insn\n"
            "2026-05-02 10:11:12.231 [WARNING][61] felix/bpf_ep_mgr.go 2031: Failed to apply policy to endpoint, leaving it dirty"
            ' error=failed to update policy program: argument list too long name="caliaf3071b65e2"',
            "calico-system",
        ),
        has=(
            r'"linuxDataplane":"Iptables","bpfNetworkBootstrap":null',
            r"calicoNetwork\.kubeProxyManagement",
            r"calico-network-saved\.json",
        ),
        lacks=(r'"bpfEnabled":false', r'"linuxDataplane":"BPF"'),
    ),
    "kube-proxy comes back before the file system of eBPF is given up": Row(
        "bpffs-mount-failed",
        MANIFEST
        + BPF
        + log(
            "2026-05-02 10:11:12.131 [ERROR][1] init/calico-init_linux.go 81: Failed to mount BPF filesystem error=operation not permitted",
            container="mount-bpffs",
        ),
        has=(
            r'(?s)"non-calico":null.*rollout status daemonset kube-proxy.*"bpfEnabled":false',
            r"every Service stops working",
        ),
        lacks=(r"patch installation",),
    ),
    "kube-proxy comes back before an old kernel goes without eBPF": Row(
        "kernel-too-old",
        MANIFEST
        + BPF
        + log(
            "2026-05-02 10:11:12.131 [FATAL][61] felix/int_dataplane.go 361: BPF dataplane mode enabled but not supported by the kernel."
            " Disabling BPF mode. error=kernel version 4.15.0 is not supported"
        ),
        has=(r'(?s)"non-calico":null.*rollout status daemonset kube-proxy.*"bpfEnabled":false',),
        lacks=(r"patch installation",),
    ),
    "a pod with a foreign address is not calico-node": Row(
        "cni-config-conflict",
        MANIFEST
        + pods("wiki-0 1/1 Running 0 2h 10.88.0.9 loom-1", namespace="wiki")
        + FLANNEL_CALLED
        + on(
            "loom-1",
            "ls -l /etc/cni/net.d",
            "-rw-r--r-- 1 root root  292 May  2 10:00 05-flannel.conflist",
            "-rw-r--r-- 1 root root  813 May  2 10:01 10-calico.conflist",
        )
        + "\n$ kubectl get ippools.crd.projectcalico.org -o yaml\napiVersion: crd.projectcalico.org/v1\nkind: IPPool\nmetadata:\n  name: only\nspec:\n  cidr: 10.244.0.0/16\n",
        has=(r"kubectl delete pod -n wiki wiki-0",),
        lacks=(r"delete pod -n kube-system calico-node-7tq4n",),
    ),
    "without the rights Felix turns unready": Row(
        "source-check-blocked",
        MANIFEST
        + on(
            "loom-1",
            "aws ec2 describe-network-interfaces --query 'NetworkInterfaces[].[PrivateIpAddress,SourceDestCheck]' --output text",
            "10.71.0.11\tTrue",
            "10.71.0.12\tTrue",
        )
        + log(
            "2026-05-02 10:11:12.131 [WARNING][61] felix/ec2.go 110: Failed to set source-destination-check error=UnauthorizedOperation: You are not authorized to perform this operation."
        ),
        has=(r"ec2:ModifyNetworkInterfaceAttribute", r"every Felix", r'"awsSrcDstCheck":"Enable"'),
        lacks=(r'"awsSrcDstCheck":"DoNothing"', r"10\.244\.0\.0/16"),
    ),
    "OpenStack is not asked for what is AWS's": Row(
        "source-check-blocked",
        MANIFEST
        + on(
            "loom-1",
            "openstack port show 5d4f8c7b",
            "| port_security_enabled | True                                 |",
        )
        + "\nThe port security of the cloud was the cause: it dropped the packets of the pods.\n",
        has=(r"openstack port set --allowed-address",),
        lacks=(r"awsSrcDstCheck", r"canIpForward"),
    ),
    "a hypervisor is not asked for what is AWS's": Row(
        "source-check-blocked",
        MANIFEST
        + on("loom-1", "cat /etc/pve/firewall/104.fw", "[OPTIONS]", "enable: 1", "ipfilter: 1")
        + "\nThe anti-spoofing of the hypervisor was the cause: it dropped the packets of the pods.\n",
        has=(r"Proxmox and libvirt, the IP filter",),
        lacks=(r"awsSrcDstCheck", r"openstack port set"),
    ),
    "the operator reads the address at its start": Row(
        "service-vip-unreachable",
        OPERATOR
        + BPF
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: failed to query kubeadm\'s config map error=Get "https://10.96.0.1:443/api/v1/namespaces/kube-system/configmaps/kubeadm-config": dial tcp 10.96.0.1:443: i/o timeout',
            "calico-system",
        )
        + on("loom-1", "curl -k https://10.71.0.11:6443/version", '{ "major": "1" }')
        + on(
            "loom-1",
            "curl -k -m 5 https://10.96.0.1:443/version",
            "curl: (28) Connection timed out after 5001 milliseconds",
        ),
        has=(
            r"kubernetes-services-endpoint -n tigera-operator .*&& kubectl -n tigera-operator rollout restart deployment tigera-operator",
        ),
        lacks=(r"restarts Calico by itself",),
    ),
    "the tunnels are allowed without a rule": Row(
        "host-endpoint-policy",
        MANIFEST
        + "\n$ kubectl get hostendpoints.crd.projectcalico.org -o yaml\napiVersion: crd.projectcalico.org/v1\nkind: HostEndpoint\nmetadata:\n  name: loom-1-eth0\nspec:\n  node: loom-1\n  interfaceName: eth0\n"
        + on("loom-1", "iptables-save -c", '[812:48122] -A cali-fh-eth0 -m comment --comment "cali:abc" -j DROP'),
        has=(
            r"VXLAN, IP-in-IP and WireGuard .* are allowed",
            r"hostendpoint-saved\.yaml",
            r"kubectl delete hostendpoints\.crd\.projectcalico\.org loom-1-eth0",
            r"iptables -S \$c",
            r"kubectl create -f hostendpoint-saved",
        ),
        lacks=(r"hostendpoint NAME",),
    ),
    "certificates are kept": Row(
        "typha-tls-mismatch",
        OPERATOR
        + log(
            "2026-05-02 10:11:12.131 [WARNING][61] felix/sync_client.go 300: Failed to connect to typha endpoint 10.71.0.12:5473.  Will try other endpoints if available... error=x509: certificate has expired or is not yet valid",
            "calico-system",
        )
        + log(
            '2026-05-02 10:11:13.131 [ERROR][61] felix/daemon.go 600: error=tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "typha-ca") connecting to typha',
            "calico-system",
        ),
        has=(r"typha-certificates-saved\.yaml", r"kubectl (?:apply|replace --force) -f typha-certificates-saved"),
    ),
    "a record is only removed where it is stale": Row(
        "duplicate-node-ip",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [WARNING][9] startup/startup.go 910: Calico node 'loom-2' is already using the IPv4 address 10.71.0.12."
        ),
        has=(
            r"get node loom-2 .*InternalIP",
            r"an address other than 10\.71\.0\.12:",
            r"address-saved\.txt",
            # The step before it has replaced the pods: the name is looked up when it is needed.
            r"delete pod -n kube-system \$\(kubectl get pod .*spec\.nodeName=loom-1 ",
        ),
        lacks=(r"delete pod -n kube-system calico-node-kd9wp", r"delete pod .*spec\.nodeName=loom-2 "),
    ),
    "a node is kept before it is deleted": Row(
        "stale-node-record",
        nodes("loom-1 Ready 10.71.0.11", "loom-2 Ready 10.71.0.12", "loom-3 Ready 10.71.0.13")
        + "\n$ calicoctl get nodes -o wide\nNAME     ASN       IPV4            IPV6\nloom-1   (64512)   10.71.0.11/24\nloom-2   (64512)   10.71.0.12/24\nloom-3   (64512)   10.71.0.13/24\nloom-9   (64512)   10.71.0.19/24\n"
        + on(
            "loom-1",
            "calicoctl node status",
            "Calico process is running.",
            "",
            "IPv4 BGP status",
            "+--------------+-------------------+-------+----------+--------------------------------+",
            "| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |              INFO              |",
            "+--------------+-------------------+-------+----------+--------------------------------+",
            "| 10.71.0.12   | node-to-node mesh | up    | 09:11:12 | Established                    |",
            "| 10.71.0.13   | node-to-node mesh | up    | 09:11:12 | Established                    |",
            "| 10.71.0.19   | node-to-node mesh | start | 10:11:12 | Connect Socket: Host is        |",
            "|              |                   |       |          | unreachable                    |",
            "+--------------+-------------------+-------+----------+--------------------------------+",
        ),
        has=(r"node-saved\.yaml", r"loom-9"),
        lacks=(r"<removed-node>",),
    ),
    "the plugin's file stays until it is written anew": Row(
        "tls-ca-mismatch",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: failed to query kubeadm\'s config map error=Get "https://10.96.0.1:443/api/v1/nodes/loom-1": x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "kubernetes")'
        ),
        has=(
            r"calico-kubeconfig-?\.saved|calico-kubeconfig\.saved",
            r"kube-root-ca\.crt",
            r"logs -n kube-system \$\(kubectl get pod .*spec\.nodeName=loom-1 .*grep -c x509",
        ),
        lacks=(r"mv /etc/cni/net\.d/calico-kubeconfig",),
    ),
    "the check looks at the pod's own token": Row(
        "token-invalid",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: Unable to access datastore to query node configuration error=connection is unauthorized: Unauthorized"
        ),
        has=(r"logs -n kube-system .*spec\.nodeName=loom-1 .*Unauthorized", r"(?s)the pod.s own token"),
    ),
    "the check asks for what was refused": Row(
        "rbac-forbidden",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 172: Unable to set node resource configuration error=connection is unauthorized: ippools.crd.projectcalico.org "default" is forbidden: User "system:serviceaccount:kube-system:calico-node" cannot list resource "ippools" in API group "crd.projectcalico.org" at the cluster scope'
        ),
        has=(
            r"kubectl auth can-i -A list ippools\.crd\.projectcalico\.org --as=system:serviceaccount:kube-system:calico-node",
        ),
        lacks=(r"can-i update blockaffinities", r"<end>"),
    ),
    "a policy is kept before it is edited": Row(
        "network-policy-blocks",
        POLICY_WITHOUT_DNS,
        has=(r"networkpolicies-saved\.yaml", r"Staged policies block nothing"),
        lacks=(r"get networkpolicy -A -o yaml > saved",),
    ),
    "one key of the secret is changed": Row(
        "bgp-password-mismatch",
        MANIFEST
        + on(
            "loom-1",
            "dmesg -T",
            "[Fri May  2 10:11:12 2026] TCP: MD5 Hash failed for (10.71.9.1, 179)->(10.71.0.11, 40122)",
        ),
        has=(r"bgp-password-saved\.json", r"kubectl patch secret .*--type merge", r"secretKeyRef\.name"),
        lacks=(r"THE_PASSWORD", r"create secret generic bgp-secrets"),
    ),
    "etcd is kept before it is compacted": Row(
        "etcd-unhealthy",
        on(
            "loom-1",
            "crictl logs etcd",
            '{"level":"warn","msg":"failed to apply request","error":"etcdserver: mvcc: database space exceeded"}',
        )
        + on("loom-1", "kubectl get nodes", "Error from server: etcdserver: mvcc: database space exceeded"),
        has=(r"(?s)snapshot save.*etcdctl compact.*defrag --cluster && etcdctl alarm disarm", r"--unlink=1"),
    ),
    "a second pool is a copy": Row(
        "ip-pool-exhausted",
        MANIFEST
        + on(
            "loom-1",
            "journalctl -u kubelet",
            'E0502 10:11:12.131415 900 kuberuntime.go:100] Failed to create pod sandbox: plugin type="calico" failed (add): failed to request IPv4 addresses: Assigned 0 out of 1 requested IPv4 addresses; No more free affine blocks and strict affinity enabled',
        ),
        has=(r"get ippools\.crd\.projectcalico\.org .* -o yaml \| sed .*kubectl create -f -",),
        lacks=(r"ipipMode: Always",),
    ),
    "an overlapping pool is copied too": Row(
        "ip-pool-cidr-overlap",
        MANIFEST
        + nodes("loom-1 NotReady 10.71.0.11", "loom-2 Ready 10.71.0.12")
        + on(
            "loom-1",
            "ip route",
            "default via 10.71.0.1 dev eth0 proto static",
            "10.71.0.0/24 dev eth0 proto kernel scope link src 10.71.0.11",
            "blackhole 10.71.0.0/26 proto bird",
        )
        + on("loom-1", "ping -c 3 10.71.0.40", "3 packets transmitted, 0 received, 100% packet loss, time 2043ms")
        + POOL_OF_NODES,
        has=(r"ippools.* -o yaml \| sed",),
        lacks=(r"ipipMode: Always", r"FREE_RANGE"),
    ),
    "what is excepted already stays excepted": Row(
        "http-proxy-env",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: error=Get "https://10.96.0.1:443/api/v1/nodes/loom-1": proxyconnect tcp: dial tcp 10.9.9.9:3128: i/o timeout'
        ),
        has=(r"(?s)^[^\n]*\n?kubectl -n kube-system set env daemonset/calico-node HTTP_PROXY-", r"old=\$\(ssh loom-1 "),
        lacks=(r"172\.16\.0\.0/12", r"10\.96\.0\.1/version"),
    ),
    "one time service": Row(
        "clock-skew",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: error=Get "https://10.96.0.1:443/api/v1/nodes/loom-1": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2019-01-01T00:00:12Z is before 2026-04-01T00:00:00Z'
        ),
        has=(r"&& break",),
        lacks=(r"enable --now chrony systemd-timesyncd",),
    ),
    "file-max is never lowered": Row(
        "inotify-or-fd-limit",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [FATAL][61] confd/run.go 60: Failed to create fsnotify watcher: too many open files"
        ),
        has=(r'-ge "\$\{k#\*=\}" \] \|\| echo \$k', r"limits-saved"),
    ),
    "rp_filter is not safe everywhere": Row(
        "sysctl-rp-filter",
        MANIFEST
        + log(
            "2019-05-02 10:11:12.131 [FATAL][61] int_dataplane.go 1035: Kernel's RPF check is set to 'loose'.  This would allow endpoints to spoof their IP address.  Calico requires net.ipv4.conf.all.rp_filter to be set to 0 or 1. If you require loose RPF and you are not concerned about spoofing, this check can be disabled by setting the IgnoreLooseRPF configuration parameter to 'true'."
        ),
        has=(r"rp-filter-saved", r"several (?:cards|interfaces)"),
        lacks=(r"rp_filter=2",),
    ),
    "pruned images may not come back": Row(
        "disk-full",
        MANIFEST
        + on(
            "loom-1",
            "df -h",
            "Filesystem      Size  Used Avail Use% Mounted on",
            "/dev/sda2        50G   50G     0 100% /",
        )
        + log(
            'time="2026-05-02T10:11:12Z" level=fatal msg="Failed to install calico" error="write /host/opt/cni/bin/calico: no space left on device"',
            container="install-cni",
        ),
        has=(r"air.gap",),
        lacks=(r"both come back when needed",),
    ),
    "the operator's range is told whole": Row(
        "operator-misconfigured",
        OPERATOR
        + '\n$ kubectl get tigerastatus calico -o yaml\napiVersion: operator.tigera.io/v1\nkind: TigeraStatus\nmetadata:\n  name: calico\nstatus:\n  conditions:\n  - type: Degraded\n    status: "True"\n    reason: InvalidConfigurationError\n    message: IPPool 10.77.0.0/16 is not within the platform\'s configured pod network CIDR(s) [10.66.0.0/16]\n',
        has=(r"10\.77\.0\.0/16 .*inside 10\.66\.0\.0/16", r"installation-saved\.json"),
    ),
    "a login for 401": Row(
        "image-pull-failed",
        pull("failed to authorize: unexpected status: 401 Unauthorized"),
        has=(r"dockerconfigjson",),
        lacks=(r"429", r"getent hosts"),
    ),
    "another tag for 404": Row(
        "image-pull-failed",
        pull(
            'failed to resolve reference "registry.example/calico/node:v3.27.0": registry.example/calico/node:v3.27.0: not found'
        ),
        has=(r"\(404\)",),
        lacks=(r"dockerconfigjson", r"429"),
    ),
    "patience for 429": Row(
        "image-pull-failed",
        pull("toomanyrequests: You have reached your pull rate limit."),
        has=(r"429",),
        lacks=(r"\(404\)",),
    ),
    "names for DNS": Row(
        "image-pull-failed",
        pull("dial tcp: lookup registry.example on 10.9.9.9:53: no such host"),
        has=(r"getent hosts",),
        lacks=(r"429",),
    ),
    "an authority for x509": Row(
        "image-pull-failed",
        pull("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
        has=(r"certs\.d",),
        lacks=(r"getent hosts",),
    ),
    "a way for a timeout": Row(
        "image-pull-failed", pull("dial tcp 10.9.9.9:443: i/o timeout"), has=(r"curl -sv",), lacks=(r"certs\.d",)
    ),
    "an archive for an air gap": Row(
        "image-pull-failed",
        pull("dial tcp 10.9.9.9:443: connect: network is unreachable"),
        has=(r"docker save registry\.example/calico/node:v3\.27\.0 \| ssh loom-1 sudo ctr -n k8s\.io images import -",),
        lacks=(r"429",),
    ),
    "a secret that is made is named, too": Row(
        "image-pull-failed",
        MANIFEST + pull("failed to authorize: unexpected status: 401 Unauthorized"),
        has=(r'create secret .*&& kubectl -n kube-system patch daemonset calico-node .*"imagePullSecrets"',),
    ),
    "labels for PodSecurity": Row(
        "pod-security-forbidden",
        refused_pod(
            'pods "calico-node-x2x2x" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'
        ),
        has=(r"enforce=privileged", r"namespace-labels-saved"),
        lacks=(r"scc:privileged", r"rolebinding calico"),
    ),
    "a binding for PSP": Row(
        "pod-security-forbidden",
        refused_pod(
            'pods "calico-node-" is forbidden: unable to validate against any pod security policy: [spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used]'
        ),
        has=(r"rolebinding calico-privileged",),
        lacks=(r"scc:privileged", r"enforce=privileged"),
    ),
    "a constraint for SCC": Row(
        "pod-security-forbidden",
        refused_pod(
            'pods "calico-node-" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden: not usable by user or serviceaccount]'
        ),
        has=(r"clusterrole=system:openshift:scc:privileged",),
        lacks=(r"enforce=privileged",),
    ),
    "an exception for a webhook": Row(
        "pod-security-forbidden",
        refused_pod(
            'admission webhook "validation.gatekeeper.sh" denied the request: [psp-privileged-container] Privileged container is not allowed: calico-node'
        )
        + "\n$ kubectl -n kube-system get ds calico-node\nNAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE\ncalico-node   2         0         0       0            0           kubernetes.io/os=linux   9m\n",
        has=(r"excludedNamespaces",),
        lacks=(r"scc:privileged", r"enforce=privileged"),
    ),
    "179 is BIRD's": Row(
        "port-in-use",
        MANIFEST + log("bird: BGP: Error on listening socket: Address already in use"),
        has=(r"listenPort",),
        lacks=(r"healthPort", r"FELIX_HEALTHPORT", r"9199"),
    ),
    "9099 is Felix's": Row(
        "port-in-use",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [ERROR][55] felix/health.go 246: Health endpoint failed, trying to restart it... error=listen tcp 127.0.0.1:9099: bind: address already in use"
        ),
        has=(r"FELIX_HEALTHPORT=9199",),
        lacks=(r"listenPort",),
    ),
    "9098 is Typha's health port": Row(
        "port-in-use",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [ERROR][7] health.go 246: Health endpoint failed, trying to restart it... error=listen tcp 127.0.0.1:9098: bind: address already in use"
        ),
        has=(r"TYPHA_HEALTHPORT=9198", r":\(179\|5473\|9098\|9099\)"),
        lacks=(r"FELIX_HEALTHPORT", r"listenPort"),
    ),
    "5473 is Typha's": Row(
        "port-in-use",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [PANIC][7] sync_server.go 341: Failed to open listen socket error=listen tcp :5473: bind: address already in use port=5473"
        ),
        has=(r"second Typha",),
        lacks=(r"FELIX_HEALTHPORT", r"listenPort"),
    ),
    "one wrong directory": Row(
        "runtime-config-invalid",
        MANIFEST
        + on(
            "loom-1",
            "cat /etc/containerd/config.toml",
            "version = 2",
            '[plugins."io.containerd.grpc.v1.cri".cni]',
            '  bin_dir = "/usr/lib/cni"',
            '  conf_dir = "/etc/cni/net.d"',
        )
        + on(
            "loom-1",
            "journalctl -u kubelet",
            'E0502 10:11:12.131415 900 pod_workers.go:1300] failed to find plugin "calico" in path [/usr/lib/cni]',
        ),
        has=(r"bin_dir \*= .*bin_dirs \*= .*\[", r"containerd-config-saved\.toml"),
        lacks=(r"containerd config default >",),
    ),
    "a bug is not on purpose": Row(
        "felix-panic",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [PANIC][64] felix/active_rules_calculator.go 354: Unknown policy became active! policyKey=Policy(name=default.web)\npanic: (*logrus.Entry) 0xc000b1e690\n\ngoroutine 211 [running]:\ngithub.com/projectcalico/calico/felix/calc.(*ActiveRulesCalculator).OnUpdate(0xc000b1e690)"
        ),
        has=(r"raised on purpose",),
    ),
    "nft has its own words": Row(
        "iptables-restore-failed",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][61] felix/table.go 1197: Failed to run nft transaction error=/dev/stdin:1:1-2: Error: Could not process rule: No such file or directory family="ip" table="calico"\n2026-05-02 10:11:22.131 [PANIC][61] felix/table.go 1200: Failed to program nftables, giving up after retries error=exit status 1'
        ),
        has=(r"run nft transaction\|load nftables table state", r"kubectl drain loom-1 .*reboot"),
    ),
    "probes by version": Row(
        "probe-timeout-too-short",
        OPERATOR
        + '\n$ kubectl describe pod -n calico-system calico-node-7tq4n\n    Liveness:   exec [/bin/calico-node -felix-live -bird-live] delay=10s timeout=1s period=10s #success=1 #failure=6\n    Readiness:  exec [/bin/calico-node -felix-ready -bird-ready] delay=0s timeout=1s period=10s #success=1 #failure=3\nEvents:\n  Warning  Unhealthy  2m (x90 over 3h)  kubelet  Liveness probe failed: command "/bin/calico-node -felix-live -bird-live" timed out\n',
        has=(r"1\.22", r"1\.31 to 1\.42"),
        lacks=(r"1\.32",),
    ),
    "the greater address dials": Row(
        "bgp-port-blocked",
        UNANSWERED,
        has=(r"ssh loom-2 \"timeout 3 bash -c '</dev/tcp/10\.71\.0\.11/179'",),
        lacks=(r"PEER_ADDRESS",),
    ),
    "kernels by mode": Row(
        "kernel-too-old",
        MANIFEST
        + BPF
        + log(
            "2026-05-02 10:11:12.131 [ERROR][61] felix/int_dataplane.go 900: BPF dataplane mode enabled but not supported by the kernel.  Disabling BPF mode. error=kernel is too old (have: 4.14.0 but want at least: 5.3.0)"
        ),
        has=(r"5\.13", r"4\.18\.0-193", r'(?s)"non-calico":null.*"bpfEnabled":false', r"every Service stops working"),
    ),
    "WireGuard over IPv6 has a port of its own": Row(
        "overlay-blocked",
        MANIFEST
        + "\nOur hosting provider drops IP protocol 4, the tunnel packets never arrive at the other node.\n"
        + on(
            "loom-1",
            "timeout 10 tcpdump -nni eth0 proto 4",
            "10:11:12.131 IP 10.71.0.11 > 10.71.0.12: IP 10.244.0.5.40122 > 10.244.1.9.80: Flags [S], seq 1, win 64240, length 0 (ipip-proto-4)",
            "10:11:13.131 IP 10.71.0.11 > 10.71.0.12: IP 10.244.0.5.40122 > 10.244.1.9.80: Flags [S], seq 1, win 64240, length 0 (ipip-proto-4)",
        )
        + on("loom-2", "timeout 10 tcpdump -nni eth0 proto 4", "0 packets captured", "0 packets received by filter"),
        has=(r"51821",),
    ),
    "WireGuard over IPv6 has a port and a switch of its own": Row(
        "wireguard-failed",
        MANIFEST
        + log(
            "2026-05-02 10:11:12.131 [ERROR][61] felix/wireguard.go 900: Unable to create wireguard link, retrying... error=operation not supported"
        ),
        has=(r"51821", r'"wireguardEnabledV6":false', r"wg show wg-v6\.cali", r"wireguard-key-loom-1-saved\.txt"),
        lacks=(r"wireguard-key-saved\.txt",),
    ),
    "a node refuses its peer": Row(
        "bgp-as-mismatch",
        refused_as("Idle BGP Error: Bad peer AS"),
        has=(r"kubectl patch bgppeers\.crd\.projectcalico\.org", r"that 10\.71\.9\.1 really has"),
        lacks=(r"64800", r"annotate --overwrite node"),
    ),
    "a peer refuses the node": Row(
        "bgp-as-mismatch",
        refused_as("Idle Received: Bad peer AS"),
        has=(r"annotate --overwrite node loom-1 projectcalico\.org/ASNumber=",),
        lacks=(r"64800", r"kubectl patch bgppeers"),
    ),
    "the variable wins": Row(
        "iptables-backend-mismatch",
        MANIFEST
        + on("loom-1", "iptables --version", "iptables v1.8.4 (nf_tables)")
        + log(
            '2026-05-02 10:11:12.131 [WARNING][61] felix/feature_detect.go 300: Iptables backend specified does not match the detected backend, using specified backend detectedBackend="nft" specifiedBackend="legacy"\n2026-05-02 10:11:12.231 [INFO][61] felix/feature_detect.go 259: Looked up iptables command backendMode="legacy" candidates=[]string{"iptables-legacy-save"}'
        ),
        has=(r"(?s)set env daemonset/calico-node FELIX_IPTABLESBACKEND-.*iptablesBackend\":\"NFT\"",),
        lacks=(),
    ),
    "no Typha is scaled that is not there": Row(
        "typha-unreachable",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][61] felix/daemon.go 353: Typha discovery enabled but discovery failed. error=services "calico-typha" not found'
        ),
        has=(r"get deployment calico-typha -o name && .*= 0 \] && kubectl .*scale", r"FELIX_TYPHAK8SSERVICENAME-"),
    ),
    "read-only below /var/lib": Row(
        "readonly-filesystem",
        MANIFEST
        + event(
            "kube-system   2m   Warning   Failed   pod/calico-node-7tq4n   Error: failed to create containerd task: mkdir /var/lib/calico/x: read-only file system"
        ),
        has=(r"/var/lib/calico /var/run/calico", r"findmnt -no TARGET -T /var/lib/calico"),
        lacks=(r"flexVolumePath", r"flexvol-driver"),
    ),
    "the names of a certificate stay in it": Row(
        "tls-ca-mismatch",
        MANIFEST
        + log(
            '2026-05-02 10:11:12.131 [ERROR][9] startup/startup.go 158: error=Get "https://10.96.0.1:443/api/v1/nodes/loom-1": tls: failed to verify certificate: x509: certificate is valid for 10.71.0.11, 127.0.0.1, not 10.96.0.1'
        ),
        has=(r"apiserver-cert-extra-sans=\$names,10\.96\.0\.1", r"else cp -p /root/pki-saved/apiserver"),
        lacks=(r"extra-sans=10\.96\.0\.1",),
    ),
    "renewed certificates are taken into use": Row(
        "kubelet-cert-expired",
        MANIFEST
        + on(
            "loom-1",
            "journalctl -u kubelet",
            "E0502 10:11:12.131415 900 bootstrap.go:265] part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired: 2026-04-01 00:00:00 +0000 UTC",
        ),
        has=(
            r"kubeadm certs renew all && crictl ps .*xargs -r crictl stop",
            r"cp -a /root/kubernetes-saved/\. /etc/kubernetes/",
        ),
        lacks=(r"rm -rf /etc/kubernetes",),
    ),
    "no unit that is not there": Row(
        "runtime-unresponsive",
        RKE2
        + on(
            "loom-1",
            "crictl ps",
            'FATA[0020] validate service connection: validate CRI v1 runtime API for endpoint "unix:///run/k3s/containerd/containerd.sock": rpc error: code = DeadlineExceeded desc = context deadline exceeded',
        )
        + on(
            "loom-1",
            "journalctl -u rke2-agent",
            'containerd[990]: time="2026-05-02T10:11:12.123Z" level=error msg="get state for 4e4e5f5f6a6a7b7b" error="context deadline exceeded: unknown"',
        ),
        has=(r"systemctl restart rke2-agent",),
        lacks=(r"restart containerd", r"restart kubelet"),
    ),
}
