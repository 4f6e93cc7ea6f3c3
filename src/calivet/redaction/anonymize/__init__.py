"""Takes out what tells whose cluster it is: addresses, names, and the numbers by which clouds know machines."""
