"""Names that everybody has: they tell nothing of whose cluster it is, and to replace them would spoil the text."""

from __future__ import annotations

# Words of Kubernetes, of prompts and of sentences that stand now and then where a machine's name is expected.
COMMON = frozenset(
    (
        "localhost foo master node worker server host minion control-plane controlplane k8s kube kubernetes calico"
        " cluster etcd default ubuntu debian centos rocky template linux none all unknown true false null nil name"
        " status felix bird typha kube-system system admin test api apiserver proxy dns coredns docker containerd"
        " cni amd64 arm64 x86_64 pod pods nodes kubelet kubectl root user the is not was and for with from has"
        " ready notready a an of in on to at or by hostname nodename spec metadata string selector address"
        " addresses ip event events watch kernel systemd calico-node kube-proxy canal annotation annotations label"
        " labels be it which that this no any"
    ).split()
)
# Accounts that every system has.
ACCOUNTS = frozenset(
    "root admin ubuntu centos core ec2-user vagrant debian opc azureuser k8s kube user kubernetes-admin git".split()
)
# Where everybody's software comes from, the domains that only mean `here`, and what ends a unit's name.
PUBLIC = tuple(
    (
        "k8s.io kubernetes.io docker.io docker.com quay.io gcr.io ghcr.io github.com githubusercontent.com"
        " github.io gitlab.com google.com googleapis.com pkg.dev amazonaws.com azurecr.io azure.com azmk8s.io"
        " windows.net microsoft.com projectcalico.org tigera.io aliyuncs.com aliyun.com rancher.com rancher.io"
        " cattle.io redhat.com redhat.io fedoraproject.org centos.org ubuntu.com debian.org suse.com opensuse.org"
        " cncf.io coreos.com istio.io helm.sh prometheus.io grafana.com elastic.co hashicorp.com golang.org go.dev"
        " gopkg.in letsencrypt.org cloudflare.com daocloud.io tencentyun.com tencent.com huaweicloud.com"
        " myhuaweicloud.com 163.com ntp.org w3.org apache.org openssl.org freedesktop.org kernel.org man7.org"
        " stackoverflow.com gmail.com cluster.local svc local localdomain lan home corp intra intranet internal"
        " example ec2.internal compute.internal cloudapp.net service slice socket timer mount target scope conf"
        " device path"
    ).split()
)
