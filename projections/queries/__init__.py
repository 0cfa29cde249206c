"""Questions to the read models, one module each: from a connection to structs."""
