"""Every way in which secrets stand in text: by the name before them, by their own looks, by what surrounds them."""
