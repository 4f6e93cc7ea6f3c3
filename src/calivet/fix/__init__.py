"""From the answer to the cure: the only room that changes anything."""
