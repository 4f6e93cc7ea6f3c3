"""How archives of known collectors are laid out, as far as they asked the API server: path of a file, and the command.

Only data; `origins.py` reads it. A shape is searched in the path; the names in braces are filled with its groups.
"""

from __future__ import annotations

START = r"(?:^|/)"
NAMESPACE = r"(?P<namespace>[a-z0-9-]+)"
POD = r"(?P<pod>[a-z0-9.-]+)"
CONTAINER = r"(?P<container>[a-z0-9-]+)"
RESOURCE = r"(?P<resource>[a-z0-9.-]+)"
OUTPUT = r"(?P<output>json|yaml)"
LISTED = (
    "(?P<resource>nodes|namespaces|pods|events|services|endpoints|daemonsets|deployments|replicasets|statefulsets"
    "|configmaps|replication-controllers)"
)
LOGS = "kubectl logs -n {namespace} {pod} -c {container}"
ALL_LOGS = "kubectl logs -n {namespace} {pod} --all-containers"

# calicoctl cluster diags, now and up to 3.22: the folders under nodes/ bear the names of nodes, then of pods
OF_NODE = r"nodes/(?P<host>[^/]+)/(?P<namespace>[a-z0-9-]*(?:calico|tigera)[a-z0-9-]*)"
CALICOCTL = (
    (rf"{START}{OF_NODE}/{POD}\.log$", ALL_LOGS),
    (rf"{START}{OF_NODE}/{POD}\.txt$", "kubectl describe pod -n {namespace} {pod}"),
    (rf"{START}nodes/{POD}/(?P=pod)\.log$", "kubectl logs {pod}"),
    (rf"{START}nodes/{POD}/(?P=pod)-describe\.txt$", "kubectl describe pod {pod}"),
    (rf"{START}cluster/(?:kubernetes|crd)/{RESOURCE}\.yaml$", "kubectl get {resource} -A -o yaml"),
    (rf"{START}cluster/(?:kubernetes|crd)/{RESOURCE}\.txt$", "kubectl get {resource} -A -o wide"),
    (
        rf"{START}calico-diagnostics[^/]*/(?:cluster/[\w-]+/)?(?P<namespace>calico-system|tigera-operator)\.txt$",
        "kubectl get all -n {namespace} -o wide",
    ),
    (rf"{START}calico-diagnostics/{RESOURCE}\.txt$", "kubectl get {resource} -o wide"),
    (rf"{START}calico-diagnostics/(?:ipam/|operator\.tigera\.io/)?{RESOURCE}\.yaml$", "kubectl get {resource} -o yaml"),
)

# OpenShift's must-gather, which is `oc adm inspect` many times over
IN_NAMESPACE = rf"{START}namespaces/{NAMESPACE}"
IN_CONTAINER = rf"{IN_NAMESPACE}/pods/{POD}/{CONTAINER}/(?P=container)/logs"
MUST_GATHER = (
    (rf"{IN_CONTAINER}/current(?:\.insecure)?\.log$", LOGS),
    (rf"{IN_CONTAINER}/previous(?:\.insecure)?\.log$", f"{LOGS} --previous"),
    (rf"{IN_NAMESPACE}/pods/{POD}/(?P=pod)\.yaml$", "kubectl get pod -n {namespace} {pod} -o yaml"),
    (rf"{IN_NAMESPACE}/[a-z0-9.]+/{RESOURCE}\.yaml$", "kubectl get {resource} -n {namespace} -o yaml"),
    (
        rf"{START}cluster-scoped-resources/[^/]+/{RESOURCE}/(?P<name>[^/]+)\.yaml$",
        "kubectl get {resource} {name} -o yaml",
    ),
    (rf"{START}cluster-scoped-resources/[^/]+/{RESOURCE}\.yaml$", "kubectl get {resource} -o yaml"),
)

# troubleshoot.sh
RESOURCES = rf"{START}cluster-resources"
SUPPORT_BUNDLE = (
    (rf"{RESOURCES}/pods/logs/{NAMESPACE}/{POD}/{CONTAINER}-previous\.log$", f"{LOGS} --previous"),
    (rf"{RESOURCES}/pods/logs/{NAMESPACE}/{POD}/{CONTAINER}\.log$", LOGS),
    (
        rf"{RESOURCES}/custom-resources/{RESOURCE}/{NAMESPACE}\.{OUTPUT}$",
        "kubectl get {resource} -n {namespace} -o {output}",
    ),
    (rf"{RESOURCES}/{LISTED}/{NAMESPACE}\.json$", "kubectl get {resource} -n {namespace} -o json"),
    (
        rf"{RESOURCES}/(?:custom-resources/)?(?!\S*-errors\.json){RESOURCE}\.{OUTPUT}$",
        "kubectl get {resource} -o {output}",
    ),
)

# Rancher's collector; it joins namespace and pod by a hyphen, which both contain, and looks into these namespaces
DISTRIBUTION = rf"{START}(?:rke2|k3s|kubeadm|k8s|rke)"
SYSTEM_NAMESPACE = (
    "(?P<namespace>kube-system|kube-public|calico-system|calico-apiserver|tigera-operator|ingress-nginx|istio-system"
    "|longhorn-system|fleet-system|fleet-default|rancher-operator-system|cattle-[a-z-]*?system|cattle-[a-z]+)"
)
RANCHER = (
    (rf"{DISTRIBUTION}/kubectl/nodesdescribe$", "kubectl describe nodes"),
    (rf"{DISTRIBUTION}/kubectl/poddescribe/{NAMESPACE}$", "kubectl describe pod -n {namespace}"),
    (rf"{DISTRIBUTION}/kubectl/{LISTED}$", "kubectl get {resource} -A -o wide"),
    (rf"{DISTRIBUTION}/kubectl/(?P<resource>crds|networkpolicies)$", "kubectl get {resource} -A"),
    (rf"{DISTRIBUTION}/podlogs/{SYSTEM_NAMESPACE}-(?P<pod>[a-z0-9.-]+?)-previous$", f"{ALL_LOGS} --previous"),
    (rf"{DISTRIBUTION}/podlogs/{SYSTEM_NAMESPACE}-{POD}$", ALL_LOGS),
)

# kubectl cluster-info dump --output-directory, whose logs carry their own marks, and whoever names files so
DUMP = ((rf"{START}{LISTED}\.{OUTPUT}$", "kubectl get {resource} -A -o {output}"),)

CLUSTER_PATHS: tuple[tuple[str, str], ...] = (*CALICOCTL, *MUST_GATHER, *SUPPORT_BUNDLE, *RANCHER, *DUMP)
