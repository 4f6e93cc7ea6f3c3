"""The one choke point: what is secret goes no further, whatever it stands in and wherever it would go."""
