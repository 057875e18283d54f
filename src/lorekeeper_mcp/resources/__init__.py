"""Records and documents as resources, which people attach by hand, and the completion of what they type."""
