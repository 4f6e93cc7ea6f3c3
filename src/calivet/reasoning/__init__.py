"""From signs to the answer: weighing, root against consequence, chain, contrast, next evidence."""
