"""The catalogue: one YAML file per cause. Data only."""
