from __future__ import annotations

from calivet.signs.api.api_server import find_service_rule_missing
from tests.facts.drawing import picture_of

RULE = (
    '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" '
    "-m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y\n"
)
TABLE = """\
[root@{node} ~]# iptables-save
*nat
:PREROUTING ACCEPT [0:0]
{rule}-A POSTROUTING -m comment --comment "cali:O3lYWMrLQYEMJtB5" -j cali-POSTROUTING
COMMIT
"""


def missing_on(**rules: str) -> list[str | None]:
    text = "".join(TABLE.format(node=node.replace("_", "-"), rule=rule) for node, rule in rules.items())
    return [sighting.node for sighting in find_service_rule_missing(picture_of(text))]


def test_one_table_lacks_what_the_others_have():
    assert missing_on(w_1=RULE, w_2="", w_3=RULE) == ["w-2"]


def test_where_no_node_has_it_services_may_be_programmed_otherwise():
    assert missing_on(w_1="", w_2="") == []


def test_where_every_node_has_it_nothing_is_missing():
    assert missing_on(w_1=RULE, w_2=RULE) == []
