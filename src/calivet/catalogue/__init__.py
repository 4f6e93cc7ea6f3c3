"""The catalogue's shape: loads and checks the YAML of `causes/`; holds no knowledge of its own."""
