"""Two diagnoses side by side: what is fixed, what is new, what remains."""
