"""Every endpoint of the invented Open5e with its records."""

from __future__ import annotations

import functools

from tests.open5e import archive, creatures, equipment, options, rules, spells
from tests.open5e.books import LICENSES, PUBLISHERS, SYSTEMS, documents, named
from tests.open5e.parameters import Raw


@functools.cache
def every_endpoint() -> dict[str, list[Raw]]:
    """The records of every endpoint, by a path such as ``v2/spells``."""
    return {
        "v2/documents": documents(),
        "v2/licenses": [{**named(name, one), "desc": "A license."} for one, name in LICENSES.items()],
        "v2/publishers": [named(name, one) for one, name in PUBLISHERS.items()],
        "v2/gamesystems": [{**named(n, one), "desc": "Rules.", "content_prefix": ""} for one, n in SYSTEMS.items()],
        **spells.endpoints(),
        **creatures.endpoints(),
        **equipment.endpoints(),
        **options.endpoints(),
        **rules.endpoints(),
        **archive.endpoints(),
    }
