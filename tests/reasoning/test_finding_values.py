"""The names that go into sentences and commands."""

from __future__ import annotations

import pytest

from calivet.messages.command_line import fill, fill_for_nodes
from calivet.messages.words import Words
from calivet.reasoning.finding_values import collect_other_nodes, collect_values, fill_with_some_node, find_installer
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, check, diagnosed, judged, seen_at, sign, step

ROWS = (
    "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
    "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2",
    "calico-node-kd9wp 1/1 Running 0 9d 10.71.0.13 birch-3",
)

USUAL = {
    "namespace": "kube-system",
    "daemonset": "calico-node",
    "selector": "k8s-app=calico-node",
    "api_group": "crd.projectcalico.org",
    "kubectl": "kubectl",
    "crictl": "crictl",
    "ctr": "ctr",
    "kubelet_unit": "kubelet",
    "runtime_unit": "containerd",
}


class TestInstaller:
    @pytest.mark.parametrize(
        "text",
        [
            pods(*ROWS, namespace="calico-system"),
            pods("tigera-operator-55585899bf-gkqtz 1/1 Running 0 9d 10.71.0.11 birch-1", namespace="tigera-operator"),
            "[root@bastion ~]# kubectl -n calico-system logs ds/calico-node\nnothing\n",
            "[root@bastion ~]# kubectl get installations.operator.tigera.io -o yaml\nnothing\n",
        ],
    )
    def test_the_operator(self, text):
        assert find_installer(picture_of(text)) == "operator"

    def test_the_manifest(self):
        assert find_installer(picture_of(pods(*ROWS))) == "manifest"

    @pytest.mark.parametrize("text", ["", pods("wiki-0 1/1 Running 0 9d 10.244.0.9 birch-1", namespace="default")])
    def test_neither_was_seen(self, text):
        assert find_installer(picture_of(text)) is None

    @pytest.mark.parametrize(
        "text",
        [
            {
                "installation.yaml": "apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata:\n  name: default\nspec:\n  calicoNetwork:\n    bgp: Enabled\n"
            },
            "[root@bastion ~]# kubectl get tigerastatus\nNAME     AVAILABLE   PROGRESSING   DEGRADED   SINCE\ncalico   False       False         True       5m\n",
        ],
        ids=["an Installation", "a TigeraStatus"],
    )
    def test_the_operators_resources(self, text):
        assert find_installer(picture_of(text)) == "operator"


class TestValues:
    PICTURE = picture_of(nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + pods(*ROWS))

    def test_the_pod_of_the_findings_node(self):
        assert collect_values(self.PICTURE, ["birch-3"], []) == USUAL | {
            "pod": "calico-node-kd9wp", "node": "birch-3", "nodes": "birch-3"
        }  # fmt: skip

    def test_a_sick_pod_where_no_node_is_known(self):
        assert collect_values(self.PICTURE, [], []) == USUAL | {
            "pod": "calico-node-7tq4n", "node": "birch-2", "nodes": "birch-2", "node_address": "10.71.0.12"
        }  # fmt: skip

    def test_never_the_pod_of_another_node(self):
        assert "pod" not in collect_values(self.PICTURE, ["birch-9"], [])

    def test_several_nodes(self):
        values = collect_values(self.PICTURE, ["birch-3", "birch-1"], [])
        assert (values["node"], values["nodes"]) == ("birch-3", "birch-3, birch-1")

    def test_nothing_known_but_where_calico_usually_is(self):
        assert collect_values(picture_of(""), [], []) == USUAL

    @pytest.mark.parametrize(
        ("text", "namespace"),
        [
            (pods(*ROWS, namespace="calico-system"), "calico-system"),
            (pods(*ROWS, namespace="networking"), "networking"),
            ("[root@bastion ~]# kubectl -n calico-system logs ds/calico-node\nnothing\n", "calico-system"),
        ],
    )
    def test_the_namespace(self, text, namespace):
        assert collect_values(picture_of(text), [], [])["namespace"] == namespace

    def test_the_strongest_signs_values_win(self):
        weak, strong = seen_at(1), seen_at(2)
        weak[0].values.update(device="sda", size="1")
        strong[0].values.update(device="sdb", empty="")
        (found,) = judged(cause("fault", sign("one", "weak"), sign("two", "proof")), one=weak, two=strong)
        values = collect_values(picture_of(""), [], found.speaking_for)
        assert (values["device"], values["size"]) == ("sdb", "1")
        assert "empty" not in values


class TestOtherNodes:
    def spread(self, sightings, *nodes):
        """The values for each of these nodes."""
        (found,) = judged(cause("fault", sign("one", "proof")), one=sightings)
        values = collect_values(picture_of(""), list(nodes), found.speaking_for)
        return [values, *collect_other_nodes(picture_of(""), list(nodes), values, found.speaking_for)]

    def see(self, **devices):
        """A device was seen on each of these nodes; `third` only suffers from it."""
        sightings = [one for number, node in enumerate(devices) for one in seen_at(number + 1, node=node)]
        for one in sightings:
            one.values["device"] = devices[str(one.node)]
        return self.spread(sightings, "third", *devices)

    def test_commands_are_for_the_node_where_the_value_was_seen(self):
        assert self.see(first="sda")[0]["node"] == "first"

    def test_what_was_seen_on_one_node_is_not_told_of_another(self):
        assert [each.get("device") for each in self.see(first="sda", second="sdb")] == ["sda", None, "sdb"]
        assert fill_for_nodes("ssh {node} wipe {device}", self.see(first="sda")) == "ssh first sudo wipe sda"

    def test_a_value_that_belongs_to_no_node_is_told_of_all(self):
        sightings = seen_at(1)
        sightings[0].values["device"] = "sda"
        assert [each["device"] for each in self.spread(sightings, "first", "second")] == ["sda", "sda"]

    def test_a_sign_at_the_far_end_says_whose_the_value_is(self):
        sightings = [*seen_at(1, node="first"), *seen_at(2, node="second")]
        for one in sightings:
            one.values.update(device="sda", node="first")
        assert [each.get("device") for each in self.spread(sightings, "first", "second")] == ["sda", None]

    def test_the_other_side_is_not_the_one_that_is_mended(self):
        sightings = seen_at(1)
        sightings[0].values["other"] = "first"
        assert self.spread(sightings, "first", "second")[0]["node"] == "second"


class TestSomeNode:
    WORDS = Words("It broke on {nodes}.", "{nodes} 上出故障。")

    def test_a_known_node(self):
        assert fill_with_some_node(self.WORDS, {"nodes": "birch-1"}) == Words(
            "It broke on birch-1.", "birch-1 上出故障。"
        )

    def test_an_unknown_one_is_spoken_of_in_the_readers_language(self):
        assert fill_with_some_node(self.WORDS, {}) == Words("It broke on the affected node.", "受影响的节点上出故障。")

    def test_several_are_joined_as_people_do(self):
        told = fill_with_some_node(self.WORDS, {"nodes": "birch-1, birch-2, birch-3"})
        assert told == Words("It broke on birch-1, birch-2 and birch-3.", "birch-1、birch-2、birch-3 上出故障。")

    def test_long_names_are_counted(self):
        names = [f"ip-10-9-8-{number}.eu-west-1.compute.internal" for number in (1, 2)]
        assert fill_with_some_node(self.WORDS, {"nodes": ", ".join(names)}).en == "It broke on 2 nodes."

    def test_chinese_says_of_once(self):
        assert fill_with_some_node(Words("", "{nodes} 的 Pod 不通。"), {}).zh == "受影响节点的 Pod 不通。"


class TestInFinding:
    KNOWN = catalogue(
        cause(
            "fault",
            sign("gone", "proof", "frobnicator {name} is gone", pattern=r"frobnicator (?P<name>\w+) is gone"),
            fix=[
                step("ssh {node} frob {name}", undo="unfrob {name}"),
                step("kubectl edit installation", installer="operator"),
                step("kubectl -n {namespace} edit ds", installer="manifest"),
                step("kubectl delete pod {pod}", installer="manifest"),
            ],
            verify=[check("kubectl -n {namespace} get pod {pod} -o jsonpath='{.status}' # {unknown}")],
        )
    )
    FAULT = "[root@birch-2 ~]# dmesg\nkernel: frobnicator main is gone\n"
    LOOKED_UP = (
        "$(kubectl get pod -n kube-system -l k8s-app=calico-node --field-selector spec.nodeName=birch-2"
        " --no-headers -o custom-columns=:.metadata.name)"
    )

    def finding(self, namespace):
        (found,) = diagnosed(self.KNOWN, pods(*ROWS, namespace=namespace) + self.FAULT).findings
        return found

    def test_commands_are_filled_and_fit_the_installation(self):
        found = self.finding("kube-system")
        assert [one.run for one in found.fix][:2] == ["ssh birch-2 sudo frob main", "kubectl -n kube-system edit ds"]
        assert found.fix[0].undo == "unfrob main"
        assert [one.run for one in self.finding("calico-system").fix] == [
            "ssh birch-2 sudo frob main",
            "kubectl edit installation",
        ]

    def test_braces_of_the_shell_stay_and_what_is_unknown_shows(self):
        (one,) = self.finding("kube-system").verify
        assert one.run == f"kubectl -n kube-system get pod {self.LOOKED_UP} -o jsonpath='{{.status}}' # <unknown>"

    def test_a_pod_that_was_replaced_is_looked_up(self):
        assert self.finding("kube-system").fix[-1].run == f"kubectl delete pod {self.LOOKED_UP}"

    def test_the_format_of_curl_stays(self):
        assert fill("curl -w '%{http_code}' {node}", {"node": "birch-1"}) == "curl -w '%{http_code}' birch-1"

    def test_the_summary_names_node_and_value(self):
        assert self.finding("kube-system").summary.en == "It broke on birch-2. Seen: frobnicator main is gone."


class TestAddresses:
    POOL = "[root@bastion ~]# calicoctl get ippool -o wide\nNAME      CIDR             NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR\n{rows}"
    ONE = "only      10.80.0.0/16     true   Always     Never       false      all()\n"
    OTHER = "other     10.81.0.0/16     true   Always     Never       false      all()\n"

    def test_the_only_pool(self):
        values = collect_values(picture_of(self.POOL.format(rows=self.ONE)), [], [])
        assert (values["pool"], values["pod_range"]) == ("only", "10.80.0.0/16")

    def test_none_of_several_pools(self):
        values = collect_values(picture_of(self.POOL.format(rows=self.ONE + self.OTHER)), [], [])
        assert "pool" not in values
        assert values["pod_range"] == "10.80.0.0/16,10.81.0.0/16"

    def test_typha(self):
        text = pods("calico-typha-5f6c8d7b9-x2p9q 1/1 Running 0 9d 10.71.0.13 birch-3", namespace="calico-system")
        assert collect_values(picture_of(text), [], [])["typha_address"] == "10.71.0.13"
