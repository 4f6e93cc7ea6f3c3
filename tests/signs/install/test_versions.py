from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import line, picture, thing


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


def test_images_of_one_daemonset():
    def seen(node, plugin, owner="calico-node"):
        parts = [("calico-node", node), ("calico-cni", plugin)]
        facts = [Version(at=line(), program=name, version=version, owner=owner) for name, version in parts]
        return list(SIGNS["images-of-one-pod-differ"](picture(thing("DaemonSet", "calico-node"), *facts)))

    assert seen("v3.30.4", "v3.12.3")[0].values == {"versions": "calico-cni v3.12.3, calico-node v3.30.4"}
    assert not seen("v3.30.4", "v3.30.1")
    # In a pod they may differ while a new release is rolled out.
    assert not seen("v3.30.4", "v3.29.1", owner="calico-node-x2x4z")
