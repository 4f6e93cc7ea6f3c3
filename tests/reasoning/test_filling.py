"""The names that go into sentences and commands."""

from __future__ import annotations

import pytest

from calivet.catalogue.words import Words, fill
from calivet.reasoning.filling import installer_of, values_for, with_some_node
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, check, diagnosed, judged, seen_at, sign, step

ROWS = (
    "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
    "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2",
    "calico-node-kd9wp 1/1 Running 0 9d 10.71.0.13 birch-3",
)


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
        assert installer_of(picture_of(text)) == "operator"

    @pytest.mark.parametrize(
        "text", ["", pods(*ROWS), pods("wiki-0 1/1 Running 0 9d 10.244.0.9 birch-1", namespace="default")]
    )
    def test_the_manifest(self, text):
        assert installer_of(picture_of(text)) == "manifest"

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
        assert installer_of(picture_of(text)) == "operator"


class TestValues:
    PICTURE = picture_of(nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + pods(*ROWS))

    def test_the_pod_of_the_findings_node(self):
        assert values_for(self.PICTURE, ["birch-3"], []) == {
            "namespace": "kube-system", "pod": "calico-node-kd9wp", "node": "birch-3", "nodes": "birch-3"
        }  # fmt: skip

    def test_a_sick_pod_where_no_node_is_known(self):
        assert values_for(self.PICTURE, [], []) == {
            "namespace": "kube-system", "pod": "calico-node-7tq4n", "node": "birch-2", "nodes": "birch-2"
        }  # fmt: skip

    def test_never_the_pod_of_another_node(self):
        assert "pod" not in values_for(self.PICTURE, ["birch-9"], [])

    def test_several_nodes(self):
        values = values_for(self.PICTURE, ["birch-3", "birch-1"], [])
        assert (values["node"], values["nodes"]) == ("birch-3", "birch-3, birch-1")

    def test_nothing_known_but_where_calico_usually_is(self):
        assert values_for(picture_of(""), [], []) == {"namespace": "kube-system"}

    @pytest.mark.parametrize(
        ("text", "namespace"),
        [
            (pods(*ROWS, namespace="calico-system"), "calico-system"),
            (pods(*ROWS, namespace="networking"), "networking"),
            ("[root@bastion ~]# kubectl -n calico-system logs ds/calico-node\nnothing\n", "calico-system"),
        ],
    )
    def test_the_namespace(self, text, namespace):
        assert values_for(picture_of(text), [], [])["namespace"] == namespace

    def test_the_strongest_signs_values_win(self):
        weak, strong = seen_at(1), seen_at(2)
        weak[0].values.update(device="sda", size="1")
        strong[0].values.update(device="sdb", empty="")
        (found,) = judged(cause("fault", sign("one", "weak"), sign("two", "proof")), one=weak, two=strong)
        values = values_for(picture_of(""), [], found.speaking_for)
        assert (values["device"], values["size"]) == ("sdb", "1")
        assert "empty" not in values


class TestSomeNode:
    WORDS = Words("It broke on {nodes}.", "{nodes} 上出故障。")

    def test_a_known_node(self):
        assert with_some_node(self.WORDS, {"nodes": "birch-1"}) == Words("It broke on birch-1.", "birch-1 上出故障。")

    def test_an_unknown_one_is_spoken_of_in_the_readers_language(self):
        assert with_some_node(self.WORDS, {}) == Words("It broke on the affected node.", "受影响的节点上出故障。")


class TestInFinding:
    KNOWN = catalogue(
        cause(
            "fault",
            sign("gone", "proof", "frobnicator {name} is gone", pattern=r"frobnicator (?P<name>\w+) is gone"),
            fix=[
                step("ssh {node} frob {name}", undo="unfrob {name}"),
                step("kubectl edit installation", installer="operator"),
                step("kubectl -n {namespace} edit ds", installer="manifest"),
            ],
            verify=[check("kubectl -n {namespace} get pod {pod} -o jsonpath='{.status}' # {unknown}")],
        )
    )
    FAULT = "[root@birch-2 ~]# dmesg\nkernel: frobnicator main is gone\n"

    def finding(self, namespace):
        (found,) = diagnosed(self.KNOWN, pods(*ROWS, namespace=namespace) + self.FAULT).findings
        return found

    def test_commands_are_filled_and_fit_the_installation(self):
        found = self.finding("kube-system")
        assert [one.run for one in found.fix] == ["ssh birch-2 frob main", "kubectl -n kube-system edit ds"]
        assert found.fix[0].undo == "unfrob main"
        assert [one.run for one in self.finding("calico-system").fix] == [
            "ssh birch-2 frob main",
            "kubectl edit installation",
        ]

    def test_braces_of_the_shell_stay_and_what_is_unknown_shows(self):
        (one,) = self.finding("kube-system").verify
        assert one.run == "kubectl -n kube-system get pod calico-node-7tq4n -o jsonpath='{.status}' # <unknown>"

    def test_the_format_of_curl_stays(self):
        assert fill("curl -w '%{http_code}' {node}", {"node": "birch-1"}) == "curl -w '%{http_code}' birch-1"

    def test_the_summary_names_node_and_value(self):
        assert self.finding("kube-system").summary.en == "It broke on birch-2. Frobnicator main is gone."
