"""Objects in YAML and JSON: fragments, elisions, damage, and what stands around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Condition, Container, Node, Object
from calivet.readers.objects.kubernetes_object import READER
from tests.readers.host_reading import facts_of, reading_of


def only(facts: list, kind: type) -> list:
    return [fact for fact in facts if isinstance(fact, kind)]


def test_a_probe_between_elisions() -> None:
    (found, probe) = facts_of(
        READER,
        """
        ...
                livenessProbe:
                  httpGet:
                    host: 127.0.0.1
                    path: /liveness
                    port: 9099
                    scheme: HTTP
                  initialDelaySeconds: 5
                  periodSeconds: 10
                  timeoutSeconds: 1
        ...
        """,
        "kubectl get daemonsets.apps -n kube-system calico-node -o yaml",
    )
    assert (found.kind, found.name, found.namespace) == (None, "calico-node", "kube-system")
    assert found.values["livenessProbe.httpGet.port"] == 9099
    assert (probe.target, probe.delay, probe.failures) == ("http://127.0.0.1:9099/liveness", 5.0, None)


def test_environment_cut_out_by_grep() -> None:
    facts = facts_of(
        READER,
        "          value: autodetect\n        - name: IP_AUTODETECTION_METHOD\n          value: interface=eth1\n        - name: CLUSTER_TYPE",
        "kubectl -n kube-system get ds calico-node -o yaml | grep -B1 -A2 AUTODETECTION",
    )
    (variable,) = only(facts, Variable)
    assert (variable.name, variable.value, variable.owner) == (
        "IP_AUTODETECTION_METHOD",
        "interface=eth1",
        "calico-node",
    )
    assert variable.at.text == "value: interface=eth1"


def test_numbered_by_grep() -> None:
    (found,) = facts_of(
        READER,
        "61:        volumeMounts:\n62-        - mountPath: /calico-secrets\n63-          name: etcd-certs\n64-      hostNetwork: true\n...\n79-      volumes:\n80-      - name: etcd-certs",
    )
    assert found.values["volumeMounts[0].mountPath"] == "/calico-secrets"
    assert found.values["hostNetwork"] is True
    assert found.values["volumes[0].name"] == "etcd-certs"


def test_only_the_status() -> None:
    facts = facts_of(
        READER,
        """
        status:
          conditions:
          - message: 'Error: pods are forbidden'
            status: "True"
            type: Degraded
        """,
        "kubectl get tigerastatus calico -o yaml | sed -n '/^status/,$p'",
    )
    (condition,) = only(facts, Condition)
    assert (condition.kind, condition.object, condition.type, condition.status) == (
        "tigerastatus",
        "calico",
        "Degraded",
        "True",
    )
    assert condition.message == "Error: pods are forbidden"


def test_annotations_cut_out_by_grep() -> None:
    (_, address) = facts_of(
        READER, "    projectcalico.org/IPv4Address: 10.9.0.4/24", "kubectl get node fig-2 -o yaml | grep IPv4Address"
    )
    assert (address.node, address.address) == ("fig-2", "10.9.0.4/24")


def test_annotations_by_jsonpath() -> None:
    facts = facts_of(
        READER,
        '{"kubeadm.alpha.kubernetes.io/cri-socket":"/run/x.sock","projectcalico.org/IPv4Address":"10.9.0.4/24"}',
        "kubectl get node fig-2 -o jsonpath='{.metadata.annotations}'",
    )
    (address,) = only(facts, NodeAddress)
    assert (address.node, address.address) == ("fig-2", "10.9.0.4/24")


def test_the_status_of_a_pod_without_its_head() -> None:
    facts = facts_of(
        READER,
        """
          conditions:
          - status: "False"
            type: ContainersReady
          containerStatuses:
          - image: calico/node:v3.20.0
            lastState:
              terminated:
                exitCode: 137
                reason: OOMKilled
            name: calico-node
            restartCount: 9
        """,
        "kubectl -n kube-system get pod calico-node-x7k2p -o yaml | tail -20",
    )
    (container,) = only(facts, Container)
    assert (container.pod, container.name, container.last_exit_code) == ("calico-node-x7k2p", "calico-node", 137)
    assert only(facts, Condition) == []


def test_a_list_without_a_kind_of_its_own() -> None:
    facts = facts_of(
        READER,
        """
        - apiVersion: v1
          kind: ipPool
          metadata:
            cidr: 192.168.0.0/16
          spec:
            ipip:
              mode: always
        - apiVersion: v1
          kind: ipPool
          metadata:
            cidr: 10.7.0.0/16
        """,
        "calicoctl get ippool -o yaml",
    )
    assert [pool.cidr for pool in only(facts, Pool)] == ["192.168.0.0/16", "10.7.0.0/16"]


def test_what_jsonpath_took_goes_back_to_its_place() -> None:
    (found,) = facts_of(
        READER,
        '[{"blockSize":26,"cidr":"10.42.0.0/16"}]',
        "kubectl get installation default -o jsonpath='{.spec.calicoNetwork.ipPools}'; echo",
    )
    assert found.values["spec.calicoNetwork.ipPools[0].cidr"] == "10.42.0.0/16"


def test_a_configuration_inside_a_config_map() -> None:
    outer, inner = facts_of(
        READER,
        """
        apiVersion: v1
        data:
          ClusterConfiguration: |
            apiVersion: kubeadm.k8s.io/v1beta3
            kind: ClusterConfiguration
            networking:
              podSubnet: 10.244.0.0/16
        kind: ConfigMap
        metadata:
          name: kubeadm-config
        """,
    )
    assert outer.name == "kubeadm-config"
    assert (inner.kind, inner.values["networking.podSubnet"]) == ("ClusterConfiguration", "10.244.0.0/16")
    assert inner.lines["networking.podSubnet"] == 7


def test_the_data_of_a_secret_is_not_kept() -> None:
    (found,) = facts_of(READER, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: plum\ndata:\n  tls.key: c2VjcmV0\n")
    assert found.values["data.tls.key"] is None
    assert found.values["metadata.name"] == "plum"


def test_two_objects_and_what_stands_between_them() -> None:
    reading = reading_of(
        READER,
        "kind: A\nmetadata:\n  name: a\nplease look at this too!\nkind: B\nmetadata:\n  name: b\nEvents: none",
    )
    assert [fact.name for fact in reading.facts if isinstance(fact, Object)] == ["a", "b"]
    assert reading.claimed == {0, 1, 2, 4, 5, 6}


def test_broken_yaml_keeps_its_good_part() -> None:
    reading = reading_of(
        READER,
        """
        kind: Installation
        metadata:
          name: default
        spec:
          calicoNetwork:
            bgp: !!python/object:os.system x
           hostPorts: Enabled
          variant: "Calico
          registry: hub.example
        """,
    )
    (found,) = reading.facts
    assert isinstance(found, Object)
    assert found.values["spec.variant"] == "Calico"
    assert found.values["spec.registry"] == "hub.example"
    assert reading.unread == {5}


def test_a_describe_page_is_left_alone() -> None:
    page = "Annotations:        a.b/c: d\n                    projectcalico.org/IPv4Address: 10.9.0.4/24"
    assert reading_of(READER, page).claimed == set()


def test_other_json_is_left_alone() -> None:
    for text in ('{"level":"info","msg":"started","kind":"x"}', '{\n  "name": "k8s-pod-network",\n  "plugins": []\n}'):
        assert reading_of(READER, text).claimed == set()


@given(st.text(alphabet=st.sampled_from('kind: spec\n -"{}[],&*!|'), max_size=120))
def test_any_text_is_survived(text: str) -> None:
    lines = text.split("\n")
    READER.read(Artifact("x", 1, lines), list(range(len(lines))))


def test_a_bare_list_gets_the_kind_that_was_asked_for() -> None:
    text = """
    [
      {
        "metadata": {
          "name": "elm"
        },
        "status": {
          "conditions": [
            {
              "type": "Ready",
              "status": "False"
            }
          ]
        }
      }
    ]
    """
    node = next(fact for fact in facts_of(READER, text, "kubectl get nodes -o json") if isinstance(fact, Node))
    assert (node.name, node.ready) == ("elm", False)


def test_a_large_list_that_is_cut_off_keeps_its_good_part() -> None:
    items = ",".join(f'{{\n"kind": "Node",\n"metadata": {{\n"name": "elm-{number}"\n}}\n}}' for number in range(30))
    text = f'{{\n"kind": "List",\n"items": [\n{items}'
    names = [fact.name for fact in facts_of(READER, text, "kubectl get nodes -o json") if isinstance(fact, Node)]
    assert names == [f"elm-{number}" for number in range(30)]


def test_a_log_of_requests_states_nothing_about_now() -> None:
    line = '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","requestObject":{"kind":"Pod","metadata":{"name":"a"}}}'
    reading = reading_of(READER, f"{line}\n{line}")
    assert (reading.facts, reading.claimed) == ([], {0, 1})
