"""Runs an exec plugin (EKS, GKE, AKS, OIDC): a program that prints credentials for the API server."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from calivet.live.login.exec_info import exec_info
from calivet.live.login.kubeconfig_shape import Discreet, Exec
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError, one_line

if TYPE_CHECKING:
    from subprocess import Popen

VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
SECONDS = 60
SECONDS_WITH_PERSON = 300
"""A person may have to sign in with a browser first."""
SECRET_NAMES = ("secret", "token", "password", "key")


class Issued(Discreet, Struct, rename="camel"):
    """What a plugin gives."""

    token: str = ""
    client_certificate_data: str = ""
    client_key_data: str = ""
    expiration_timestamp: datetime | None = None


class _Printed(Discreet, Struct, rename="camel"):
    api_version: str = ""
    status: Issued | None = None


def check(plugin: Exec, owner: str) -> None:
    """Says what can be said before anything runs: a plugin that is missing, or made for another client."""
    from shutil import which

    if not plugin.command:
        raise ConfigError(f"{owner}: exec has no command")
    if plugin.api_version not in VERSIONS:
        raise ConfigError(f'{owner}: exec has apiVersion "{plugin.api_version}"; known are {" and ".join(VERSIONS)}')
    if which(plugin.command) is None:
        hint = f"; {one_line(plugin.install_hint)}" if plugin.install_hint else ""
        raise ConfigError(f"{owner}: exec plugin {plugin.command} is not installed{hint}")
    if plugin.interactive_mode == "Always" and not _person():
        raise ConfigError(f"{owner}: exec plugin {plugin.command} wants to ask a person, but there is no terminal")


def run(plugin: Exec, target: Target) -> Issued:
    """Runs the plugin once; ConfigError where it gives nothing useful."""
    interactive = plugin.interactive_mode != "Never" and _person()
    output = _output(plugin, exec_info(plugin, target, interactive), interactive)
    try:
        printed = msgspec.json.decode(output, type=_Printed)
    except ValueError:  # no JSON, no UTF-8, another shape
        raise ConfigError(f"exec plugin {plugin.command} did not print an ExecCredential") from None
    if printed.api_version != plugin.api_version:
        told = one_line(printed.api_version) or "no apiVersion"
        raise ConfigError(f"exec plugin {plugin.command} printed {told} where {plugin.api_version} was asked for")
    if printed.status is None or not (printed.status.token or printed.status.client_certificate_data):
        raise ConfigError(f"exec plugin {plugin.command} gave neither a token nor a client certificate")
    return printed.status


def _person() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def _output(plugin: Exec, info: str, interactive: bool) -> bytes:
    """What the plugin prints. With a person at the terminal its questions and complaints go there directly."""
    import subprocess

    seconds = SECONDS_WITH_PERSON if interactive else SECONDS
    try:
        process = subprocess.Popen(
            [plugin.command, *plugin.args],
            env={**os.environ, **{one.name: one.value for one in plugin.env}, "KUBERNETES_EXEC_INFO": info},
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if interactive else subprocess.PIPE,
            start_new_session=not interactive,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"exec plugin {plugin.command} cannot be run: {getattr(error, 'strerror', error)}") from None
    with process:
        try:
            output, complaint = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise ConfigError(f"exec plugin {plugin.command} did not finish within {seconds} s") from None
        finally:
            _end(process, with_children=not interactive)
    if process.returncode:
        said = _masked((complaint or b"").decode("utf-8", "replace"), plugin)
        raise ConfigError(f"exec plugin {plugin.command} failed with exit code {process.returncode}{said}")
    return output


def _end(process: Popen[bytes], with_children: bool) -> None:
    """Nothing stays behind after a deadline or Ctrl-C."""
    import signal

    if process.poll() is not None:
        return
    if with_children:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _masked(complaint: str, plugin: Exec) -> str:
    """The plugin's own words, but for secrets that it was given and may repeat."""
    given = [(one.name, one.value) for one in plugin.env] + [_option(one) for one in plugin.args]
    for name, value in given:
        if value and any(part in name.lower() for part in SECRET_NAMES):
            complaint = complaint.replace(value, "***")
    line = one_line(complaint)
    return f": {line}" if line else ""


def _option(argument: str) -> tuple[str, str]:
    name, _, value = argument.partition("=")
    return name, value
