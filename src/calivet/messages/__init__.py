"""Every word that people read, by key, in English and in Chinese."""
