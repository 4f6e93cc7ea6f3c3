"""Commands of the catalogue whose shell has once done harm, run as they are printed, on a machine that is made up."""

from __future__ import annotations

import json
import re

import pytest

from calivet.catalogue.model import Step
from tests.advice.machine import Machine, make_machine
from tests.advice.rendering import render_question, select_advice
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()


@pytest.fixture
def machine(tmp_path) -> Machine:
    return make_machine(tmp_path)


def find_step(cause: str, part: str, platform: str = "manifest") -> Step:
    """The one whose command has this in it, as it is printed."""
    steps, _ = select_advice(CATALOGUE.causes[cause], platform, known=True)
    return next(step for step in steps if part in step.run and step.undo)


def find_patch(call: str) -> dict[str, object]:
    """What kubectl patch was given."""
    found: dict[str, object] = json.loads(call.partition(" -p ")[2])
    return found


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('  bin_dir = "/usr/lib/cni"', '  bin_dir = "/opt/cni/bin"'),
        ('  bin_dirs = ["/x"]', '  bin_dirs = ["/opt/cni/bin"]'),
    ],
)
def test_containerd_gets_the_kind_of_value_that_it_takes(machine, line, wanted):
    config = machine.write("/etc/containerd/config.toml", f"{line}\n")
    machine.paste(find_step("runtime-config-invalid", "bin_dirs").run)
    assert config.read_text("utf-8").replace(str(machine.folder), "") == f"{wanted}\n"


def test_a_library_that_is_there_stays_loaded(machine):
    there = machine.write("/lib/agent.so", "")
    preload = machine.write("/etc/ld.so.preload", f"{there}\n/nowhere/gone.so\n")
    machine.paste(find_step("injected-agent", "sed -i").run)
    assert preload.read_text("utf-8").splitlines() == [str(there), "#/nowhere/gone.so"]


@pytest.mark.parametrize(("state", "calls"), [("inactive", 0), ("active", 1)])
def test_a_firewall_that_was_off_stays_off(machine, state, calls):
    """Enabled where nobody had set it up, ufw closes the port of ssh."""
    machine.has("ufw", f'[ "$1" = status ] && echo "Status: {state}"\ntrue\n')
    machine.has("systemctl", "[ $1 = is-active ] && echo inactive\nfalse\n")
    step = find_step("firewall-on-host", "ufw disable")
    for command in (step.save.split("\n")[0], step.run, step.undo):
        machine.paste(command)
    assert len(set(machine.list_called("ufw")) & {"ufw --force enable"}) == calls
    assert [call for call in machine.list_called("systemctl") if "enable" in call and "disable" not in call] == []


def test_settings_of_the_runtimes_unit_survive(machine):
    """`systemctl revert` takes every other drop-in of the unit with it."""
    machine.has("systemctl", "[ $1 = show ] && echo TasksMax=4915\ntrue\n")
    step = find_step("pid-limit", "set-property")
    for command in (step.save, step.run, step.undo):
        machine.paste(command)
    calls = machine.list_called("systemctl")
    assert calls[-1].endswith("TasksMax=4915")
    assert not any("revert" in call for call in calls)


def test_no_limit_is_lowered(machine):
    machine.has("sysctl", '[ "$1" = -n ] && echo 8388608\ntrue\n')
    machine.paste(find_step("pid-limit", "kernel.pid_max=").run.replace("/etc/sysctl.d", "/etc"))
    assert (machine.folder / "etc/90-calivet-pids.conf").read_text("utf-8") == ""


@pytest.mark.parametrize("old", ["", r"^(ens\d+|bond0)$"])
def test_the_pattern_of_a_site_goes_on_matching(machine, old):
    machine.has("kubectl", f"case $1 in get) printf %s '{old}' ;; esac\n")
    step = find_step("bpf-interface-unmatched", "the-card")
    machine.paste(step.save)
    machine.paste(step.run)
    spec = find_patch(machine.list_called("kubectl")[-1])["spec"]
    assert isinstance(spec, dict)
    pattern = re.compile(spec["bpfDataIfacePattern"])
    assert [bool(pattern.search(name)) for name in ("ens3", "bond0", "the-card", "br0")] == [True, True, True, False]
    machine.paste(step.undo)
    assert find_patch(machine.list_called("kubectl")[-1]) == {"spec": {"bpfDataIfacePattern": old or None}}


def test_an_mtu_that_was_never_set_is_found_again_by_felix(machine):
    """Since 3.17, 0 means so; nothing at all is not JSON in the file of the plugin."""
    machine.has("kubectl", "true\n")
    step = find_step("mtu-mismatch", "the-fits")
    for command in (step.save, step.run, step.undo):
        machine.paste(command)
    patches = [find_patch(call.partition(" &&")[0]) for call in machine.list_called("kubectl") if " patch " in call]
    assert patches[-1] == {"data": {"veth_mtu": "0"}}


@pytest.mark.parametrize(("replicas", "scaled"), [("5", False), ("0", True)])
def test_a_typha_that_has_replicas_is_not_scaled(machine, replicas, scaled):
    machine.has("kubectl", f'case "$*" in *jsonpath*) printf {replicas} ;; esac\n')
    step = find_step("typha-unreachable", " scale ")
    machine.paste(step.save)
    machine.paste(step.run)
    assert any(" scale " in call for call in machine.list_called("kubectl")) is scaled


@pytest.mark.parametrize(
    ("cause", "part"),
    [
        ("datastore-not-ready-flag", '"datastoreReady":true'),
        ("datastore-migration-waiting", "migrate unlock"),
        ("ipam-upgrade-stuck", '"datastoreReady":true'),
    ],
)
@pytest.mark.parametrize("migration", ["datastoremigration.migration.projectcalico.org/v1-to-v3", ""])
def test_nothing_is_unlocked_under_a_migration(machine, cause, part, migration):
    machine.has("kubectl", f'case "$*" in *datastoremigrations*) echo {migration} ;; esac\n')
    machine.has("calicoctl", "true\n")
    machine.paste(find_step(cause, part).run)
    unlocked = [call for call in machine.list_called() if part.replace(" ", "") in call.replace(" ", "")]
    assert bool(unlocked) is not bool(migration)


@pytest.mark.parametrize(("ready", "checks"), [("true", "true"), ("true", "false"), ("false", "true")])
def test_a_lock_of_others_stays(machine, ready, checks):
    """And what was locked here is unlocked, also where nothing could be released."""
    answers = f"*clusterinformation*) echo '  datastoreReady: {ready}' ;; *check*) {checks} ;;"
    machine.has("calicoctl", f'case "$*" in {answers} esac\n')
    steps, _ = select_advice(CATALOGUE.causes["ipam-inconsistent"], "manifest", known=True)
    machine.paste(next(step.run for step in steps if "migrate lock" in step.run))
    called = [call.split()[-1] for call in machine.list_called("calicoctl") if "migrate" in call]
    assert called == (["lock", "unlock"] if ready == "true" else [])


@pytest.mark.parametrize(
    ("cause", "part", "folder"),
    [
        ("kubelet-cert-expired", "kubeadm certs renew", "kubernetes"),
        ("firewall-on-host", "add-protocol=4", "firewalld"),
    ],
)
def test_what_is_kept_is_of_today(machine, cause, part, folder):
    """Certificates expire each year: a copy of the year before would be put back; one of an hour ago must stay as it is."""
    machine.write(f"/etc/{folder}/which", "old")
    save = find_step(cause, part).save.split("\n")[0]
    machine.paste(save)
    machine.write(f"/etc/{folder}/which", "new")
    machine.paste(save)
    assert (machine.folder / f"root/{folder}-saved/which").read_text("utf-8") == "old"
    machine.has("find", "true\n")  # as if a day had passed
    machine.paste(save)
    assert (machine.folder / f"root/{folder}-saved/which").read_text("utf-8") == "new"
    assert not (machine.folder / f"root/{folder}-saved/{folder}").exists()


@pytest.mark.parametrize(("desired", "deleted"), [("2", True), ("0", False), ("", False)])
def test_an_installation_is_not_deleted_where_no_other_takes_over(machine, desired, deleted):
    answers = f'*desiredNumberScheduled*) printf "{desired}" ;; *nodes*) echo node/a; echo node/b ;;'
    machine.has("kubectl", f'case "$*" in {answers} esac\n')
    machine.paste(find_step("two-installations", "delete daemonset").run)
    assert any(" delete " in call for call in machine.list_called("kubectl")) is deleted


@pytest.mark.parametrize(
    ("verb", "resource", "granted"),
    [
        ("list", "tiers.crd.projectcalico.org", True),
        ("update", "blockaffinities.crd.projectcalico.org", True),
        ("patch", "nodes/status", True),
        ("watch", "endpointslices.discovery.k8s.io", True),
        ("list", "secrets", False),
        ("create", "serviceaccounts/token", False),
        ("create", "clusterrolebindings.rbac.authorization.k8s.io", False),
        ("delete", "nodes", False),
    ],
)
def test_a_log_grants_nothing_that_leads_to_more(machine, verb, resource, granted):
    """Whoever writes the log would choose what the account may do."""
    machine.has("kubectl", "true\n")
    run = find_step("rbac-forbidden", "calico-refused").run
    machine.paste(run.replace("the-verb", verb).replace("the-resource", resource))
    assert bool(machine.list_called("kubectl")) is granted


def test_a_record_is_not_emptied_where_nothing_answers(machine):
    machine.has("kubectl", "case $1 in get) echo 10.71.0.12 ;; esac\n")
    step = find_step("wrong-ip-autodetected", "IPv4Address=$found")
    machine.has("ip", "true\n")
    machine.paste(step.run)
    assert [call for call in machine.list_called("kubectl") if " get " not in call] == []
    machine.has("ip", "echo '2: ens3    inet 110.71.0.12/8 x'; echo '2: ens3    inet 10.71.0.12/24 brd 10.71.0.255'\n")
    machine.paste(step.run)
    assert any(call.endswith("projectcalico.org/IPv4Address=10.71.0.12/24") for call in machine.list_called("kubectl"))


def test_the_service_address_is_excepted_where_there_is_no_kubeadm(machine):
    machine.has(
        "kubectl",
        'case "$*" in *nodes*) printf "10.71.0.11 10.71.0.12" ;; *svc*) printf 10.96.0.1 ;; *) exit 1 ;; esac\n',
    )
    machine.has("systemctl", "[ $1 = show ] && echo Environment=NO_PROXY=site.example\ntrue\n")
    machine.paste(find_step("http-proxy-env", "90-calico-no-proxy.conf").run)
    (file,) = (machine.folder / "etc").rglob("90-calico-no-proxy.conf")
    (told,) = set(re.findall(r'(?i)no_proxy=([^"]+)"', file.read_text("utf-8")))
    assert {"site.example", "10.71.0.11", "10.71.0.12", "10.96.0.1"} <= set(told.split(","))


def test_other_overrides_of_felix_stay(machine):
    machine.has("kubectl", "case $1 in get) printf SNATFullyRandom=false ;; esac\n")
    step = find_step("checksum-offload-bug", "featureDetectOverride")
    machine.paste(step.save)
    machine.paste(step.run)
    told = find_patch(machine.list_called("kubectl")[-1])
    assert told == {"spec": {"featureDetectOverride": "SNATFullyRandom=false,ChecksumOffloadBroken=true"}}


@pytest.mark.parametrize(
    ("saved", "v4", "v6"), [("true,", True, None), (",true", None, True), ("true,true", True, True)]
)
def test_encryption_comes_back_as_it_was(machine, saved, v4, v6):
    machine.has("kubectl", f"case $1 in get) printf '{saved}' ;; esac\n")
    step = find_step("wireguard-failed", "wireguardEnabled")
    for command in (step.save, step.run, step.undo):
        machine.paste(command)
    assert find_patch(machine.list_called("kubectl")[-1]) == {
        "spec": {"wireguardEnabled": v4, "wireguardEnabledV6": v6}
    }


@pytest.mark.parametrize("mounted", [True, False])
def test_a_file_system_that_is_mounted_is_not_hidden(machine, mounted):
    """A second one over it would hide the pinned maps of programs that run, and the undo would take the first away."""
    machine.has("mountpoint", "true\n" if mounted else "false\n")
    machine.has("findmnt", "echo /sys/fs/bpf; echo /run/calico/cgroup\n" if mounted else "echo /\n")
    machine.has("mount", "true\n")
    machine.has("umount", "true\n")
    machine.has("mkdir", "true\n")
    step = find_step("bpffs-mount-failed", "mountpoint")
    for command in (step.save, step.run, step.undo):
        machine.paste(command)
    made, taken = machine.list_called("mount"), machine.list_called("umount")
    assert bool(made) is bool(taken) is not mounted


@pytest.mark.parametrize("existing", ["kind: ConfigMap\n  resourceVersion: '7'\n", ""])
def test_an_address_that_was_told_before_comes_back(machine, existing):
    machine.has("kubectl", f'case "$1 $2" in "get configmap") printf "{existing}" ;; esac\n')
    step = find_step("service-vip-unreachable", "create configmap", "ebpf-manifest")
    machine.paste(step.save)
    machine.paste(step.undo)
    calls = machine.list_called("kubectl")
    assert any(call.startswith("kubectl replace -f services-endpoint-saved.yaml") for call in calls) is bool(existing)
    assert any(call.startswith("kubectl delete configmap") for call in calls) is not bool(existing)


# What is in the image of calico-node; before 3.24 its eBPF tool counts nothing, and from 3.33 on there is one program.
RELEASES = {
    "3.20": {
        "calico-node": 'case "$*" in *counters*|*ifstate*) exit 1 ;; esac\necho "calico-node $*: dropped by policy, unknown source"\n',
        "tc": "echo calico_from_hos\n",
    },
    "3.32": {"calico-node": 'echo "calico-node $*: dropped by policy, unknown source"\n'},
    "3.33": {
        "calico": '[ "$1 $2" = "component node" ] || exit 1\necho "calico $*: dropped by policy, unknown source"\n'
    },
}
EXEC = 'while [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'


def list_commands_in_the_container() -> list[str]:
    """Of all checks and questions that call Calico's own program there."""
    told = [select_advice(cause, "ebpf", known=True) for cause in CATALOGUE.causes.values()]
    runs: list[str] = [check.run for _, checks in told for check in checks]
    runs += [render_question(question, "ebpf").command for question in CATALOGUE.questions.values()]
    found = {run for run in runs if "component node " in run}
    return sorted(run.partition("; ssh")[0] for run in found)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(
    "command", list_commands_in_the_container(), ids=lambda command: command.partition("; fi")[0][-30:]
)
def test_every_release_answers(machine, release, command):
    machine.has("kubectl", EXEC)
    for name, script in RELEASES[release].items():
        machine.has(name, script)
    printed = machine.paste(command)
    assert re.search(r"calico|\blo\b|no counters", printed), printed
