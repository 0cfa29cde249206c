"""What people see: scenes, sentences, the stylus, army status."""
