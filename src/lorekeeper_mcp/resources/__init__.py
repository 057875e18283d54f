"""Records and documents as resources, and completion of their addresses."""
