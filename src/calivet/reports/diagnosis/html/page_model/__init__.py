"""What the page shows beside the words of a diagnosis: nodes and sessions, what happened when, and quoted lines."""
