"""What every floor needs: configuration, headers, walks over graphs, suggestions."""
