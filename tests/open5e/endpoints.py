"""Every endpoint of the invented Open5e with its records."""

from __future__ import annotations

import functools

from tests.open5e import archive, creatures, equipment, options, rules, spells
from tests.open5e.books import LICENSES, PUBLISHERS, SYSTEMS, documents, named_ref
from tests.open5e.parameters import Raw


@functools.cache
def every_endpoint() -> dict[str, list[Raw]]:
    """The records of every endpoint, by a path such as ``v2/spells``."""
    return {
        "v2/documents": documents(),
        "v2/licenses": [{**named_ref(name, key), "desc": "A license."} for key, name in LICENSES.items()],
        "v2/publishers": [named_ref(name, key) for key, name in PUBLISHERS.items()],
        "v2/gamesystems": [{**named_ref(n, key), "desc": "Rules.", "content_prefix": ""} for key, n in SYSTEMS.items()],
        **spells.endpoints(),
        **creatures.endpoints(),
        **equipment.endpoints(),
        **options.endpoints(),
        **rules.endpoints(),
        **archive.endpoints(),
    }
