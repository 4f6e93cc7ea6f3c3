"""What would harm whoever pastes it: several nodes at once, what was kept and lost again, files of others."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest

from calivet.catalogue.model import Cause, Step
from calivet.fix.commands import does_change
from calivet.messages.command_line import fill_for_nodes
from tests.advice.platforms import TEXTS
from tests.advice.rendering import select_advice
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
NODES = re.compile(r"\bbirch-[12]\b")
CAUSES = pytest.mark.parametrize("cause", CATALOGUE.causes.values(), ids=lambda cause: cause.id)
# Takes a node out of service, or out of the cluster.
ENDS_A_NODE = re.compile(r"kubectl (?:drain|delete node) birch-|\breboot\b")
ROOTS_OWN = re.compile(
    r"ssh (?:\S+|\"\$node\") [\"']?(?:systemctl (?:re|st|en|dis)|reboot|journalctl|dmesg|crictl|ip (?:route|link) (?:add|del)|iptables|nft )"
)
REMOTE = re.compile(r"ssh \S+ (?:sudo )?(?:\"(?:[^\"\\]|\\.)*\"|'[^']*')")
WRITES = re.compile(r"(?<![>&\d])> ?([\w./{}$-]+)")
# Nobody else's file is called so: packages and guides write calico.conf.
OWN_NAME = re.compile(r"/\d\d-[\w-]*(?:calivet|calico-)|/\d\d-calivet")
CHANGES_DAEMONSET = re.compile(
    r"(?:set (?:env|image|resources)|patch|edit) (?:-n \S+ )?(?:ds|daemonset)[/ ]\{daemonset\}"
)


@cache
def list_printed(cause: str, platform: str) -> list[Step]:
    """As they are printed for two nodes, with what is known and what is not."""
    told = (select_advice(CATALOGUE.causes[cause], platform, known=known)[0] for known in (True, False))
    return [step for steps in told for step in steps]


def list_steps(cause: Cause) -> list[Step]:
    """For a manifest, whose steps are many."""
    return list_printed(cause.id, "manifest")


def list_local_files(command: str) -> list[str]:
    """Files that it writes where it is pasted, not those on a node."""
    return [name for name in WRITES.findall(REMOTE.sub("", command)) if not name.startswith("/")]


@CAUSES
def test_no_two_nodes_go_at_once(cause):
    for step in list_steps(cause):
        assert len(ENDS_A_NODE.findall(step.run)) <= 2, step.run
        if ENDS_A_NODE.search(step.run):
            assert len(set(NODES.findall(step.run))) <= 1, step.run
            told = (step.do or step.why).en
            assert "never all at once" in told or not NODES.search(step.run), told


@CAUSES
def test_what_is_put_back_on_a_node_was_kept_of_that_node(cause):
    for step in list_steps(cause):
        if not step.save or not step.undo:
            continue
        changed = set(NODES.findall(step.run))
        kept = list_local_files(step.save)
        if kept and changed and "{node}" not in step.run and "kubectl" in step.run and set(NODES.findall(step.save)):
            assert set(NODES.findall(step.save)) == changed, step.save
            assert len(set(kept)) == len(changed), step.save
        for name in kept:
            assert not re.search(rf"\\\$\(cat {re.escape(name)}", step.undo), f"{name} is not on the node"


@CAUSES
def test_what_is_kept_on_a_node_is_kept_on_each(cause):
    for step in list_steps(cause):
        if "ssh " in step.save and NODES.search(step.run):
            assert set(NODES.findall(step.save)) == set(NODES.findall(step.run)), step.save


@CAUSES
def test_no_file_of_another_is_written_over(cause):
    """A file of the host is calivet's own by its name, or it was kept before."""
    for step in cause.fix:
        written = [name for name in WRITES.findall(step.run) if name.startswith(("/etc/", "/var/", "/usr/"))]
        written += re.findall(r"sed -i\S* .*(/etc/[\w./-]+)", step.run)
        foreign = [name for name in written if not OWN_NAME.search(name)]
        assert [name for name in foreign if name not in step.save] == [], step.run


@CAUSES
def test_what_only_root_may_do_is_asked_of_root(cause):
    """Who logs in is not root: without sudo a reboot is refused, and the kernel's log looks empty."""
    checks = [check.run for check in select_advice(cause, "manifest", known=True)[1]]
    printed = [text for step in list_steps(cause) for text in (step.run, step.undo)]
    assert [text for text in (*checks, *printed) if ROOTS_OWN.search(text)] == []


POOL = """\
apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata:
  annotations:
    projectcalico.org/metadata: '{"uid":"2f6c","labels":{"app.kubernetes.io/managed-by":"tigera-operator"}}'
  creationTimestamp: "2026-05-02T10:00:00Z"
  generation: 2
  labels:
    app.kubernetes.io/managed-by: tigera-operator
  name: default-ipv4-ippool
  resourceVersion: "811"
  uid: 5b1c0e6a
spec:
  allowedUses:
  - Workload
  - Tunnel
  blockSize: 26
  cidr: 10.77.0.0/16
  ipipMode: Never
  natOutgoing: true
  nodeSelector: all()
  vxlanMode: CrossSubnet
"""


@pytest.mark.parametrize(
    ("cause", "name"), [("ip-pool-exhausted", "second-pool"), ("ip-pool-cidr-overlap", "new-pool")]
)
def test_a_copy_of_a_pool_is_nobodys(cause, name):
    """The operator deletes a pool that has its label and is not in the Installation."""
    filters = [re.search(r"sed -E (?:-e '[^']*' ?)+", step.run) for step in list_printed(cause, "manifest")]
    (copy,) = {found[0] for found in filters if found}
    made = subprocess.run(["bash", "-c", copy], input=POOL, capture_output=True, text=True, check=True).stdout
    spec = POOL.partition("spec:\n")[2].replace("10.77.0.0/16", "<free-range>")
    assert made == f"apiVersion: crd.projectcalico.org/v1\nkind: IPPool\nmetadata:\n  name: {name}\nspec:\n{spec}"


@CAUSES
def test_whoever_owns_the_daemonset_is_asked(cause):
    """The operator puts its DaemonSet back: what changes it is for manifests, and the operator's cure stands beside it."""
    changing = [step for step in cause.fix if CHANGES_DAEMONSET.search(step.run)]
    assert [step.run for step in changing if step.installer != "manifest"] == []
    if changing:
        steps = list_printed(cause.id, "operator")
        cures = [step for step in steps if step.installer == "operator" or step.risk != "safe" or not step.run]
        assert cures, "nothing is told where the operator owns the DaemonSet"


def test_every_step_is_rendered_somewhere():
    """Also those that need a value which a sign gives, and those of one platform."""
    printed = {
        (cause.id, given.do.en.split("{")[0])
        for cause in CATALOGUE.causes.values()
        for platform in TEXTS
        for step in list_printed(cause.id, platform)
        for given in cause.fix
        if given.do and step.do and step.do.en.startswith(given.do.en.split("{")[0]) and step.risk == given.risk
    }
    missing = [
        (cause.id, step.do.en)
        for cause in CATALOGUE.causes.values()
        for step in cause.fix
        if step.do and not step.until and (cause.id, step.do.en.split("{")[0]) not in printed
    ]
    assert missing == []


@CAUSES
def test_there_is_a_check_wherever_there_is_a_fix(cause):
    """On Talos what would be looked at on the machine is looked at by other means."""
    for platform in TEXTS.keys() - {"talos"}:
        steps, checks = select_advice(cause, platform, known=False)
        assert checks or not steps, platform


def test_bird_is_not_asked_where_it_does_not_run():
    asked = [
        (cause.id, check.run)
        for cause in CATALOGUE.causes.values()
        if cause.layer != "bgp"
        for check in cause.verify
        if "birdcl" in check.run and "not vxlan" not in check.when.get("encapsulation", [])
    ]
    assert asked == []


@CAUSES
def test_what_is_changed_on_a_node_is_changed_on_each(cause):
    """But for what takes a node out of service, which is done to one after the other."""
    for step in cause.fix:
        if "ssh {node}" in step.run and does_change(step.run) and "drain" not in step.run and "reboot" not in step.run:
            printed = fill_for_nodes(step.run, [{"node": "birch-1"}, {"node": "birch-2"}])
            assert set(NODES.findall(printed)) == {"birch-1", "birch-2"}, printed


def test_mounts_that_were_shared_stay_shared():
    """To make all of them private would cut kubelet off from what pods mount."""
    undos = [step.undo for step in list_printed("mount-propagation", "manifest") if step.undo]
    assert undos
    assert not any("rprivate" in undo for undo in undos)


def test_the_driver_changes_only_on_a_node_that_is_drained():
    """On the others the pods would lose their cgroups under them."""
    steps = [step for step in list_printed("cgroup-driver-mismatch", "manifest") if "systemctl restart" in step.run]
    assert steps
    for step in steps:
        assert re.search(r"kubectl drain .*systemctl restart .*kubectl uncordon", step.run, re.DOTALL), step.run
        assert len(set(NODES.findall(step.run))) == 1, step.run


@CAUSES
def test_what_is_kept_of_secrets_is_for_nobody_else(cause):
    kept = [step.save for step in cause.fix if re.search(r"get secret\b.*>", step.save)]
    assert [save for save in kept if not save.startswith("(umask 077; ")] == []
    assert [step.run for step in cause.fix if "$HOME/.docker" in step.run] == []


@CAUSES
def test_felix_is_told_of_vxlan_where_it_does_not_find_out(cause):
    """Before 3.23 calicoctl did so; a pool that kubectl has changed gets no device, and its pods no route."""
    steps = [step for step in cause.fix if re.search(r'patch ippools.*"vxlanMode":"(?:Always|CrossSubnet)"', step.run)]
    for step in steps:
        assert step.since == "3.23" or re.search(r'"vxlanEnabled":true.* && for p in', step.run), step.run
    assert not steps or {step.until for step in steps} == {"", "3.22"}


# What a step would break where it is not so, and what asks for it first.
ASKED_FIRST = {
    ("bgp-config-wrong", "nodeToNodeMeshEnabled"): "kubectl get nodes -o name | wc -l",
    ("image-pull-failed", "patch installation"): "{.spec.imagePullSecrets}",
    ("service-vip-unreachable", "-n tigera-operator --dry-run"): "bpfNetworkBootstrap",
    ("source-check-blocked", "awsSrcDstCheck"): "IamInstanceProfile",
}


@pytest.mark.parametrize(("cause", "part"), ASKED_FIRST)
def test_what_would_break_is_asked_first(cause, part):
    steps = [step for step in CATALOGUE.causes[cause].fix if part in step.run]
    assert steps
    assert all(step.precheck and ASKED_FIRST[cause, part] in step.precheck.run for step in steps)


def test_storage_is_not_restarted_for_an_mtu():
    """A cluster's disks are pods, too: they are restarted by whoever looks after them."""
    (step,) = [step for step in CATALOGUE.causes["mtu-mismatch"].fix if "get deployments,statefulsets" in step.run]
    (pattern,) = re.findall(r"grep -vE '([^']+)'", step.run)
    names = ["shop", "openebs-shop", "kube-system", "openshift-etcd", "rook-ceph", "longhorn-system", "openebs"]
    assert [name for name in names if not re.search(pattern, name)] == ["shop", "openebs-shop"]
    assert step.decided_by == "operator"


@CAUSES
def test_who_reboots_drains_first(cause):
    """Pods that are not moved away are gone for minutes, and their data may be."""
    steps = list_printed(cause.id, "manifest")
    for place, step in enumerate(steps):
        if re.search(r"\breboot\b", step.run):
            assert any("kubectl drain" in one.run for one in steps[: place + 1]), step.run


@pytest.mark.parametrize(
    ("cause", "platform"),
    [("cgroup-driver-mismatch", "crio"), ("cgroup-driver-mismatch", "docker"), ("runtime-config-invalid", "crio")],
)
def test_nobody_edits_the_file_of_a_runtime_that_kubelet_does_not_use(cause, platform):
    runs = [step.run for step in list_printed(cause, platform)]
    assert any("/etc/crio/crio.conf.d/" in run or "/etc/docker/" in run for run in runs)
    assert not [run for run in runs if "/etc/containerd/" in run]


def test_a_key_is_no_leftover_where_the_kernel_has_no_wireguard():
    told, untold = (
        " ".join(step.run for step in select_advice(CATALOGUE.causes["wireguard-failed"], "manifest", known=known)[0])
        for known in (True, False)
    )
    assert "modprobe" in told
    assert "WireguardPublicKey-" not in told
    assert "WireguardPublicKey-" in untold
