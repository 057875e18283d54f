"""Records and documents as MCP resources, and completion of their URIs."""
