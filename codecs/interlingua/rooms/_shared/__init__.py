"""What every room needs and no room owns: reading, leftovers, losses, names."""
