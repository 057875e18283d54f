"""Rows of the schema for fields of several sections: traits, and those of every item."""

from __future__ import annotations

TRAITS = [
    (':traits [{:name "Zq" :description "zp"}]', "Zq"),
    (':traits [{:name "Zq" :type :action :description "zp"}]', "Zq (action)"),
    (':traits [{:name "Zq" :type :b-action :description "zp"}]', "Zq (bonus action)"),
    (':traits [{:name "Zq" :type :reaction :description "zp"}]', "Zq (reaction)"),
    (':traits [{:name "Zq" :description "zp" :page 12 :summary "zs" :source :phb}]', "zp\nzs\npage: 12\nsource: Phb"),
]
ANYWHERE = [
    (':option-pack "Fens"', "— the name of the book"),
    (":key :base", "— an id"),
    (":disabled? false", "— it is on"),
    (":edit-event [:x]", "— an event of the application"),
    (':nonsense "zq"', "***Nonsense.*** zq"),
]
