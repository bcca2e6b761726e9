"""`compile`: C source, its variables, structs and functions, links, pickles."""
