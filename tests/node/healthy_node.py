"""What the files of a healthy node hold and its tools print: kubeadm, containerd, Calico by manifest with IPIP and BGP."""

from __future__ import annotations

KUBELET_CONFIG = """\
apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
kind: KubeletConfiguration
resolvConf: /run/systemd/resolve/resolv.conf
rotateCertificates: true
staticPodPath: /etc/kubernetes/manifests
"""
CONTAINERD_CONFIG = """\
version = 2

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.9"

  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = true
"""
CNI_CONFIG = """\
{
  "name": "k8s-pod-network",
  "cniVersion": "0.3.1",
  "plugins": [
    {
      "type": "calico",
      "log_level": "info",
      "log_file_path": "/var/log/calico/cni/cni.log",
      "datastore_type": "kubernetes",
      "nodename": "worker-3",
      "mtu": 0,
      "ipam": {
          "type": "calico-ipam"
      },
      "policy": {
          "type": "k8s"
      },
      "kubernetes": {
          "kubeconfig": "/etc/cni/net.d/calico-kubeconfig"
      }
    },
    {
      "type": "portmap",
      "snat": true,
      "capabilities": {"portMappings": true}
    },
    {
      "type": "bandwidth",
      "capabilities": {"bandwidth": true}
    }
  ]
}"""
KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJU
    server: https://127.0.0.1:6443
  name: default-cluster
contexts:
- context:
    cluster: default-cluster
    user: default-auth
  name: default-context
current-context: default-context
users:
- name: default-auth
  user:
    client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem
    client-key: /var/lib/kubelet/pki/kubelet-client-current.pem
"""
CALICO_LOG = """\
2026-11-15T09:12:01.104512345Z stdout F 2026-11-15 09:12:01.104 [INFO][9] startup/startup.go 444: Early log level set to info
2026-11-15T09:12:01.310112345Z stdout F 2026-11-15 09:12:01.310 [INFO][9] startup/startup.go 768: Using autodetected IPv4 address on interface eth0: 10.20.0.13/24
2026-11-15T09:12:03.500012345Z stdout F 2026-11-15 09:12:03.500 [INFO][61] felix/health.go 336: Overall health status changed: live=true ready=true
"""
FILES = {
    "/etc/kubernetes/kubelet.conf": KUBECONFIG,
    "/var/lib/kubelet/config.yaml": KUBELET_CONFIG,
    "/var/lib/kubelet/kubeadm-flags.env": (
        'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=unix:///run/containerd/containerd.sock'
        ' --pod-infra-container-image=registry.k8s.io/pause:3.9"\n'
    ),
    "/etc/containerd/config.toml": CONTAINERD_CONFIG,
    "/etc/cni/net.d/10-calico.conflist": CNI_CONFIG,
    "/etc/cni/net.d/calico-kubeconfig": KUBECONFIG,
    "/opt/cni/bin/calico": "",
    "/opt/cni/bin/calico-ipam": "",
    "/opt/cni/bin/loopback": "",
    "/opt/cni/bin/portmap": "",
    "/opt/cni/bin/bandwidth": "",
    "/opt/cni/bin/host-local": "",
    "/var/lib/calico/nodename": "worker-3",
    "/var/lib/calico/mtu": "1480",
    "/var/log/pods/kube-system_calico-node-q7w2x_0b1c/calico-node/0.log": CALICO_LOG,
    "/etc/resolv.conf": "nameserver 10.20.0.2\n",
}

UNITS = """\
Result=success
NRestarts=0
ExecMainStatus=0
Id=kubelet.service
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
ActiveEnterTimestamp=Sun 2026-11-15 09:11:40 UTC

Result=success
NRestarts=0
ExecMainStatus=0
Id=containerd.service
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
ActiveEnterTimestamp=Sun 2026-11-15 09:11:31 UTC
"""
KUBELET_UNIT = """\
# /usr/lib/systemd/system/kubelet.service
[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10
"""
SYSTEMCTL = f"""\
case $* in
list-unit-files*) printf 'containerd.service enabled enabled\\nkubelet.service    enabled enabled\\n' ;;
cat*) cat <<'UNIT'
{KUBELET_UNIT}UNIT
;;
*Environment*) echo Environment= ;;
show*) cat <<'UNITS'
{UNITS}UNITS
;;
esac"""
KUBELET_JOURNAL = """\
2026-11-15T09:11:40+0000 worker-3 systemd[1]: Started kubelet.service - kubelet: The Kubernetes Node Agent.
2026-11-15T09:11:41+0000 worker-3 kubelet[811]: I1115 09:11:41.204117     811 server.go:482] "Kubelet version" kubeletVersion="v1.29.4"
2026-11-15T09:11:43+0000 worker-3 kubelet[811]: I1115 09:11:43.010422     811 kubelet_node_status.go:76] "Successfully registered node" node="worker-3"
2026-11-15T09:12:05+0000 worker-3 kubelet[811]: I1115 09:12:05.118220     811 pod_startup_latency_tracker.go:102] "Observed pod startup duration" pod="kube-system/calico-node-q7w2x"
"""
JOURNALCTL = f"""\
case $* in
*kubelet*) cat <<'LINES'
{KUBELET_JOURNAL}LINES
;;
esac"""
CRICTL = """\
case $* in
version) printf 'Version:  0.1.0\\nRuntimeName:  containerd\\nRuntimeVersion:  1.7.18\\nRuntimeApiVersion:  v1\\n' ;;
info) printf '{\\n  "config": {\\n    "containerd": {\\n      "defaultRuntimeName": "runc"\\n    }\\n  }\\n}\\n' ;;
ps*) cat <<'ROWS'
CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD
3f2b1c0d9e8f7       5c6ac3cf5d2d0       3 hours ago         Running             calico-node         0                   1a2b3c4d5e6f7       calico-node-q7w2x
ROWS
;;
pods) cat <<'ROWS'
POD ID              CREATED             STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME
1a2b3c4d5e6f7       3 hours ago         Ready               calico-node-q7w2x   kube-system         0                   (default)
ROWS
;;
esac"""
BIRD = """\
BIRD v0.3.3+birdv1.6.8 ready.
Access restricted
name     proto    table    state  since       info
static1  Static   master   up     09:12:02
kernel1  Kernel   master   up     09:12:02
device1  Device   master   up     09:12:02
Mesh_10_20_0_11 BGP      master   up     09:12:04    Established
  Preference:     100
  Input filter:   ACCEPT
  BGP state:          Established
    Neighbor address: 10.20.0.11
    Neighbor AS:      64512
"""
RULES = """\
# Generated by iptables-save v1.8.7 on Sun Nov 15 12:00:00 2026
*filter
:INPUT ACCEPT [812:90311]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [790:88200]
[812:90311] -A INPUT -m comment --comment "cali:Cz_u1IQiXIMmKD4c" -j cali-INPUT
[812:90311] -A INPUT -m conntrack --ctstate NEW -m comment --comment "kubernetes load balancer firewall" -j KUBE-PROXY-FIREWALL
[0:0] -A FORWARD -m comment --comment "cali:wUHhoiAYhphO9Mso" -j cali-FORWARD
[0:0] -A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP
[0:0] -A cali-FORWARD -i cali+ -m comment --comment "cali:8ZoYfO5HKXWbB3pk" -j cali-from-wl-dispatch
[0:0] -A cali-from-wl-dispatch -m comment --comment "cali:vUprMUtcV4xcHlGa" -m comment --comment "Unknown interface" -j DROP
COMMIT
*nat
:PREROUTING ACCEPT [3:180]
[3:180] -A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y
[1:60] -A KUBE-SERVICES -d 10.96.71.9/32 -p tcp -m comment --comment "shop/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-Q7W2XABCDEFGHIJK
COMMIT
"""
TRACKING = """\
Reference ID    : 0A140002 (10.20.0.2)
Stratum         : 3
System time     : 0.000041013 seconds slow of NTP time
Last offset     : -0.000012011 seconds
Leap status     : Normal
"""
ADDRESSES = """\
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP group default qlen 1000
    link/ether 52:54:00:ab:00:13 brd ff:ff:ff:ff:ff:ff
    inet 10.20.0.13/24 brd 10.20.0.255 scope global eth0
       valid_lft forever preferred_lft forever
3: tunl0@NONE: <NOARP,UP,LOWER_UP> mtu 1480 qdisc noqueue state UNKNOWN group default qlen 1000
    link/ipip 0.0.0.0 brd 0.0.0.0
    inet 172.30.66.0/32 scope global tunl0
       valid_lft forever preferred_lft forever
7: cali0a1b2c3d4e5@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1480 qdisc noqueue state UP group default
    link/ether ee:ee:ee:ee:ee:ee brd ff:ff:ff:ff:ff:ff link-netns cni-1
"""
IP = f"""\
case $* in
addr) cat <<'CARDS'
{ADDRESSES}CARDS
;;
'route show table all') cat <<'ROUTES'
default via 10.20.0.1 dev eth0
10.20.0.0/24 dev eth0 proto kernel scope link src 10.20.0.13
172.30.21.64/26 via 10.20.0.11 dev tunl0 proto bird onlink
blackhole 172.30.66.0/26 proto bird
172.30.66.4 dev cali0a1b2c3d4e5 scope link
local 127.0.0.1 dev lo table local proto kernel scope host src 127.0.0.1
ROUTES
;;
rule) printf '0:\\tfrom all lookup local\\n32766:\\tfrom all lookup main\\n32767:\\tfrom all lookup default\\n' ;;
neigh) echo '10.20.0.11 dev eth0 lladdr 52:54:00:ab:00:11 REACHABLE' ;;
esac"""
LISTENERS = """\
Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
tcp   LISTEN 0      8            0.0.0.0:179        0.0.0.0:*     users:(("bird",pid=1201,fd=7))
tcp   LISTEN 0      4096       127.0.0.1:9099       0.0.0.0:*     users:(("calico-node",pid=1190,fd=9))
tcp   LISTEN 0      4096               *:10250            *:*     users:(("kubelet",pid=811,fd=21))
"""
PRINTED = {
    "nproc": "4",
    "uptime": " 12:00:00 up 21 days,  2:10,  1 user,  load average: 0.42, 0.51, 0.47",
    "timedatectl": "System clock synchronized: yes",
    "chronyc": TRACKING,
    "iptables-save": RULES,
    "iptables": "iptables v1.8.7 (nf_tables)",
    "ss": LISTENERS,
    "curl": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "birdcl": BIRD,
    "ctr": "Client:\n  Version:  v1.7.18\n\nServer:\n  Version:  v1.7.18",
    "bash": "",
}
"""By tool; a bash that prints nothing and ends well has reached whomever it tried."""
SCRIPTS = {"systemctl": SYSTEMCTL, "journalctl": JOURNALCTL, "crictl": CRICTL, "ip": IP}
PROGRAMS = {
    "kubelet": ("--config=/var/lib/kubelet/config.yaml", "--kubeconfig=/etc/kubernetes/kubelet.conf"),
    "containerd": (),
    "calico-node": ("-felix",),
    "bird": ("-R", "-s", "/var/run/calico/bird.ctl", "-d", "-c", "/etc/calico/confd/config/bird.cfg"),
}
SOCKETS = ("/run/containerd/containerd.sock", "/run/calico/bird.ctl")
