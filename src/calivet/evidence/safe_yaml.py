"""YAML that anybody may have written: plain values come out, or one error that says what is wrong and where."""

from __future__ import annotations

from typing import Any

DEEPEST = 100
"""Lists and maps inside one another: the library's parser takes thousands of them with a crash of the process."""


class YamlError(Exception):
    """What is wrong, and in which line, where that is known."""

    def __init__(self, problem: str, line: int | None) -> None:
        super().__init__(problem)
        self.problem, self.line = problem, line


def load_yaml(content: bytes, *, as_written: bool = False) -> Any:
    """Maps, lists and values; where asked for as written, every value stays text, whatever it looks like."""
    import yaml

    kind = "BaseLoader" if as_written else "SafeLoader"
    loader = getattr(yaml, f"C{kind}", None) or getattr(yaml, kind)
    try:
        _refuse_depth(content, loader)
        return yaml.load(content, Loader=loader)  # noqa: S506 - neither loader makes anything but plain values
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise YamlError(_describe_problem(error), mark.line + 1 if mark else None) from None
    except (ValueError, LookupError, AttributeError, RecursionError) as error:  # 2024-02-31, !!bool perhaps
        raise YamlError(f"a value is not what it claims to be: {error}", None) from None


def _refuse_depth(content: bytes, loader: Any) -> None:
    """Events come one after the other, however deep they lie."""
    import yaml

    depth = 0
    for event in yaml.parse(content, Loader=loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                line = event.start_mark.line + 1 if event.start_mark else None
                raise YamlError(f"nested more than {DEEPEST} levels deep", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _describe_problem(error: Exception) -> str:
    return str(getattr(error, "problem", None) or error).partition("\n")[0]
