from __future__ import annotations

import pytest

from calivet.fleet.work import NoSuchPathError, find_bundles
from tests.fleet.made_up import archive, folder


def found(root, *paths):
    return [path.removeprefix(f"{root}/") for path in find_bundles(map(str, paths or [root]))]


def test_archives_folders_and_cases_are_bundles_and_loose_files_beside_them_are_none(tmp_path):
    archive(tmp_path / "a.tar.gz", "x")
    folder(tmp_path, "b", "x")
    folder(tmp_path, "case/evidence", "x")
    (tmp_path / "case" / "expect.yaml").write_text("cause: healthy\n")
    (tmp_path / "README.md").write_text("which is which")
    folder(tmp_path, ".git", "x")
    assert found(tmp_path) == ["a.tar.gz", "b", "case/evidence"]


def test_a_folder_of_archives_is_a_shelf_of_its_own(tmp_path):
    archive(tmp_path / "ash" / "january.tgz", "x")
    archive(tmp_path / "ash" / "FEBRUARY.ZIP", "x")
    assert found(tmp_path) == ["ash/FEBRUARY.ZIP", "ash/january.tgz"]


def test_a_folder_with_archives_among_loose_files_is_one_bundle(tmp_path):
    archive(tmp_path / "ash" / "logs.tar.gz", "x")
    (tmp_path / "ash" / "notes.txt").write_text("x")
    assert found(tmp_path) == ["ash"]


def test_a_folder_of_loose_files_is_a_bundle_itself(tmp_path):
    assert found(tmp_path, folder(tmp_path, "b", "x")) == ["b"]


def test_an_unpacked_bundle_is_one(tmp_path):
    place = folder(tmp_path, "b/pods", "x").parent
    (place / "calivet-manifest.json").write_text("{}")
    assert found(tmp_path, place) == ["b"]


def test_each_once_however_often_it_is_named(tmp_path):
    path = archive(tmp_path / "a.tar.gz", "x")
    assert found(tmp_path, path, tmp_path, path) == ["a.tar.gz"]


def test_links_to_folders_are_not_followed(tmp_path):
    folder(tmp_path / "shelf", "b", "x")
    (tmp_path / "shelf" / "loop").symlink_to(tmp_path / "shelf")
    assert found(tmp_path, tmp_path / "shelf") == ["shelf/b"]


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(NoSuchPathError, match="absent"):
        found(tmp_path, tmp_path / "absent")
