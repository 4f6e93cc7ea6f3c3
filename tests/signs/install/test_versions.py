from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import line, picture


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def version(program, text):
    return Version(at=line(), program=program, version=text)


def node(text):
    return Node(at=line(), name="wk-1", version=text)


def test_parts_of_different_releases():
    (found,) = seen("calico-parts-differ", version("calico-node", "v3.20.1"), version("calico-cni", "v3.15.3"))
    assert found.values == {"versions": "calico-cni v3.15.3, calico-node v3.20.1"}
    assert seen("calico-parts-differ", version("calico-node", "v3.31.3"), version("calico-node", "v3.32.0"))
    assert not seen("calico-parts-differ", version("calico-node", "v3.20.1"), version("calico-cni", "v3.20.4"))
    assert not seen("calico-parts-differ", version("calico-node", "v3.20.1"), version("kubelet", "v1.20.1"))
    assert not seen("calico-parts-differ", version("calico-node", "latest"), version("calico-cni", "v3.20.4"))


def test_kubernetes_far_from_what_was_tested():
    (found,) = seen("kubernetes-far-from-tested", version("calico-node", "v3.13.2"), node("v1.25.4"))
    assert found.values == {"calico": "v3.13.2", "kubernetes": "v1.25.4", "tested": "1.15-1.17"}
    assert not seen("kubernetes-far-from-tested", version("calico-node", "v3.26.1"), node("v1.27.4+k3s1"))
    assert not seen("kubernetes-far-from-tested", version("calico-node", "v3.26.1"), node("v1.30.0"))
    assert not seen("kubernetes-far-from-tested", version("calico-node", "master"), node("v1.30.0"))
    assert not seen("kubernetes-far-from-tested", node("v1.30.0"))
