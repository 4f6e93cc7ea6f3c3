"""Packages of others that calivet cannot do without: one that is broken or missing ends it with one line.

Readers, signs and sources each survive a bug of their own, so that it costs only themselves. A package that cannot be
loaded is no such bug: taken for one, half of the evidence would be missing from an answer that looks whole. Nothing of
calivet may be needed to say so, for calivet itself is built on these packages.
"""

from __future__ import annotations

import sys
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

REQUIRED = frozenset(("hyperscan", "isal", "jinja2", "markupsafe", "msgspec", "urllib3", "yaml"))
NAMES = {"yaml": "PyYAML", "jinja2": "Jinja2", "markupsafe": "MarkupSafe"}
"""What is installed, where it is called otherwise than what is imported."""
BROKEN = {
    "en": "the package {name} is broken or missing ({why}); install it anew: pip install --force-reinstall {name}",
    "zh": "软件包 {name} 损坏或缺失（{why}），请重新安装：pip install --force-reinstall {name}",
}


class BrokenPackageError(BaseException):
    """No `except Exception` is meant for it: whatever is being done, it cannot be done."""

    def __init__(self, package: str, why: str) -> None:
        super().__init__(package)
        self.package, self.why = package, why

    def line(self, language: str) -> str:
        """What is said of it. Not the words of the error: nothing is there to take secrets out of them."""
        return BROKEN[language].format(name=NAMES.get(self.package, self.package), why=self.why)


class _Loader:
    """Loads as the real one does; what goes wrong in the outermost of these packages is a broken package."""

    def __init__(self, real: Any, finder: Finder, name: str) -> None:
        self._real, self._finder, self._name = real, finder, name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        with self._finder.loading(self._name):
            module: ModuleType | None = self._real.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        with self._finder.loading(self._name):
            self._real.exec_module(module)
        if module.__spec__:
            module.__spec__.loader = module.__loader__ = self._real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class _Loading:
    def __init__(self, finder: Finder, name: str) -> None:
        self._finder, self._name = finder, name

    def __enter__(self) -> None:
        self._finder.depth[get_ident()] = self._finder.depth.get(get_ident(), 0) + 1

    def __exit__(self, _kind: type | None, error: BaseException | None, _trace: object) -> None:
        thread = get_ident()
        self._finder.depth[thread] -= 1
        if error is None or isinstance(error, (KeyboardInterrupt, BrokenPackageError)):
            return
        root = self._name.partition(".")[0]
        lacking = error.name if isinstance(error, ModuleNotFoundError) else None
        if root == self._name:
            # The innermost is the one that is broken; those around it only need it.
            self._finder.failed.setdefault(thread, lacking if lacking in REQUIRED else root)
        if not self._finder.depth[thread]:
            raise BrokenPackageError(self._finder.failed.pop(thread, root), type(error).__name__) from error


class Finder:
    """Stands before the other finders, and asks them."""

    def __init__(self) -> None:
        self.depth: dict[int, int] = {}
        """For each thread, how many of these packages it is loading, one for the sake of another."""
        self.failed: dict[int, str] = {}

    def loading(self, name: str) -> _Loading:
        """Within this block something of a package is loaded."""
        return _Loading(self, name)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As the others find it; of a package that must be there, a spec that watches how it loads."""
        root = name.partition(".")[0]
        if root not in REQUIRED:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec:
                if spec.loader:
                    spec.loader = _Loader(spec.loader, self, name)  # type: ignore[assignment]
                return spec
        if name == root and not self.depth.get(get_ident()):
            raise BrokenPackageError(root, "ModuleNotFoundError")
        return None


def watch_packages() -> None:
    """From now on a package that cannot be loaded ends what is being done."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
