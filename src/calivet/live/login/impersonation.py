"""Asking as somebody else: `--as` and `--as-group`, or what the kubeconfig's user says."""

from __future__ import annotations

from urllib.parse import quote

from calivet.live.login.kubeconfig_shape import User
from calivet.live.trouble import ConfigError

HEADER_CHARACTERS = "!#$&'*+-.^_`|~"


def headers(user: User, name: str | None, groups: tuple[str, ...]) -> list[tuple[str, str]]:
    """The headers, one for each group; a name on the command line replaces the kubeconfig's whole."""
    if name or groups:
        user = User(impersonate=name or user.impersonate, impersonate_groups=list(groups))
    wanted = [
        ("Impersonate-User", user.impersonate),
        ("Impersonate-Uid", user.impersonate_uid),
        *(("Impersonate-Group", group) for group in user.impersonate_groups),
        *(
            (f"Impersonate-Extra-{quote(key, safe=HEADER_CHARACTERS)}", value)
            for key, values in user.impersonate_extra.items()
            for value in values
        ),
    ]
    wanted = [(header, value) for header, value in wanted if value]
    if wanted and not user.impersonate:
        raise ConfigError("a group to ask as needs a user to ask as: add --as USER")
    for header, value in wanted:
        if not value.isprintable():
            raise ConfigError(f"{header} may not hold line breaks or other control characters")
    # Python writes headers in Latin-1; the server reads UTF-8.
    return [(header, value.encode().decode("latin-1")) for header, value in wanted]
