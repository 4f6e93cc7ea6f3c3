"""Makes the scene: only asked for where a page is drawn, so it may look at everything again."""

from __future__ import annotations

from calivet.pipeline import Examined
from calivet.scene.quotes import quotes
from calivet.scene.scene import Scene
from calivet.scene.sessions import sessions
from calivet.scene.spots import spots
from calivet.scene.timeline import timeline


def scene(examined: Examined) -> Scene:
    """The map shows the whole cluster; times and quotes are those of the nodes that were asked about."""
    whole = examined.picture.whole
    return Scene(
        spots=spots(whole, examined.diagnosis.findings),
        sessions=sessions(whole),
        timeline=timeline(examined),
        quotes=quotes(examined.diagnosis, examined.picture),
    )
