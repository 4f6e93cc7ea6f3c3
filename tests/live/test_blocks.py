from __future__ import annotations

from calivet.live.calico import _build_rows, _draw_box
from calivet.live.details import join_log_ends


class TestUse:
    def test_pools_and_their_blocks_are_drawn_as_calicoctl_draws_them(self):
        lines = _draw_box(list(_build_rows(["10.9.0.0/24"], {"10.9.0.0/26": 64, "10.9.0.64/26": 4, "10.8.0.0/26": 1})))
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
        assert cells == [
            ["GROUPING", "CIDR", "IPS TOTAL", "IPS IN USE", "IPS FREE"],
            ["IP Pool", "10.9.0.0/24", "256", "68 (27%)", "188 (73%)"],
            ["Block", "10.9.0.0/26", "64", "64 (100%)", "0 (0%)"],
            ["Block", "10.9.0.64/26", "64", "4 (6%)", "60 (94%)"],
        ]

    def test_six_and_four_do_not_mix(self):
        rows = list(_build_rows(["fd00::/64"], {"fd00::/122": 2, "10.8.0.0/26": 1, "nonsense": 3}))
        assert [row[:2] for row in rows] == [("IP Pool", "fd00::/64"), ("Block", "fd00::/122")]


class TestLongLogs:
    def test_beginning_and_end_are_joined_without_repeats(self):
        assert join_log_ends(["a", "b", "c", "cut"], ["b", "c", "d"]) == ["a", "b", "c", "d"]

    def test_where_they_do_not_meet_both_stand(self):
        assert join_log_ends(["a", "b", "cut"], ["x", "y"]) == ["a", "b", "x", "y"]
