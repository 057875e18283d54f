"""The MCP tools: arguments, errors and the envelope of answers."""
