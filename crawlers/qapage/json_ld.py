"""Reads JSON-LD: several scripts on a page, graphs, references, and what is wrong with them in the wild."""

import json
import re
from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from crawlers.page import joined
from crawlers.qapage.items import Item, Value, type_name

WRAPPED = re.compile(r"^\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[\s*(?:\*/)?)|(?:-->|(?://|/\*)?\s*\]\]>\s*(?:\*/)?)\s*$")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
ADDRESSES = frozenset(("url", "item", "license", "about", "isPartOf", "mainEntityOfPage"))
RELATIVE = ("/", "#", "?", "./", "../")
CONTAINERS = ("@list", "@set")


class JsonLd:
    """All items of a page's scripts, and the scripts that could not be read."""

    def __init__(self, soup: BeautifulSoup, url: str) -> None:
        """Read every script; a broken one does not spoil the others."""
        self.url = url
        self.items: list[Item] = []
        self.broken: list[str] = []
        self.known: dict[str, Item] = {}
        for script in soup.find_all("script"):
            if isinstance(script, Tag) and joined(script.get("type") or "").lower().startswith("application/ld+json"):
                self.read(script.string or script.get_text())

    def read(self, text: str) -> None:
        """Read one script."""
        text = CONTROLS.sub(" ", text).strip().removesuffix(";")
        if not text.startswith(("{", "[")):
            text = WRAPPED.sub("", WRAPPED.sub("", text)).strip()
        try:
            data = json.loads(text, strict=False)
        except ValueError:
            self.broken.append(text)
            return
        self.value(data)

    def value(self, data: Any) -> list[Value]:
        """A JSON value as values of a property: none, one or several."""
        if isinstance(data, list):
            return [value for entry in data for value in self.value(entry)]
        if isinstance(data, dict):
            return self.item(data)
        if data is None:
            return []
        return [str(data).lower() if isinstance(data, bool) else str(data)]

    def item(self, data: dict[str, Any]) -> list[Value]:
        """A JSON object as an item; objects with the same `@id` are one."""
        if "@value" in data:
            return self.value(data["@value"])
        contained = [value for name in (*CONTAINERS, "@graph") if name in data for value in self.value(data[name])]
        if contained and not data.get("@type"):
            return contained
        found = self.named(data.get("@id"))
        types = data.get("@type") or []
        found.types.update(type_name(str(name)) for name in (types if isinstance(types, list) else [types]))
        for name, content in data.items():
            if not name.startswith("@"):
                values = self.value(content)
                if name in ADDRESSES:
                    values = [self.resolved(value) if isinstance(value, str) else value for value in values]
                found.properties.setdefault(type_name(name), []).extend(values)
        return [found]

    def resolved(self, text: str) -> str:
        """An absolute address when the text is a relative one, else the text."""
        try:
            return urljoin(self.url, text) if text.startswith(RELATIVE) else text
        except ValueError:
            return text

    def named(self, name: object) -> Item:
        """The item with an `@id`, a new one when there is none yet."""
        if not isinstance(name, str) or not name:
            found = Item()
            self.items.append(found)
            return found
        try:
            address = name if name.startswith("_:") else urljoin(self.url, name)
        except ValueError:
            address = name
        if address not in self.known:
            self.known[address] = Item(address=None if address.startswith("_:") else address)
            self.items.append(self.known[address])
        return self.known[address]
