"""Lines as programs write them, with places for what tells whose cluster it is."""

from __future__ import annotations

import ipaddress
import random
import re
import string
import uuid

from calivet.redaction.anonymize.places import DOCKERS

# {v4} {net} {v6} {dashed} {hex} {socket} {mac} {host} {fqdn} {private} {domain} {user} {mail} {uuid} {machine} {digits}
# {instance} {org} {phrase} {resource} {base64}
SHAPES = r"""
inet {v4}/24 brd 192.168.255.255 scope global eth0
default via {v4} dev eth0 proto dhcp metric 100
{net} dev eth0 proto kernel scope link src {v4}
{net} via {v4} dev tunl0 proto bird onlink
blackhole {net} proto bird
unreachable {net} dev lo
{v4} dev eth0 lladdr {mac} REACHABLE
? ({v4}) at {mac} [ether] on eth0
tcp LISTEN 0 128 {v4}:6443 0.0.0.0:* users:(("kube-apiserver",pid=1,fd=3))
dial tcp {v4}:6443: connect: connection refused
Get "https://{v4}:6443/api/v1/nodes": dial tcp {v4}:6443: i/o timeout
BGP not established with {v4}
BIRD is not ready: BGP not established with {v4},{v4}2024-05-06 07:08:09.123 [INFO][9] x
| {v4} | node-to-node mesh | start | 08:14:58 | Active |
Using autodetected IPv4 address on interface eth0: {v4}/24
"addr":"{v4}" 'addr':'{v4}'
addr=[{v4}] <{v4}> ({v4}) {{{v4}}} |{v4}| ,{v4}, ;{v4};
IP {v4}.35713 > {v4}.179: Flags [S], seq 1
ip {v4}节点{v4}不通，网关是{v4}。
error\\n{v4} refused
redirect=http%3A%2F%2F{v4}%3A8080%2Fx
ip{v4} is gone
{v4}_eth0 {v4}-eth0 eth0_{v4}
cali_{v4}
-A KUBE-SEP -s {v4}/32 -m comment --comment "x" -j KUBE-MARK-MASQ
-A INPUT -d {v4} -p tcp -j DROP
ipset add cali40s {net}
cidr: {net}
--pod-network-cidr={net} --service-cidr={net}
clusterCIDR: "{net}"
IP_AUTODETECTION_METHOD=can-reach={v4}
CALICO_IPV4POOL_CIDR: {net}
projectcalico.org/IPv4Address: {v4}/24
projectcalico.org/IPv4IPIPTunnelAddr: {v4}
allocations for {v4} in block {net}
ip-{dashed} is not ready
ip-{dashed}.eu-west-1.compute.internal
ec2-{dashed}.compute-1.amazonaws.com
{dashed}.default.pod.cluster.local
Mesh_{scored}: start
Node_{scored} up
block-{dashed}-26
   0: {socket}:1F90 00000000:0000 0A
  12: 0100007F:0016 {socket}:D2F1 01
addr {hex} found
key 0x{hex} value
key 0x{plainhex} value
{reversed}.in-addr.arpa
lookup {reversed}.in-addr.arpa. on 10.96.0.10:53
{v4}  255.255.255.0
route add -net {v4} netmask 255.255.255.0
{v4}\t{v4}\tESTABLISHED
nameserver {v4}
X-Forwarded-For: {v4}, {v4}
http://{v4}/ https://{v4}:8443/x?y={v4}
user@{v4}:/path ssh://{v4} nfs4 {v4}:/export
inet6 {v6}/64 scope global
{v6} dev eth0 lladdr {mac} STALE
[{v6}]:6443
dial tcp [{v6}]:443: i/o timeout
projectcalico.org/IPv6Address: {v6}/64
"{v6}"
{v6digits} 02 40 00 80 eth0
link/ether {mac} brd ff:ff:ff:ff:ff:ff
HWaddr {mac}
MAC={mac}:{mac}:08:00 SRC={v4} DST={v4}
{macdashed}
{macdotted} dynamic eth0
"mac": "{mac}"
VtepMAC: {mac}
Node: {host}
Name: {host}\nRoles: <none>
Node: {host}/{v4}
Hostname: {host}
Static hostname: {host}
kubernetes.io/hostname={host}
kubernetes.io/hostname: {host}
nodeName: {host}
"nodeName":"{host}"
NODENAME={host}
hostname="{host}"
--hostname-override={host}
nodes "{host}" not found
node/{host} cordoned
system:node:{host}
Node {host} status is now: NodeNotReady
Using node name: {host}
2024-05-06T07:08:09Z {host} kubelet[77]: started
May  6 07:08:09 {host} kubelet[77]: started
{host} Ready control-plane 9d v1.28.2
{host} 250m 12% 1024Mi 30%
calico-node-x7k2p 1/1 Running 0 9d {v4} {host} <none> <none>
etcd-{host} 1/1 Running
kube-apiserver-{host} 1/1 Running 0 9d
[root@{host} ~]# ls
root@{host}:~# kubectl get pods
Linux {host} 5.15.0-91-generic #101-Ubuntu SMP
{v4} {host} {host}.{domain}
lookup {host} on 10.96.0.10:53: no such host
https://{host}:2379/health
kubectl describe node {host}
kubectl drain {host} --ignore-daemonsets
holderIdentity: {host}
HOSTNAME={host}
hostname: {host}
k3s://{host}
DNS:{host}, DNS:kubernetes
certificate is valid for {host}, kubernetes, not {fqdn}
Node: {fqdn}
{fqdn} Ready <none> 9d v1.28.2
curl https://{fqdn}/v2/
Failed to pull image "{fqdn}/calico/node:v3.27.0"
image: {fqdn}:5000/calico/cni:v3.27.0
lookup {fqdn} on 10.96.0.10:53: no such host
dial tcp: lookup {fqdn}: i/o timeout
server: {fqdn}
proxy http://{fqdn}:3128
HTTPS_PROXY=http://{fqdn}:3128
NO_PROXY=localhost,.{domain},{fqdn}
search {domain}
search default.svc.cluster.local {domain}
domain {domain}
kubernetes.default.svc.{domain}
--cluster-domain={domain}
"host": "{fqdn}"
DNS:*.{domain}, IP Address:{v4}
ping {private}
{private} is unreachable
server={private}
docker pull {private}/calico/node:v3.27.0
https://{private}:6443
{private}, {private}; ({private})
registry-mirrors: ["https://{private}"]
ntp: no answer from {private}
节点{private}不通
mail {mail}
<{mail}>
email:{mail}
author "{mail}"
maintainer={mail}
{user}@{private}:~$ ls
[{user}@{host} ~]$ ls
/home/{user}/.kube/config
cd /Users/{user}/work
Accepted publickey for {user} from {v4} port 22
sudo: {user} : TTY=pts/0
session opened for user {user}(uid=0)
ssh {user}@{fqdn}
git clone ssh://{user}@{fqdn}/x.git
Machine ID: {machine}
Machine ID:                 {machine}
"machineID": "{machine}"
machine-id={machine}
_MACHINE_ID={machine}
/var/log/journal/{machine}/system.journal
{machine}
System UUID: {uuid}
systemUUID: {uuid}
"systemUUID":"{uuid}"
Boot ID: {uuid}
bootID: {uuid}
product_uuid: {uuid}
{uuid}
clusterGUID: {machine}
providerID: aws:///eu-west-1a/i-{instance}
"providerID":"aws:///eu-west-1a/i-{instance}"
ProviderID: gce://{resource}/europe-west1-b/{host}
ProviderID: azure:///subscriptions/{uuid}/resourceGroups/{resource}/providers/Microsoft.Compute/virtualMachines/{host}
ProviderID: azure:///subscriptions/{uuid}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/{resource}/virtualMachines/0
ProviderID: openstack:///{uuid}
ProviderID: vsphere://{uuid}
ProviderID: digitalocean://{digits}
ProviderID: hcloud://{digits}
ProviderID: kind://docker/{resource}/{host}
ProviderID: qcloud:///{digits}/ins-a1b2c3d4
instance i-{instance} terminated
eni-{instance} vpc-{instance} subnet-{instance} sg-{instance} vol-{instance}
arn:aws:iam::{digits}:role/{resource}
arn:aws:eks:eu-west-1:{digits}:cluster/{resource}
arn:aws-cn:ec2:cn-north-1:{digits}:instance/i-{instance}
arn:aws:sts::{digits}:assumed-role/{resource}/i-{instance}
arn:aws:s3:::{resource}
{digits}.dkr.ecr.eu-west-1.amazonaws.com/calico/node:v3.27.0
"AccountId": "{digits}"
account_id={digits}
AWS_ACCOUNT_ID={digits}
"OwnerId": "{digits}"
tenantId: {uuid}
subscription_id={uuid}
instance-id: i-{instance}
project_id: {resource}
/projects/{resource}/zones/europe-west1-b/instances/{host}
Subject: C = DE, ST = Bavaria, L = Munich, O = {org}, OU = Platform, CN = {fqdn}
Subject: O = {phrase}, CN = kubernetes
Issuer: CN={phrase},OU={org},O=system:nodes
subject=/C=DE/O={org}/CN={host}
subject=C = DE, O = "{phrase}, Inc.", CN = x
issuer=O = {phrase}
 0 s:O = {org}, CN = {fqdn}
depth=1 C = DE, O = {phrase}, CN = {phrase} Root
verifying certificate with subject "CN={org},O={org}"
while trying to verify candidate authority certificate "{phrase}"
certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{base64}
-----BEGIN CERTIFICATE-----\nMII{base64}\n-----END CERTIFICATE-----
"ca": "-----BEGIN CERTIFICATE-----\\nMII{base64}\\n-----END CERTIFICATE-----"
caBundle: MII{base64}
Serial Number: {serial}
current-context: {user}@{resource}
Switched to context "{resource}".
kubectl --context {resource} get pods
- context: {resource}
context: {user}@{resource}
cluster "{resource}" is not reachable
machine-id {machine}
--cluster-name={resource}""".strip("\n").split("\n")


class Values:
    """Random values of every kind; the same seed, the same values."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.planted: list[str] = []

    def fill(self, shape: str) -> str:
        """The line with values in its places."""
        address = self._v4()
        octets = address.split(".")
        known = {
            "v4": address,
            "net": self._net(),
            "v6": str(ipaddress.IPv6Address(0xFD << 120 | self._random.getrandbits(120))),
            "dashed": "-".join(octets),
            "scored": "_".join(octets),
            # Digits alone are a number: 64400001 is 100.64.0.1 only to who knows.
            "hex": f"0a{ipaddress.IPv4Address(address).packed.hex()[2:]}",
            "plainhex": ipaddress.IPv4Address(address).packed.hex(),
            "socket": ipaddress.IPv4Address(address).packed[::-1].hex().upper(),
            "reversed": ".".join(reversed(octets)),
            "v6digits": f"fd{self._random.getrandbits(120):030x}",
            "host": self._host(),
            "domain": f"{self._word()}.{self._random.choice(('corp', 'local', 'lan', 'internal', 'de', 'com.cn'))}",
            "private": self._private(),
            "user": self._word(),
            "uuid": str(uuid.UUID(int=self._random.getrandbits(128))),
            "machine": f"{self._random.getrandbits(128):032x}",
            "digits": "".join(self._random.choices(string.digits[1:], k=12)),
            "instance": f"{self._random.getrandbits(68):017x}",
            "org": self._word().capitalize(),
            "phrase": f"{self._word().capitalize()} {self._word().capitalize()} GmbH",
            "resource": f"{self._word()}-{self._word()}-{self._random.randrange(10, 99)}",
            "base64": "".join(self._random.choices(string.ascii_letters + string.digits, k=60)),
            "serial": "".join(self._random.choices(string.ascii_uppercase + string.digits, k=12)),
        }
        known["fqdn"] = f"{self._host()}.{known['domain']}"
        known["mail"] = f"{self._word()}@{self._word()}.{self._random.choice(('de', 'com', 'corp'))}"
        known |= self._cards()
        self.planted = [value for name, value in known.items() if f"{{{name}}}" in shape]
        return (
            shape.format(**known).replace(r"\\n", "\0").replace(r"\n", "\n").replace(r"\t", "\t").replace("\0", r"\n")
        )

    def _cards(self) -> dict[str, str]:
        digits = f"0a{self._random.getrandbits(40):010x}"
        pairs = [digits[at : at + 2] for at in range(0, 12, 2)]
        fours = [digits[at : at + 4] for at in range(0, 12, 4)]
        return {"mac": ":".join(pairs), "macdashed": "-".join(pairs).upper(), "macdotted": ".".join(fours)}

    def _v4(self) -> str:
        network = self._random.choice(("10.0.0.0/8", "10.0.0.0/22", "192.168.0.0/16", "172.18.0.0/15", "100.64.0.0/10"))
        chosen = ipaddress.ip_network(network)
        address = str(chosen[self._random.randrange(1, chosen.num_addresses - 1)])
        # These stay where Calico took them for a node's own: every machine has them, and a fault is known by them.
        return self._v4() if re.fullmatch(DOCKERS, address) else address

    def _net(self) -> str:
        length = self._random.choice((18, 20, 23, 24, 26, 28))
        return str(ipaddress.ip_network(f"{self._v4()}/{length}", strict=False))

    def _word(self) -> str:
        return "q" + "".join(self._random.choices("bcdfgjklmpqrtvwz", k=7))

    def _host(self) -> str:
        return f"{self._word()}-{self._random.randrange(1, 99)}"

    def _private(self) -> str:
        end = self._random.choice("local corp internal lan home intra intranet localdomain".split())
        return f"{self._word()}.{end}" if self._random.random() < 0.5 else f"{self._host()}.{self._word()}.{end}"
