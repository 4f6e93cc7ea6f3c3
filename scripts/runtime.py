"""Makes the folder that the binary, the packages and the image hold: an interpreter, its libraries, and calivet.

The interpreter and the C library are Debian's, the dependencies the locked wheels. All of it is started by the loader
that lies in it (deploy/binary), so that of the system only the kernel is needed:

    bin/calivet      the launcher; bin/python3 is a link to it, for the interpreters that calivet starts
    libexec/python3  the interpreter
    lib/             the loader, the C library and the others
    lib/python3.13/  the standard library, compiled
    lib/packages/    calivet and its dependencies
    share/           licences, and certificates for a system that has none
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from debian_packages import Apt, read_lock, read_suite, unpack
from packing import MACHINES, ROOT, name_architecture
from wheels import install_calivet, install_wheels

LAUNCHER = ROOT / "deploy" / "binary"
PYTHON = "3.13"
TREE_HELP = "a folder that scripts/build-binary --tree kept (default: made anew); for each architecture one"
TRIPLETS = {architecture: f"{machine}-linux-gnu" for machine, architecture in MACHINES.items()}
LINKS = ("kubectl-calivet", "kubectl_complete-calivet", "python3")

# What calivet never loads, and modules whose libraries are left out.
UNUSED = """__pycache__ ensurepip idlelib lib2to3 pydoc_data sqlite3 test tkinter turtledemo venv dbm curses
    sitecustomize.py LICENSE.txt config-3.13-* pydoc.py doctest.py turtle.py
    lib-dynload/_curses* lib-dynload/_dbm* lib-dynload/_gdbm* lib-dynload/_sqlite3* lib-dynload/_tkinter*
    lib-dynload/readline* lib-dynload/_test* lib-dynload/_ctypes_test* lib-dynload/_xx* lib-dynload/xx*""".split()
LIBRARIES = re.compile(r"(?:ld-linux-[\w-]+|lib[\w+-]+?)\.so\.[\d.]+|lib\w+-[\d.]+\.so")
NEEDLESS = re.compile(r"lib(?:mvec|thread_db|anl|BrokenLocale|nsl|nss_\w+|c_malloc_debug|pcprofile|memusage)\b.*")


def make_runtime(architecture: str, target: Path) -> None:
    """The whole folder."""
    with tempfile.TemporaryDirectory() as folder:
        debian = fetch_debian(architecture, Path(folder))
        copy_libraries(debian / "usr/lib" / TRIPLETS[architecture], target / "lib")
        copy_standard_library(debian / f"usr/lib/python{PYTHON}", target / f"lib/python{PYTHON}")
        copy_program(debian / f"usr/bin/python{PYTHON}", target / "libexec/python3")
        copy_licences(debian / "usr/share/doc", target / "share/licences")
        write_certificates(debian / "usr/share/ca-certificates/mozilla", target / "share/certificates.pem")
        compiler = target if architecture == name_architecture() else fetch_compiler(Path(folder))
        install_packages(architecture, target / "lib/packages")
        install_launcher(architecture, target / "bin")
        compile_modules(compiler, target)


def take_runtime(architecture: str, made: Path | None, target: Path) -> None:
    """The folder, copied from where it was made already, or made now."""
    if made:
        shutil.copytree(made, target, symlinks=True)
    else:
        target.mkdir(parents=True)
        make_runtime(architecture, target)


def fetch_debian(architecture: str, folder: Path) -> Path:
    """The locked packages, unpacked."""
    apt = Apt(folder / f"apt-{architecture}", read_suite(), architecture)
    unpacked = folder / f"debian-{architecture}"
    unpack(apt.fetch(read_lock(architecture)), unpacked)
    return unpacked


def fetch_compiler(folder: Path) -> Path:
    """The same interpreter for this machine: compiled modules are the same for all."""
    debian = fetch_debian(name_architecture(), folder)
    target = folder / "compiler"
    copy_libraries(debian / "usr/lib" / TRIPLETS[name_architecture()], target / "lib")
    copy_standard_library(debian / f"usr/lib/python{PYTHON}", target / f"lib/python{PYTHON}")
    copy_program(debian / f"usr/bin/python{PYTHON}", target / "libexec/python3")
    return target


def copy_libraries(source: Path, target: Path) -> None:
    """Each under the name that programs ask for."""
    target.mkdir(parents=True, exist_ok=True)
    links = {path.resolve() for path in source.iterdir() if path.is_symlink()}
    for path in sorted(source.iterdir()):
        is_asked_for = path.is_symlink() or path not in links
        if is_asked_for and LIBRARIES.fullmatch(path.name) and not NEEDLESS.fullmatch(path.name):
            copy_program(path.resolve(), target / path.name)


def copy_standard_library(source: Path, target: Path) -> None:
    """Without what is never loaded."""
    shutil.copytree(source, target, symlinks=False, ignore_dangling_symlinks=True)
    for pattern in UNUSED:
        remove(target.glob(pattern))


def copy_program(source: Path, target: Path) -> None:
    """So that it can be run."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)


def copy_licences(source: Path, target: Path) -> None:
    """What each Debian package says of its own; those of the wheels lie beside them."""
    target.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", target / "calivet")
    for path in sorted(source.glob("*/copyright")):
        shutil.copyfile(path, target / path.parent.name)


def write_certificates(source: Path, target: Path) -> None:
    """One file with those of all authorities that browsers trust."""
    texts = [path.read_text(encoding="ascii").strip() for path in sorted(source.glob("*.crt"))]
    target.write_text("\n".join(texts) + "\n", encoding="ascii")


def install_packages(architecture: str, target: Path) -> None:
    """The dependencies, and calivet with its sources: by them it tells whether what it has kept is still good."""
    platform = f"linux-{architecture}"
    install_wheels(platform, PYTHON, target)
    remove(target.glob("bin"))
    install_calivet(platform, target)
    shutil.copyfile(LAUNCHER / "start.py", target / "start.py")


def install_launcher(architecture: str, target: Path) -> None:
    """Under all its names."""
    target.mkdir(parents=True, exist_ok=True)
    build_launcher(architecture, target / "calivet")
    for name in LINKS:
        (target / name).symlink_to("calivet")


def build_launcher(architecture: str, target: Path) -> None:
    """The same bytes from the same Go."""
    command = ["go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", str(target), "."]
    surroundings = os.environ | {
        "CGO_ENABLED": "0",
        "GOOS": "linux",
        "GOARCH": architecture,
        "GOFLAGS": "-mod=readonly",
    }
    subprocess.run(command, cwd=LAUNCHER, env=surroundings, check=True)


def compile_modules(compiler: Path, target: Path) -> None:
    """Once and for all: what is compiled is never compared with its source. Only calivet keeps its sources."""
    loader = next((compiler / "lib").glob("ld-linux-*"))
    command = [str(loader), "--inhibit-cache", "--library-path", str(compiler / "lib"), "--argv0"]
    command += [str(compiler / "bin/python3"), str(compiler / "libexec/python3")]
    # -B: what it loads itself it would otherwise keep beside, with the time of this build.
    command += ["-I", "-B", "-m", "compileall", "-q", "-f", "--invalidation-mode=unchecked-hash", "-s", str(target)]
    packages = target / "lib/packages"
    subprocess.run([*command, str(packages / "calivet")], check=True)
    others = [path for path in sorted(packages.iterdir()) if path.name != "calivet"]
    folders = [target / f"lib/python{PYTHON}", *(path for path in others if path.is_dir())]
    subprocess.run([*command, "-b", *map(str, folders)], check=True, stdout=subprocess.DEVNULL)
    for folder in folders:
        remove(path for path in folder.rglob("*.py") if path.with_suffix(".pyc").exists())


def remove(paths: Iterable[Path]) -> None:
    """Files and folders."""
    for path in list(paths):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
