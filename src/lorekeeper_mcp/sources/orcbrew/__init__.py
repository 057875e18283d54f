"""Reader for OrcBrew files (OrcPub, Dungeon Master's Vault), and adapters to records. Pure; nothing is stored here."""

from lorekeeper_mcp.sources.orcbrew.reader import read

__all__ = ["read"]
