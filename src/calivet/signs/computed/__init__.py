"""Signs that no single line shows: computed from facts of several places. One file per topic."""
