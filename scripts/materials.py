"""Bills of materials, as CycloneDX JSON: of a lock file, and of what is inside the binary, the packages and the image.

Same locks, same bytes: no time and no random number is written, and no registry is named.
"""

from __future__ import annotations

import re
import tomllib
import uuid
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from debian_packages import Package, read_lock, read_suite
from licensing import licence
from locked import ROOT, Pin, pins
from packageurl import PackageURL

# Any fixed number will do: it makes a bill's serial number from its content alone.
NAMESPACE = uuid.UUID("6f7d0b52-5d0b-4c0e-9a53-0d8b2f6a7c11")


GO_MODULES = ROOT / "deploy/binary/go.mod"
GO_MODULE = re.compile(r"^(?:require)?\s+([\w.-]+\.[\w./-]+) (v\S+)", re.MULTILINE)
ONLY_FOR_BUILDING = ("setuptools",)


def bill(lock: Path) -> str:
    """The bill of materials for one lock file."""
    locked = pins(lock)
    project = _project()
    components = {pin.name: _component(pin) for pin in locked} | {project.name: project}
    bom = _start(project, (components[pin.name] for pin in locked), lock.read_text(encoding="utf-8"))
    for name, component in components.items():
        needs = (components[pin.name] for pin in locked if name in pin.needed_by)
        bom.register_dependency(component, needs)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def write_bill(architecture: str, path: Path) -> Path:
    """The bill of all that is inside the binary: Python and Debian packages, and what the launcher is built from."""
    locked = [pin for pin in pins(ROOT / "requirements/run.txt") if pin.name not in ONLY_FOR_BUILDING]
    project = _project()
    parts = [_component(pin) for pin in locked]
    parts += [_debian_component(package, architecture) for package in read_lock(architecture)]
    parts += [_go_component(*found) for found in GO_MODULE.findall(GO_MODULES.read_text(encoding="utf-8"))]
    bom = _start(project, parts, "\n".join(str(part.purl) for part in parts))
    bom.register_dependency(project, parts)
    path.write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n", encoding="utf-8")
    return path


def _start(project: Component, parts: Iterable[Component], made_from: str) -> Bom:
    bom = Bom(components=parts)
    bom.metadata.component = project
    bom.metadata.timestamp = None  # type: ignore[assignment]
    bom.serial_number = uuid.uuid5(NAMESPACE, made_from)
    return bom


def _debian_component(package: Package, architecture: str) -> Component:
    found = {"arch": architecture, "distro": read_suite()}
    address = PackageURL("deb", "debian", package.name, package.version, qualifiers=found)
    return Component(
        name=package.name,
        version=package.version,
        type=ComponentType.LIBRARY,
        bom_ref=address.to_string(),
        purl=address,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=package.sha256)],
    )


def _go_component(name: str, version: str) -> Component:
    address = PackageURL("golang", name.rpartition("/")[0], name.rpartition("/")[2], version)
    return Component(name=name, version=version, type=ComponentType.LIBRARY, bom_ref=address.to_string(), purl=address)


def _project() -> Component:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Component(
        name=table["name"],
        version=metadata.version(table["name"]),
        type=ComponentType.APPLICATION,
        bom_ref=table["name"],
        description=table["description"],
        licenses=[LicenseExpression(table["license"])],
    )


def _component(pin: Pin) -> Component:
    """Each hash is that of one file of the release; an address stands there because the format asks for one."""
    address = PackageURL("pypi", name=pin.name, version=pin.version)
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(address.to_string()),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=each) for each in pin.hashes],
    )
    found = _licence(pin)
    return Component(
        name=pin.name,
        version=pin.version,
        type=ComponentType.LIBRARY,
        bom_ref=address.to_string(),
        purl=address,
        external_references=[files],
        licenses=[LicenseExpression(found)] if found else [],
    )


def _licence(pin: Pin) -> str | None:
    """As the installed package tells it, where just this version is installed."""
    try:
        distribution = metadata.distribution(pin.name)
    except metadata.PackageNotFoundError:
        return None
    return licence(distribution) if distribution.version == pin.version else None
