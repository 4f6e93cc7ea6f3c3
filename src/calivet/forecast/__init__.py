"""What Calico would do: its choices computed again from the facts, as they are and after a change."""
