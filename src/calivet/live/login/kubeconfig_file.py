"""Reads one kubeconfig file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from calivet.evidence.careful_yaml import YamlError, load_yaml
from calivet.live.login.kubeconfig_shape import File
from calivet.live.trouble import ConfigError, one_line

EMPTY = ("", "null", "~", None)


def read(path: Path) -> File | None:
    """The file's content; None where there is no such file."""
    try:
        # A name, a token or a password may look like a number or a date.
        content = load_yaml(path.read_bytes(), as_written=True)
        file = msgspec.convert({} if content in EMPTY else _filled(content), File, strict=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"kubeconfig {path} cannot be read: {error.strerror}") from None
    except YamlError as error:
        line = f", line {error.line}" if error.line else ""
        raise ConfigError(f"{path}{line}: not valid YAML: {one_line(error.problem)}") from None
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: not a kubeconfig: {error}") from None
    _anchor(file, path.absolute().parent)
    return file


def _filled(value: Any) -> Any:
    """Without what is empty or null: to Kubernetes that is the same as left out."""
    if isinstance(value, dict):
        return {key: _filled(inner) for key, inner in value.items() if inner not in EMPTY}
    if isinstance(value, list):
        return [_filled(inner) for inner in value]
    return value


def _anchor(file: File, folder: Path) -> None:
    """Relative paths are meant from the folder of the file they stand in."""

    def anchored(path: str) -> str:
        return str(folder / path) if path else ""

    for named in file.clusters:
        named.cluster.certificate_authority = anchored(named.cluster.certificate_authority)
    for one in file.users:
        user = one.user
        user.client_certificate = anchored(user.client_certificate)
        user.client_key = anchored(user.client_key)
        user.token_file = anchored(user.token_file)
        # A bare name is looked up on PATH instead.
        if user.exec and os.sep in user.exec.command:
            user.exec.command = anchored(user.exec.command)
