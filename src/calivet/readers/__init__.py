"""One file per format: an artifact goes in, facts come out. Pure, tolerant, with a line on every fact."""
