"""Described pods: whole, in parts, old and new."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Variable, Version
from calivet.facts.kubernetes import Container, Pod, Probe
from calivet.readers.kubectl.kubectl_describe import POD_READER as READER
from tests.readers.host_reading import facts_of, reading_of

WHOLE = """
Name:                 calico-node-x7k2p
Namespace:            kube-system
Priority:             2000001000
Service Account:      calico-node
Node:                 fig-2/10.9.0.12
Start Time:           Mon, 16 Aug 2021 11:42:03 +0000
Labels:               controller-revision-hash=7fdc8b6d64
                      k8s-app=calico-node
Annotations:          <none>
Status:               Running
IP:                   10.9.0.12
IPs:
  IP:           10.9.0.12
  IP:           fd00::12
Controlled By:  DaemonSet/calico-node
Init Containers:
  install-cni:
    Container ID:  containerd://0b4e6d2f
    Image:         docker.io/calico/cni:v3.20.0
    Command:
      /opt/cni/bin/install
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Mon, 16 Aug 2021 11:42:05 +0000
      Finished:     Mon, 16 Aug 2021 11:42:06 +0000
    Ready:          True
    Restart Count:  0
    Environment:
      CNI_CONF_NAME:  10-calico.conflist
      SLEEP:          false
    Mounts:
      /host/opt/cni/bin from cni-bin-dir (rw)
Containers:
  calico-node:
    Container ID:   containerd://7d1f2a9b
    Image:          docker.io/calico/node:v3.20.0
    Port:           <none>
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Message:      out of memory
      Exit Code:    137
      Started:      Mon, 23 Aug 2021 08:01:19 +0000
      Finished:     Mon, 23 Aug 2021 08:02:31 +0000
    Ready:          False
    Restart Count:  144
    Limits:
      cpu:     1
      memory:  64Mi
    Requests:
      cpu:      250m
    Liveness:   exec [/bin/calico-node -felix-live -bird-live] delay=10s timeout=1s period=10s #success=1 #failure=6
    Readiness:  http-get http://localhost:9099/readiness delay=0s timeout=10s period=10s #success=1 #failure=3
    Environment:
      NODENAME:                  (v1:spec.nodeName)
      FELIX_IPINIPMTU:           <set to the key 'veth_mtu' of config map 'calico-config'>  Optional: false
      IP_AUTODETECTION_METHOD:   interface=eth.*
      CALICO_STARTUP_LOGLEVEL:
    Mounts:
      /lib/modules from lib-modules (ro)
Conditions:
  Type              Status
  Initialized       True
  Ready             False
Volumes:
  config:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      calico-config
    Optional:  false
QoS Class:       Burstable
Tolerations:     :NoSchedule op=Exists
                 :NoExecute op=Exists
Events:          <none>
"""


def only(facts: list, kind: type) -> list:
    return [fact for fact in facts if isinstance(fact, kind)]


def test_the_pod() -> None:
    (pod,) = only(facts_of(READER, WHOLE), Pod)
    assert (pod.name, pod.namespace, pod.node, pod.host) == ("calico-node-x7k2p", "kube-system", "fig-2", "fig-2")
    assert (pod.status, pod.ip, pod.owner) == ("CrashLoopBackOff", "10.9.0.12", "DaemonSet/calico-node")
    assert (pod.ready, pod.containers, pod.restarts) == (0, 1, 144)
    assert pod.labels == {"controller-revision-hash": "7fdc8b6d64", "k8s-app": "calico-node"}
    assert pod.conditions == {"Initialized": "True", "Ready": "False"}
    assert pod.started == datetime(2021, 8, 16, 11, 42, 3, tzinfo=UTC)
    assert pod.at.text.startswith("Status:")


def test_the_containers() -> None:
    first, main = only(facts_of(READER, WHOLE), Container)
    assert (first.name, first.init, first.state, first.reason, first.exit_code) == (
        "install-cni",
        True,
        "terminated",
        "Completed",
        0,
    )
    assert (main.name, main.init, main.pod, main.host) == ("calico-node", False, "calico-node-x7k2p", "fig-2")
    assert (main.state, main.reason, main.ready, main.restarts) == ("waiting", "CrashLoopBackOff", False, 144)
    assert (main.last_state, main.last_reason, main.last_exit_code) == ("terminated", "OOMKilled", 137)
    assert (main.memory_limit, main.message) == ("64Mi", "out of memory")
    assert main.last_finished is not None
    assert main.last_started is not None
    assert (main.last_finished - main.last_started).total_seconds() == 72
    assert main.at.text == "Exit Code:    137"


def test_a_telling_reason_is_quoted() -> None:
    (container,) = only(
        facts_of(READER, "Containers:\n  plum:\n    State:          Waiting\n      Reason:       ErrImagePull\n"),
        Container,
    )
    assert container.at.text == "Reason:       ErrImagePull"


def test_the_probes() -> None:
    live, ready = only(facts_of(READER, WHOLE), Probe)
    assert (live.kind, live.action, live.target) == ("liveness", "exec", "/bin/calico-node -felix-live -bird-live")
    assert (live.delay, live.timeout, live.period, live.failures) == (10.0, 1.0, 10.0, 6)
    assert (ready.kind, ready.action, ready.target, ready.delay) == (
        "readiness",
        "http",
        "http://localhost:9099/readiness",
        0.0,
    )
    assert (ready.pod, ready.container) == ("calico-node-x7k2p", "calico-node")


def test_the_environment() -> None:
    variables = {(each.container, each.name): each.value for each in only(facts_of(READER, WHOLE), Variable)}
    assert variables["calico-node", "IP_AUTODETECTION_METHOD"] == "interface=eth.*"
    assert variables["calico-node", "NODENAME"] == "(v1:spec.nodeName)"
    assert variables["calico-node", "CALICO_STARTUP_LOGLEVEL"] == ""
    assert variables["install-cni", "SLEEP"] == "false"
    assert len(variables) == 6


def test_the_versions() -> None:
    found = [(each.program, each.version, each.owner) for each in only(facts_of(READER, WHOLE), Version)]
    assert found == [("calico-cni", "v3.20.0", "calico-node-x7k2p"), ("calico-node", "v3.20.0", "calico-node-x7k2p")]


def test_several_pods_one_after_the_other() -> None:
    twice = WHOLE + "\n\n" + WHOLE.replace("x7k2p", "b8q4z").replace("fig-2", "fig-3")
    pods = only(facts_of(READER, twice), Pod)
    assert [(pod.name, pod.node) for pod in pods] == [("calico-node-x7k2p", "fig-2"), ("calico-node-b8q4z", "fig-3")]


def test_old_output_with_tabs() -> None:
    facts = facts_of(
        READER,
        "Name:\t\tcalico-node-x7k2p\nNamespace:\tkube-system\nNode:\t\tfig-2/10.9.0.12\n"
        "Start Time:\tTue, 09 May 2017 14:20:31 -0400\nLabels:\t\tk8s-app=calico-node\n\t\tpod-template-generation=1\n"
        "Status:\t\tRunning\nControllers:\tDaemonSet/calico-node\nContainers:\n  calico-node:\n    Container ID:\tdocker://12\n"
        "    Image:\t\tquay.io/calico/node:v2.3.0\n    State:\t\tRunning\n      Started:\t\tTue, 09 May 2017 14:20:33 -0400\n"
        "    Ready:\t\tTrue\n    Restart Count:\t1\n    Environment:\n      DATASTORE_TYPE:\tkubernetes\n",
    )
    (pod,) = only(facts, Pod)
    assert (pod.node, pod.owner, pod.ready, pod.restarts) == ("fig-2", "DaemonSet/calico-node", 1, 1)
    assert pod.labels == {"k8s-app": "calico-node", "pod-template-generation": "1"}
    assert only(facts, Variable)[0].value == "kubernetes"


def test_indented_in_a_forum_post() -> None:
    shifted = "\n".join("    " + line for line in WHOLE.splitlines())
    reading = READER.read(*anchored("so this is what I see:\n" + shifted))
    (pod,) = only(reading.facts, Pod)
    assert (pod.name, pod.node, pod.containers) == ("calico-node-x7k2p", "fig-2", 1)


def test_stripped_of_its_indentation() -> None:
    stripped = "\n".join(" ".join(line.split()) for line in WHOLE.splitlines())
    told, whole = facts_of(READER, stripped), facts_of(READER, WHOLE)
    for kind in (Container, Probe, Variable, Version):
        assert [comparable(fact) for fact in only(told, kind)] == [comparable(fact) for fact in only(whole, kind)]
    (pod,) = only(told, Pod)
    assert (pod.name, pod.node, pod.conditions["Ready"]) == ("calico-node-x7k2p", "fig-2", "False")


def comparable(fact: Struct) -> dict:
    """The fact without its line; blanks count as one."""
    fields = {key: value for key, value in structs.asdict(fact).items() if key != "at"}
    return {key: " ".join(value.split()) if isinstance(value, str) else value for key, value in fields.items()}


def test_only_the_containers() -> None:
    part = WHOLE[WHOLE.index("Containers:\n  calico-node") : WHOLE.index("Volumes:")]
    facts = facts_of(
        READER, part, "kubectl describe pod -n kube-system calico-node-x7k2p | sed -n '/^Containers/,/^Vol/p'"
    )
    (container,) = only(facts, Container)
    assert (container.pod, container.name, container.last_exit_code) == ("calico-node-x7k2p", "calico-node", 137)
    (pod,) = only(facts, Pod)
    assert (pod.conditions["Ready"], pod.namespace) == ("False", "kube-system")


def test_one_container_cut_out_by_grep() -> None:
    (container,) = only(
        facts_of(
            READER,
            """
              mount-bpffs:
                Image:          quay.io/calico/node:v3.31.0
                State:          Waiting
                  Reason:       CrashLoopBackOff
                Last State:     Terminated
                  Reason:       Error
                  Exit Code:    127
            """,
            "kubectl -n calico-system describe pod calico-node-x7k2p | grep -A12 'mount-bpffs:'",
        ),
        Container,
    )
    assert (container.name, container.init, container.pod, container.last_exit_code) == (
        "mount-bpffs",
        True,
        "calico-node-x7k2p",
        127,
    )


def test_a_last_state_without_its_container() -> None:
    (container,) = facts_of(
        READER,
        "    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    1\n    Ready:          True\n    Restart Count:  33",
    )
    assert (container.name, container.last_exit_code, container.restarts, container.ready) == ("", 1, 33, True)


def test_lonely_image_lines() -> None:
    facts = facts_of(READER, "    Image:         calico/cni:v3.9.5\n    Image:          calico/node:v3.9.5")
    assert [(fact.program, fact.version) for fact in facts] == [("calico-cni", "v3.9.5"), ("calico-node", "v3.9.5")]


def test_the_tail_of_a_page_names_no_pod() -> None:
    tail = "    Optional:    false\nQoS Class:       Burstable\nTolerations:     :NoSchedule\nEvents:  <none>"
    assert facts_of(READER, tail) == []


def test_text_that_spills_over_the_margin() -> None:
    spilled = WHOLE.replace(
        "      SLEEP:          false\n",
        '      CNI_NETWORK_CONFIG:  {\n  "name": "k8s-pod-network",\n  "plugins": []\n}\n      SLEEP:          false\n',
    )
    assert {each.name for each in only(facts_of(READER, spilled), Container)} == {"install-cni", "calico-node"}


def test_last_words_of_several_lines() -> None:
    words = "      Message:      panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n"
    facts = facts_of(READER, WHOLE.replace("      Message:      out of memory\n", words))
    main = only(facts, Container)[-1]
    assert (main.last_exit_code, main.restarts, main.pod) == (137, 144, "calico-node-x7k2p")
    assert len(only(facts, Pod)) == 1


def test_the_template_of_a_described_daemonset() -> None:
    facts = facts_of(
        READER,
        """
        Name:           calico-node
        Selector:       k8s-app=calico-node
        Pods Status:  3 Running / 0 Waiting / 0 Succeeded / 0 Failed
        Pod Template:
          Labels:           k8s-app=calico-node
          Containers:
           calico-node:
            Image:      calico/node:v3.20.0
            Liveness:   exec [/bin/calico-node -felix-live] delay=10s timeout=1s period=10s #success=1 #failure=6
            Environment:
              IP:   autodetect
        Events:  <none>
        """,
        "kubectl -n kube-system describe ds calico-node",
    )
    assert only(facts, Pod) == []
    assert only(facts, Container) == []
    (probe,) = only(facts, Probe)
    assert (probe.pod, probe.container) == (None, "calico-node")
    (variable,) = only(facts, Variable)
    assert (variable.name, variable.value, variable.owner) == ("IP", "autodetect", "calico-node")


def test_other_described_things_are_no_pods() -> None:
    service = "Name:         plum\nNamespace:    fruit\nLabels:       <none>\nType:   ClusterIP\nIP:    10.96.0.10\nEvents:  <none>"
    assert reading_of(READER, service, "kubectl describe svc plum").facts == []


def anchored(text: str) -> tuple[Artifact, list[int]]:
    lines = text.split("\n")
    return Artifact("x", 1, lines), [index for index, line in enumerate(lines) if READER.anchor.search(line)]


@given(st.lists(st.sampled_from(WHOLE.splitlines()), max_size=40))
def test_pages_torn_to_pieces_are_survived(lines: list[str]) -> None:
    READER.read(*anchored("\n".join(lines)))


@given(st.text(alphabet=st.sampled_from("Image: State\n\tRunning{}-中1"), max_size=120))
def test_any_text_is_survived(text: str) -> None:
    READER.read(*anchored(text))
