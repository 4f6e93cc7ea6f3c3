"""Finds the kubeconfig files, merges them and takes out one context, in the same order and way as kubectl."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from calivet.live.login import incluster
from calivet.live.login.kubeconfig_file import read
from calivet.live.login.kubeconfig_shape import Cluster, Context, User
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError

LISTED = 3
"""Contexts that a message offers for choice."""


class Kubeconfig(Struct):
    """All files in one; each entry with the file it stands in."""

    files: list[Path] = []
    current: str = ""
    clusters: dict[str, tuple[Path, Cluster]] = {}
    users: dict[str, tuple[Path, User]] = {}
    contexts: dict[str, tuple[Path, Context]] = {}

    @property
    def place(self) -> str:
        """The files, for messages."""
        return os.pathsep.join(map(str, self.files))


def target(explicit: str | None, context: str | None) -> Target:
    """Where to go and as whom: by the kubeconfig, or by the pod's service account where there is none."""
    paths = [Path(explicit)] if explicit else default_paths()
    kubeconfig = merged(paths)
    if not kubeconfig.contexts and not explicit and not context and (inside := incluster.target()):
        return inside
    if not kubeconfig.files and explicit:
        raise ConfigError(f"kubeconfig {explicit} does not exist")
    if not kubeconfig.files:
        raise ConfigError(f"no kubeconfig: {os.pathsep.join(map(str, paths))} does not exist; use --kubeconfig FILE")
    return chosen(kubeconfig, context)


def default_paths() -> list[Path]:
    """Where kubectl looks where it is not told."""
    named = [Path(name) for name in os.environ.get("KUBECONFIG", "").split(os.pathsep) if name]
    return list(dict.fromkeys(named)) or [Path(os.environ.get("HOME", "")) / ".kube" / "config"]


def merged(paths: list[Path]) -> Kubeconfig:
    """The files in one: whichever names an entry or the current context first, wins."""
    kubeconfig = Kubeconfig()
    for path in paths:
        content = read(path)
        if content is None:
            continue
        kubeconfig.files.append(path)
        kubeconfig.current = kubeconfig.current or content.current_context
        for context in content.contexts:
            kubeconfig.contexts.setdefault(context.name, (path, context.context))
        for cluster in content.clusters:
            kubeconfig.clusters.setdefault(cluster.name, (path, cluster.cluster))
        for user in content.users:
            kubeconfig.users.setdefault(user.name, (path, user.user))
    return kubeconfig


def chosen(kubeconfig: Kubeconfig, wanted: str | None) -> Target:
    """The context of this name, or the current one."""
    name = wanted or kubeconfig.current
    if not name:
        raise ConfigError(f"{kubeconfig.place}: current-context is not set{_choice(kubeconfig.contexts)}")
    if name not in kubeconfig.contexts:
        raise ConfigError(f'{kubeconfig.place}: no context "{name}"{_choice(kubeconfig.contexts, name)}')
    file, context = kubeconfig.contexts[name]
    if context.cluster not in kubeconfig.clusters:
        raise ConfigError(f'{file}: context "{name}" names cluster "{context.cluster}", which does not exist')
    if context.user and context.user not in kubeconfig.users:
        raise ConfigError(f'{file}: context "{name}" names user "{context.user}", which does not exist')
    cluster_file, cluster = kubeconfig.clusters[context.cluster]
    cluster_place = f'cluster "{context.cluster}" in {cluster_file}'
    if not context.user:
        return Target(name, cluster, cluster_place, User(), f'context "{name}" in {file}')
    user_file, user = kubeconfig.users[context.user]
    return Target(name, cluster, cluster_place, user, f'user "{context.user}" in {user_file}')


def _choice(contexts: dict[str, Any], near: str = "") -> str:
    """What could be chosen instead; few words where there are many contexts."""
    from difflib import get_close_matches

    names = get_close_matches(near, contexts, LISTED) or sorted(contexts)
    if not names:
        return "; it has no contexts at all"
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"; choose with --context: {', '.join(names[:LISTED])}{more}"
