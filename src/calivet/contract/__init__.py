"""The JSON that scripts rely on, once: types, how a diagnosis becomes one, how one is read back, its schema."""
