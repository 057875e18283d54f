"""Attribution texts that licences require, and notices of copyright, by document key."""

from __future__ import annotations

from collections.abc import Mapping

_LICENSE = "the Creative Commons Attribution 4.0 International License"
_LEGAL_CODE = "https://creativecommons.org/licenses/by/4.0/legalcode"
ATTRIBUTIONS: Mapping[str, str] = {
    "srd-2014": (
        "This work includes material taken from the System Reference Document 5.1 (“SRD 5.1”) by Wizards of the Coast "
        "LLC and available at https://dnd.wizards.com/resources/systems-reference-document. "
        f"The SRD 5.1 is licensed under {_LICENSE} available at {_LEGAL_CODE}."
    ),
    "srd-2024": (
        "This work includes material from the System Reference Document 5.2.1 (“SRD 5.2.1”) by Wizards of the Coast "
        "LLC, available at https://www.dndbeyond.com/srd. "
        f"The SRD 5.2.1 is licensed under {_LICENSE}, available at {_LEGAL_CODE}."
    ),
}
_LEVEL_UP = (
    "This work includes material taken from the A5E System Reference Document (A5ESRD) by EN Publishing and "
    "available at A5ESRD.com, based on Level Up: Advanced 5th Edition, available at www.levelup5e.com. The "
    "A5ESRD is licensed under the Creative Commons Attribution 4.0 International License available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode."
)
# The notices of other books, as version 1 of Open5e states them.
COPYRIGHTS: Mapping[str, str] = {
    "a5e-mm": "Level Up: Advanced 5th Edition Monstrous Menagerie. Copyright 2021, EN Publishing.",
    "bfrd": (
        "ORC NOTICE: This product is licensed under the ORC License, located at the Library of Congress at TX "
        "9-307-067, and available online at various locations including koboldpress.com/orclicense and others. "
        "All warranties are disclaimed as set forth therein."
    ),
    "ccdx": (
        "Creature Codex. © 2018 Open Design LLC; Authors Wolfgang Baur, Dan Dillon, Richard Green, James Haeck, "
        "Chris Harris, Jeremy Hochhalter, James Introcaso, Chris Lockey, Shawn Merwin, and Jon Sawatsky."
    ),
    "deepm": "Deep Magic for 5th Edition © 2020 Open Design LLC; Authors: Dan Dillon, Chris Harris, and Jeff Lee.",
    "deepmx": "© Open Design LLC",
    "kp": "© Open Design LLC",
    "open5e": "Open5e.com Copyright 2019.",
    "tdcs": "Critical Role: Tal’Dorei Campaign Setting is ©2017 Green Ronin Publishing, LLC. All rights reserved.",
    "tob": (
        "Tome of Beasts. Copyright 2016, Open Design; Authors Chris Harris, Dan Dillon, Rodrigo Garcia Carmona, "
        "and Wolfgang Baur."
    ),
    "tob-2023": "Tome of Beasts. 2023 Open Design LLC. All rights reserved.",
    "tob2": (
        "Tome of Beasts 2. Copyright 2020 Open Design LLC; Authors Wolfgang Baur, Celeste Conowitch, Darrin "
        "Drader, James Introcaso, Philip Larwood, Jeff Lee, Kelly Pawlik, Brian Suskind, Mike Welham."
    ),
    "tob3": "Tome of Beasts 3. ©2022 Open Design LLC. All rights reserved.",
    "toh": "Tome of Heroes. Copyright 2022, Open Design; Authors Kelly Pawlik, Ben Mcfarland, and Briand Suskind.",
    "vom": "Vault of Magic. Copyright 2021 Open Design LLC; Authors Phillip Larwood, Jeff Lee, and Christopher Lockey.",
    "wz": "© Open Design LLC",
    **dict.fromkeys(("a5e", "a5e-ag", "a5e-ddg", "a5e-gpg"), _LEVEL_UP),
}
