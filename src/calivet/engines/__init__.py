"""Much work on all cores, or on the machines of a cluster that is there already."""
