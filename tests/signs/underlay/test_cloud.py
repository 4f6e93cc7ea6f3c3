from __future__ import annotations

from calivet.signs.underlay.traffic import find_source_check_on
from tests.facts.drawing import picture_of

LISTING = """\
$ aws ec2 describe-instances --query 'Reservations[].Instances[].[PrivateIpAddress,SourceDestCheck]' --output text
10.77.1.10\tFalse
10.77.1.11\tTrue
"""


def test_the_machine_whose_packets_are_checked():
    (sighting,) = find_source_check_on(picture_of(LISTING))
    assert sighting.values == {"address": "10.77.1.11", "not_openstack": "yes"}
    assert sighting.line.number == 3


def test_silent_where_all_are_off_or_something_else_was_asked():
    assert not list(find_source_check_on(picture_of(LISTING.replace("True", "False"))))
    assert not list(find_source_check_on(picture_of(LISTING.replace("SourceDestCheck", "EbsOptimized"))))
