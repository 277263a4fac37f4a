"""Tables in files, batch by batch, as numbers."""
