"""The one place that starts Python: neither the current folder nor a variable gets code into calivet's interpreters.

Evidence is often looked at where it was unpacked, and a stranger may have put a `struct.py` there. So calivet itself
forgets the current folder before it imports anything, and whatever it starts is isolated (`python -I`) and told where
calivet is. This file imports nothing that Python has not loaded already, not even `__future__` or `pathlib`: it runs
while the current folder may still come first.
"""
# ruff: noqa: PTH100, PTH109, PTH117, PTH118, PTH120

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which would be looked for in the current folder
if TYPE_CHECKING:
    import subprocess

_OURS = ("calivet", "msgspec")
"""A package here and one that it needs: where these were found, everything that calivet needs lies."""


def forget_current_folder() -> None:
    """Take out of this process what Python put first because of where, or how, it was started."""
    _forget_relative_programs()
    try:
        unwanted = _list_asked_for(relative_only=True)
        started_in = {os.getcwd(), os.path.dirname(os.path.realpath(sys.argv[0]))}
    except OSError:  # the current folder is gone, so nothing can be found in it
        return
    if not sys.flags.safe_path and sys.path[0] in started_in:
        del sys.path[0]
    sys.path[:] = [entry for entry in sys.path if os.path.isabs(entry) and entry not in unwanted]


def _forget_relative_programs() -> None:
    """With a dot or an empty entry in `PATH`, kubectl, ssh and shells would be looked for in the current folder."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    kept = [entry for entry in entries if os.path.isabs(entry)]
    if len(kept) < len(entries):
        os.environ["PATH"] = os.pathsep.join(kept) or os.defpath


def start_python(
    *arguments: str, stdin: int | None = None, stdout: int | None = None, own_session: bool = False
) -> "subprocess.Popen[bytes]":
    """An isolated interpreter. Ctrl-C is for calivet, not for what it starts: that is born deaf to it."""
    import signal
    import subprocess

    set_mask = getattr(signal, "pthread_sigmask", None)  # Windows sends no signals to what it starts
    heard = set_mask(signal.SIG_BLOCK, {signal.SIGINT}) if set_mask else None
    try:
        return subprocess.Popen(
            isolate_command(*arguments),
            stdin=stdin,
            stdout=stdout,
            stderr=None if os.environ.get("CALIVET_DEBUG") else subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            start_new_session=own_session,
        )
    finally:
        if set_mask:
            set_mask(signal.SIG_SETMASK, heard)


def isolate_command(*arguments: str) -> list[str]:
    """The command that starts an isolated interpreter, for whoever has it started by another program."""
    if not sys.executable:
        raise OSError("this Python does not know where it is")
    options = ["-I", "-X", f"utf8={sys.flags.utf8_mode}", *(["-B"] if sys.dont_write_bytecode else [])]
    return [sys.executable, *options, *arguments]


def name_python() -> str:
    """How a person calls the Python of this installation."""
    return sys.executable or "python3"


def search_path() -> list[str]:
    """Where an isolated interpreter finds calivet: as this one does, but for what a variable asked for."""
    unwanted = _list_asked_for()
    kept = [entry for entry in sys.path if os.path.isabs(entry) and entry not in unwanted]
    files = [str(sys.modules[name].__file__) for name in _OURS if name in sys.modules]
    roots = [os.path.dirname(os.path.dirname(file)) for file in files]
    return kept + [root for root in dict.fromkeys(roots) if root not in kept]


def isolate_libraries() -> None:
    """For interpreters that a library starts in its own way, from now on: Dask's and Ray's."""
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    os.environ["PYTHONSAFEPATH"] = "1"


def _list_asked_for(relative_only: bool = False) -> set[str]:
    """The folders of PYTHONPATH; an empty entry, as a trailing colon leaves it, means the current one."""
    variable = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    entries = variable.split(os.pathsep) if variable else []
    chosen = [entry for entry in entries if not (relative_only and os.path.isabs(entry))]
    return {os.path.abspath(entry or os.curdir) for entry in chosen} - _list_installed()


def _list_installed() -> set[str]:
    """Where Python and its packages are installed, whoever names these folders as well."""
    library = os.path.dirname(str(os.__file__))
    site = sys.modules.get("site")
    packages = {*site.getsitepackages(), site.getusersitepackages()} if site else set()
    return {library, os.path.join(library, "lib-dynload"), *packages}
