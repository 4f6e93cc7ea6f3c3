"""How words stand on a page: width, colour, punctuation, indents, Markdown."""
