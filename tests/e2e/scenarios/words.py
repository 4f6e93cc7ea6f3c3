"""What the programs of a healthy cluster log, in the words of tests/e2e/scenarios/logs.py."""

from __future__ import annotations

UPGRADE_IPAM = """
[INFO][1] ipam/ipam_plugin.go 68: migrating from host-local to calico-ipam...
[INFO][1] ipam/migrate.go 67: checking host-local IPAM data dir existence...
[INFO][1] ipam/migrate.go 69: host-local IPAM data dir not found; no migration necessary, successfully exiting...
[INFO][1] ipam/ipam_plugin.go 98: migration from host-local to calico-ipam complete node="{node}"
"""
INSTALL_CNI = """
[INFO][1] cni-installer/install.go 122: Running as a Kubernetes pod
[INFO][1] cni-installer/install.go 188: Installed /host/opt/cni/bin/calico
[INFO][1] cni-installer/install.go 188: Installed /host/opt/cni/bin/calico-ipam
[INFO][1] cni-installer/install.go 188: Installed /host/opt/cni/bin/portmap
[INFO][1] cni-installer/install.go 202: Wrote Calico CNI binaries to /host/opt/cni/bin
[INFO][1] cni-installer/install.go 226: CNI plugin version: {version}
[INFO][1] cni-installer/install.go 214: /host/secondary-bin-dir is not writeable, skipping
[INFO][1] cni-installer/install.go 464: Using CNI config template from CNI_NETWORK_CONFIG environment variable.
[INFO][1] cni-installer/install.go 560: Created /host/etc/cni/net.d/10-calico.conflist
[INFO][1] cni-installer/install.go 300: Done configuring CNI.  Sleep= false
"""
MOUNT_BPFFS = """
[INFO][1] init-best-effort/calico-init_linux.go 57: Checking if BPF filesystem is mounted.
[INFO][1] init-best-effort/calico-init_linux.go 69: BPF filesystem is mounted.
"""
STARTUP = """
[INFO][9] startup/startup.go 431: Early log level set to info
[INFO][9] startup/utils.go 126: Using NODENAME environment for node name {node}
[INFO][9] startup/utils.go 138: Determined node name: {node}
[INFO][9] startup/startup.go 95: Starting node {node} with version {version}
[INFO][9] startup/startup.go 436: Checking datastore connection
"""
CONNECTED = """
[INFO][9] startup/startup.go 460: Datastore connection verified
[INFO][9] startup/startup.go 105: Datastore is ready
[INFO][9] startup/customresource.go 102: Error getting resource Key=GlobalFelixConfig(name=CalicoVersion) Name="calicoversion" Resource="GlobalFelixConfigs" error=the server could not find the requested resource (get GlobalFelixConfigs.crd.projectcalico.org calicoversion)
[INFO][9] startup/startup.go 485: Initialize BGP data
"""
ADDRESS = """
[INFO][9] startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface {interface}: {address}/24
[INFO][9] startup/startup.go 558: Node IPv4 changed, will check for conflicts
[INFO][9] startup/startup.go 213: Using node name: {node}
Calico node started successfully
"""
END = """
[WARNING][9] startup/utils.go 49: Terminating
Calico node failed to start
"""
FELIX = """
[INFO][48] felix/daemon.go 371: Successfully loaded configuration. GOMAXPROCS=8 builddate="2025-09-11T18:02:11+0000" version="{version}"
[INFO][48] felix/int_dataplane.go 1965: attempted to modprobe nf_conntrack_proto_sctp error=exit status 1 output=""
[INFO][48] felix/health.go 336: Overall health status changed: live=true ready=true
+---------------------------+---------+----------------+-----------------+--------+
|         COMPONENT         | TIMEOUT |    LIVENESS    |    READINESS    | DETAIL |
+---------------------------+---------+----------------+-----------------+--------+
| CalculationGraph          | 30s     | reporting live | reporting ready |        |
| FelixStartup              | -       | reporting live | reporting ready |        |
| InternalDataplaneMainLoop | 1m30s   | reporting live | reporting ready |        |
+---------------------------+---------+----------------+-----------------+--------+
[INFO][51] confd/resource.go 264: Target config /etc/calico/confd/config/bird.cfg has been updated
bird: Started
bird: Reconfigured
... now
[INFO][48] felix/summary.go 100: Summarising 11 dataplane reconciliation loops over 1m3.1s: avg=7ms longest=41ms (resync-filter-v4)
[INFO][52] monitor-addresses/autodetection_methods.go 103: Using autodetected IPv4 address on interface {interface}: {address}/24
"""
AGENT = STARTUP + CONNECTED + ADDRESS + FELIX
KUBE_CONTROLLERS = """
[INFO][1] kube-controllers/main.go 107: Loaded configuration from environment
[INFO][1] kube-controllers/main.go 131: Ensuring Calico datastore is initialized
[INFO][1] kube-controllers/main.go 157: Calico datastore is initialized
[INFO][1] kube-controllers/main.go 194: Starting status report routine
[INFO][1] kube-controllers/ipam.go 253: Will run periodic IPAM sync every 7m30s
"""
TYPHA = """
[INFO][7] typha/daemon.go 144: Typha starting up
[INFO][7] typha/daemon.go 295: Created datastore client, initializing datastore...
[INFO][7] typha/daemon.go 310: Datastore initialized
[INFO][7] typha/sync_server.go 398: Accepted from 10.20.0.21:40122 port=5473
"""
KUBE_PROXY = """
I@ server_linux.go:63] "Using iptables proxy"
I@ server.go:715] "Successfully retrieved node IP(s)" IPs=["{address}"]
I@ shared_informer.go:357] "Caches are synced" controller="service config"
I@ shared_informer.go:357] "Caches are synced" controller="endpoint slice config"
"""
COREDNS = """
.:53
[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc490481273e738df5
CoreDNS-1.12.0
linux/amd64, go1.23.3, 51e11f1
"""
APISERVER = """
I@ options.go:249] external host was not specified, using {address}
I@ secure_serving.go:213] Serving securely on [::]:6443
"""
ETCD = """
{"level":"info","ts":"@now@","caller":"etcdmain/etcd.go:73","msg":"Running: ","args":["etcd","--name={node}"]}
{"level":"info","ts":"@now@","caller":"embed/serve.go:187","msg":"serving client traffic securely","address":"{address}:2379"}
"""
OPERATOR = """
{"level":"info","ts":"@now@","logger":"setup","msg":"starting manager"}
{"level":"info","ts":"@now@","logger":"controller_installation","msg":"Reconciling Installation.operator.tigera.io","Request.Name":"default"}
"""
