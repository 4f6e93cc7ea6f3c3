"""The one file runs where there is nothing but a kernel, and gives the same answers."""

from __future__ import annotations

import pytest

from tests.cli.running import calivet
from tests.e2e.asking import answer_of, diagnose
from tests.e2e.bed.users import NOBODY
from tests.e2e.scenarios.reaching import kube_proxy_is_down
from tests.e2e.scenarios.seeds import three_faults_at_once
from tests.release.roots import Root

pytestmark = pytest.mark.usefixtures("as_root")
DEMO = "killed-while-healthy"
LOAD_ALL = """
import importlib, pathlib, sys
folder = pathlib.Path(sys.prefix, "lib", "python%d.%d" % sys.version_info[:2], "lib-dynload")
names = [path.name.partition(".")[0] for path in folder.iterdir()]
for name in names:
    importlib.import_module(name)
import ssl, lzma, bz2, zlib
print(len(names) > 20, sys.executable, len(ssl.create_default_context().get_ca_certs()))
"""


@pytest.fixture(scope="module")
def empty(binary, tmp_path_factory) -> Root:
    root = Root(tmp_path_factory.mktemp("empty"))
    root.put(binary, "usr/bin/calivet")
    root.put(binary, "usr/bin/kubectl-calivet")
    return root


def test_a_demo_reads_as_anywhere_else(empty):
    for language in ("en", "zh"):
        shown = empty.run("/usr/bin/calivet", "demo", DEMO, "--lang", language)
        assert (shown.code, shown.out) == (1, calivet("demo", DEMO, "--lang", language).out)


@pytest.mark.parametrize("scenario", [kube_proxy_is_down, three_faults_at_once], ids=lambda scenario: scenario.name)
def test_a_live_cluster_is_diagnosed(empty, bed, filler, scenario):
    filler.fill(scenario.build())
    empty.put(bed.kubeconfig(), "root/.kube/config")
    answer = answer_of(empty.run("/usr/bin/calivet", "-o", "json"))
    same = diagnose(bed.kubeconfig())
    assert answer.findings == same.findings
    assert answer.code == 1


def test_who_may_read_nothing_is_told_so(empty, bed):
    empty.put(bed.kubeconfig(NOBODY), "root/.kube/config")
    shown = empty.run("/usr/bin/calivet", "access")
    same = calivet("access", "--kubeconfig", bed.kubeconfig(NOBODY))
    assert (shown.code, shown.out) == (same.code, same.out)


def test_it_is_a_plugin_of_kubectl_too(empty):
    assert empty.run("/usr/bin/kubectl-calivet", "-h").out.startswith("usage: kubectl calivet ")


def test_a_long_log_is_read_by_interpreters_of_its_own(empty):
    line = (
        "2026-03-01 10:00:00.{number:06} [INFO][77] felix/int_dataplane.go 1954: Received interface update {number}\n"
    )
    told = "2026-03-01 11:00:00.000 [FATAL][77] felix/daemon.go 1: Failed to start: kernel module xt_set is missing\n"
    log = empty.folder / "root" / "calico-node.log"
    log.write_text("".join(line.format(number=number) for number in range(200_000)) + told)
    answer = answer_of(empty.run("/usr/bin/calivet", "diagnose", "/root/calico-node.log", "-o", "json"))
    assert answer.ranked() == answer_of(calivet("diagnose", log, "-o", "json")).ranked()


def test_without_pip_none_is_recommended(empty):
    shown = empty.run("/usr/bin/calivet", "fleet", "/root", "-o", "/root/fleet.duckdb")
    assert shown.code != 0
    assert "duckdb" in shown.err
    assert "pip install duckdb" not in shown.err


def test_every_module_of_the_interpreter_loads(empty):
    empty.run("/usr/bin/calivet", "--version")
    (runtime,) = (empty.folder / "root/.cache/calivet").glob("runtime-*")
    python = f"/root/.cache/calivet/{runtime.name}/bin/python3"
    certificates = f"/root/.cache/calivet/{runtime.name}/share/certificates.pem"
    shown = empty.run(python, "-I", "-c", LOAD_ALL, SSL_CERT_FILE=certificates)
    loaded, executable, authorities = shown.out.split()
    assert (loaded, executable) == ("True", python), shown.err
    assert int(authorities) > 100
