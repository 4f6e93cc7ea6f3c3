"""Facts by machine and by the artifact they stand in."""

from __future__ import annotations

from calivet.facts.host import Load
from calivet.facts.kubernetes import Pod
from tests.facts.drawing import picture_of

LOADS = """\
[root@birch-1 ~]# uptime
 09:12:01 up 3 days,  2 users,  load average: 0.52, 0.48, 0.50
[root@birch-2 ~]# uptime
 09:12:09 up 3 days,  1 user,  load average: 7.10, 6.02, 5.11
[root@birch-1 ~]# uptime
 09:14:30 up 3 days,  2 users,  load average: 0.61, 0.50, 0.50
"""


def test_facts_of_one_machine_in_order():
    picture = picture_of(LOADS)
    assert [load.one for load in picture.on("birch-1", Load)] == [0.52, 0.61]
    assert picture.on("birch-9", Load) == []
    assert picture.on("birch-1", Pod) == []


def test_facts_of_one_artifact():
    picture = picture_of({"a.txt": LOADS, "b.txt": LOADS})
    found = [[load.one for load in picture.within(artifact, Load)] for artifact in picture.artifacts]
    assert found == [[0.52], [7.1], [0.61]] * 2


def test_every_line_is_found_in_its_artifact():
    picture = picture_of({"a.txt": LOADS, "b.txt": LOADS})
    for artifact in picture.artifacts:
        for index in range(len(artifact.lines)):
            assert picture.artifact(artifact.at(index)) is artifact


def test_a_line_of_no_document_is_in_no_artifact():
    (line,) = {artifact.at(0) for artifact in picture_of("one line").artifacts}
    assert picture_of({"other.txt": LOADS}).artifact(line) is None
