"""Reads both System Reference Documents at build time and writes the finished records into the package.

Nothing here is installed: ``hatch_build.py`` runs it, and at run time ``lorekeeper_mcp.sources.srd`` reads the result.
"""
