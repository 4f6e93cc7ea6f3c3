"""The entry. Ctrl-C may come while calivet is still being loaded, and what it is built on may be broken.

Nothing is loaded before both are provided for, and nothing that lies in a file while the current folder may still come
first: until then only what every interpreter has loaded already.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys

from calivet.evidence.isolated_python import forget_current_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

FAILED, INTERRUPTED = 3, 130
"""As in `exits`, which must not be needed here."""
STOPPED = {"en": "interrupted", "zh": "已中断"}
BUG = {"en": "this is a bug in calivet: {what}", "zh": "这是 calivet 的缺陷：{what}"}


def console() -> None:
    """As a program of its own: it ends at once, without taking apart all that it has in memory piece by piece."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # who started it may have had it ignored
        _signal.signal(_signal.SIGINT, _end_at_once)
    sys.unraisablehook = _raise_again(sys.unraisablehook)
    forget_current_folder()
    import atexit
    import gc

    # Facts live as long as the process: looking for garbage among a hundred thousand of them finds none.
    gc.set_threshold(100_000, 50, 100)
    code = main()
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    atexit._run_exitfuncs()  # noqa: SLF001 - what is to be done at the end is done, there is no public way to it
    sys.stderr.flush()
    os._exit(code)


def complete_for_kubectl() -> int:
    """The entry of `kubectl_complete-calivet`, which kubectl runs with the words that follow `kubectl calivet`."""
    forget_current_folder()
    # A program that fetches credentials must not ask now.
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    return main(["__complete", "--", *sys.argv[1:]])


def main(arguments: "list[str] | None" = None) -> int:
    """The console script's entry."""
    from calivet.cli.packages import BrokenPackageError, watch_packages

    given = sys.argv[1:] if arguments is None else arguments
    watch_packages()
    try:
        from calivet.cli.dispatch import dispatch

        return dispatch(given, begin=heed_interrupts)
    except KeyboardInterrupt as interrupt:
        before = _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # it is ending already, however often one presses
        try:
            from calivet.cli.terminal.signals import report_interrupt

            return report_interrupt(interrupt, _find_language(given))
        finally:
            _signal.signal(_signal.SIGINT, before)
    except BrokenPackageError as broken:
        return _fail(broken.line(_find_language(given)))
    except Exception as error:
        # Only what goes wrong before anything can be said properly; its words may hold anything.
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return _fail(BUG[_find_language(given)].format(what=type(error).__name__))


def heed_interrupts() -> None:
    """From now on Ctrl-C goes by way of every `finally`: something may have begun that must not stay half done."""
    if _signal.getsignal(_signal.SIGINT) is _end_at_once:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _end_at_once(_number: int, _frame: "FrameType | None") -> None:
    """Nothing has been done yet. An exception could strike inside a package's loading, and not all survive that."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # it is ending already, however often one presses
    _fail(STOPPED[_find_language(sys.argv[1:])])
    os._exit(INTERRUPTED)


def _find_language(arguments: "list[str]") -> str:
    """Asked for where something is said, and by then the current folder is forgotten."""
    forget_current_folder()
    from calivet.cli.invocation import find_language

    return find_language(arguments)


def _raise_again(usual: "Any") -> "Any":
    """Python drops what is raised where nobody can catch it, as between two imports; Ctrl-C must not be lost so."""

    def hook(unraisable: "Any") -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            os.kill(os.getpid(), _signal.SIGINT)
        else:
            usual(unraisable)

    return hook


def _fail(line: str) -> int:
    """The plainest way to say a line."""
    if sys.stderr is not None:
        try:
            os.write(2, f"calivet: {line}\n".encode())
        except OSError:
            return FAILED  # where nobody can hear it, the exit code still tells
    return FAILED
