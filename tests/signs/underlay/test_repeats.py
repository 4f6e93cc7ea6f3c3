"""What is sent again and again."""

from __future__ import annotations

from tests.facts.drawing import sightings


class TestSegments:
    SEGMENT = "08:09:1{0}.5 IP 10.91.7.31.80 > 10.91.4.20.40112: Flags [.], seq 1:1449, ack 98, win 502, length {1}\n"
    REQUEST = "08:09:10.1 IP 10.91.4.20.40112 > 10.91.7.31.80: Flags [P.], seq 1:98, ack 1, win 507, length 97\n"
    COMMAND = "[root@elm-2 ~]# tcpdump -nni cali0a1b2c3d4e5 tcp\n"

    def test_a_full_segment_is_sent_again_and_again(self):
        text = self.COMMAND + self.REQUEST + "".join(self.SEGMENT.format(second, 1448) for second in (1, 2, 3))
        (seen,) = sightings("large-segments-repeated", text)
        assert seen.values == {"target": "10.91.4.20", "length": "1448"}

    def test_small_ones_may_be_repeated_for_other_reasons(self):
        text = self.COMMAND + self.REQUEST + "".join(self.SEGMENT.format(second, 40) for second in (1, 2, 3))
        assert sightings("large-segments-repeated", text) == []

    def test_twice_is_a_lost_packet(self):
        text = self.COMMAND + self.REQUEST + "".join(self.SEGMENT.format(second, 1448) for second in (1, 2))
        assert sightings("large-segments-repeated", text) == []


class TestGateway:
    ASKS = "08:09:1{0}.1 ARP, Request who-has 169.254.1.1 tell 10.91.4.20, length 28\n"
    COMMAND = "[root@elm-1 ~]# tcpdump -ni cali0a1b2c3d4e5\n"

    def test_nobody_answers(self):
        (seen,) = sightings("gateway-arp-unanswered", self.COMMAND + self.ASKS.format(0) + self.ASKS.format(1))
        assert (seen.node, seen.values) == ("elm-1", {"source": "10.91.4.20"})

    def test_the_host_answers(self):
        answer = "08:09:11.2 ARP, Reply 169.254.1.1 is-at ee:ee:ee:ee:ee:ee, length 28\n"
        text = self.COMMAND + self.ASKS.format(0) + self.ASKS.format(1) + answer
        assert sightings("gateway-arp-unanswered", text) == []
