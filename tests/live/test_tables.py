from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from calivet.live.objects import AnnotatedMeta, Meta, Table, print_rows

PAGE = {
    "kind": "Table",
    "apiVersion": "meta.k8s.io/v1",
    "metadata": {"resourceVersion": "77", "continue": "abc", "remainingItemCount": 3},
    "columnDefinitions": [{"name": "Name", "type": "string", "priority": 0}, {"name": "Ready", "priority": 0}],
    "rows": [
        {
            "cells": ["web-1", "1/1"],
            "object": {
                "kind": "PartialObjectMetadata",
                "metadata": {
                    "name": "web-1",
                    "namespace": "shop",
                    "labels": {"app": "web"},
                    "annotations": {"a": "b"},
                    "managedFields": [{"fieldsV1": {"f:x": {}}}],
                    "ownerReferences": [{"kind": "ReplicaSet", "name": "web", "uid": "1"}],
                },
            },
        }
    ],
}


class TestDecoding:
    def test_a_page_keeps_only_what_is_of_use(self):
        page = msgspec.json.decode(msgspec.json.encode(PAGE), type=Table[Meta])
        row = page.rows[0]
        assert [column.name for column in page.columns] == ["Name", "Ready"]
        assert (row.cells, row.head.namespace) == (["web-1", "1/1"], "shop")
        assert [(owner.kind, owner.name) for owner in row.head.owners] == [("ReplicaSet", "web")]
        assert (page.metadata.next, page.metadata.remaining) == ("abc", 3)

    def test_annotations_come_only_where_they_are_asked_for(self):
        page = msgspec.json.decode(msgspec.json.encode(PAGE), type=Table[AnnotatedMeta])
        assert page.rows[0].head.annotations == {"a": "b"}
        assert not hasattr(msgspec.json.decode(msgspec.json.encode(PAGE), type=Table[Meta]).rows[0].head, "annotations")


class TestPrinting:
    def test_columns_stand_under_their_headers(self):
        lines = print_rows(["Name", "Nominated Node"], [["calico-node-x2x4z", None], ["a", "n1"]])
        assert lines == [
            "NAME                NOMINATED NODE",
            "calico-node-x2x4z   <none>",
            "a                   n1",
        ]

    def test_a_cell_of_several_lines_stays_in_its_row(self):
        assert print_rows(["Message", "Count"], [["first\n  second", 2]])[1] == "first second   2"

    def test_truth_is_written_as_kubectl_writes_it(self):
        assert print_rows(["A", "B"], [[True, False]])[1].split() == ["true", "false"]

    @given(st.lists(st.lists(st.one_of(st.none(), st.text(), st.integers(), st.booleans()), min_size=2, max_size=2)))
    def test_every_row_is_one_line(self, rows):
        assert len(print_rows(["A", "B"], rows)) == len(rows) + 1
        assert not any("\n" in line for line in print_rows(["A", "B"], rows))
