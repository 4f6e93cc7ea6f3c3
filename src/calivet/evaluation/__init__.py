"""How well the answers fit a labelled collection of incidents."""
