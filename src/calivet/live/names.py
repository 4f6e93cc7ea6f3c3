"""Names of nodes, for completion in a shell: quick, and silent where anything is in the way."""

from __future__ import annotations

from calivet.live.connection import Access, connect
from calivet.live.pages import table
from calivet.live.trouble import ConfigError, Trouble


def node_names(access: Access) -> list[str]:
    """All nodes of the cluster, or none."""
    try:
        found = table(connect(access), "/api/v1/nodes")
        return [row.head.name for page in found for row in page.rows]
    except (ConfigError, Trouble):
        return []
