"""A league in a browser: pages as functions of what a viewer may see, and of where links lead. No store is read."""
