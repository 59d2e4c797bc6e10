"""XML read piece by piece and without trust: no entity, no network, no DTD, no endless element.

Belongs here: safe events over a file, also a gzipped or zipped one. Does not belong here: what elements mean.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from archive.gathering import FileFault

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

MAX_RATIO = 200
"""Unpacked bytes per packed one, beyond `FREE_BYTES`, from which a gzip file is taken for a bomb."""
FREE_BYTES = 256 * 1024 * 1024


MAX_HELD = 128 * 1024 * 1024
"""Bytes of elements that nobody has forgotten yet: what a document may keep in memory at one time."""
ZIPPED = (".xml", ".xes", ".xmlocel")
"""Endings of the one document that a zip file may hold."""


class XmlEvent(NamedTuple):
    """The start or end of an element; at its end its attributes, text and children are complete."""

    ends: bool
    name: str
    """Without namespace."""
    element: _Element


class _Source:
    """A stream that ends with a fault where it gives too much at all, or too much that nobody has let go."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, most: int | None) -> None:
        self._stream = stream
        self._most = most
        self._read = 0
        self._free_at = 0

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        self._read += len(block)
        if self._most is not None and self._read > self._most:
            raise FileFault("too_large")
        if self._read - self._free_at > MAX_HELD:
            raise FileFault("too_large")
        return block

    def let_go(self) -> None:
        self._free_at = self._read


def xml_events(source: Path | bytes, names: Sequence[str] = ()) -> Iterator[XmlEvent]:
    """Yields starts and ends of elements of a file or of bytes in order; the caller forgets what it used.

    Args:
        source: the file, plain or packed, or the document itself.
        names: local names of the elements to tell of; of all where there are none.

    A file whose DTD declares entities is refused at its first element, as what they stand for would be lost
    or without bound; an external DTD is never fetched.

    Raises:
        FileFault: "malformed_xml" with the line, "entity_declared", "too_large", "no_single_document" or
            "unreadable_file".
    """
    from lxml import etree  # type: ignore[import-untyped,unused-ignore]

    first = True
    try:
        with _opened(source) as stream:
            steps = etree.iterparse(
                stream,
                events=("start", "end"),
                resolve_entities=False,
                no_network=True,
                huge_tree=False,
                load_dtd=False,
                remove_comments=True,
                remove_pis=True,
                tag=[f"{{*}}{name}" for name in names] or None,
            )
            for step, element in steps:
                if first:
                    first = False
                    declared = element.getroottree().docinfo.internalDTD
                    if declared is not None and next(declared.iterentities(), None) is not None:
                        raise FileFault("entity_declared")
                yield XmlEvent(step == "end", local_name(element), element)
                if step == "end" and element.getparent() is None:
                    stream.let_go()
    except etree.XMLSyntaxError as error:
        raise FileFault("malformed_xml", f"line {error.lineno}" if error.lineno else "file") from None
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, UnicodeError, LookupError):
        raise FileFault("unreadable_file") from None


@contextmanager
def _opened(source: Path | bytes) -> Iterator[_Source]:
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as raw:
        head = raw.read(4)
        most = FREE_BYTES + MAX_RATIO * raw.seek(0, io.SEEK_END)
        raw.seek(0)
        if head.startswith(b"\x1f\x8b"):
            yield _Source(gzip.GzipFile(fileobj=raw), most)
        elif head == b"PK\x03\x04":
            with zipfile.ZipFile(raw) as folder:
                names = [name for name in folder.namelist() if name.lower().endswith(ZIPPED)]
                if len(names) != 1:
                    raise FileFault("no_single_document")
                with folder.open(names[0]) as member:
                    yield _Source(member, most)
        else:
            yield _Source(raw, None)


def local_name(element: _Element) -> str:
    """Returns an element's name without its namespace; empty for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def forget(element: _Element) -> None:
    """Empties an element and takes it out of its parent, so that memory stays flat."""
    parent = element.getparent()
    element.clear()
    if parent is not None:
        parent.remove(element)


def children(element: _Element) -> Iterator[tuple[str, _Element]]:
    """Yields the child elements with their local names."""
    for child in element:
        name = local_name(child)
        if name:
            yield name, child


def each(element: _Element, path: str) -> Iterator[_Element]:
    """Yields the elements at a path of local names below an element: "Party/Contact|Contact/Name"."""
    here, _, below = path.partition("/")
    names = here.split("|")
    for name, child in children(element):
        if name in names:
            if below:
                yield from each(child, below)
            else:
                yield child


def text_at(element: _Element | None, path: str) -> str | None:
    """Returns the first text at a path as of `each`, or the XML attribute after "@"; None where none is."""
    if element is None:
        return None
    steps, _, key = path.partition("@")
    for found in each(element, steps):
        text = found.get(key) if key else found.text
        if text and text.strip():
            return str(text).strip()
    return None


def flattened(
    element: _Element, leave: frozenset[str] = frozenset(), prefix: str = ""
) -> list[tuple[str, str | None]]:
    """Returns the leaves below an element as (path with dots, text); names in `leave` are not entered.

    XML attributes of leaves stand beside them as "Path@name".
    """
    pairs: list[tuple[str, str | None]] = []
    for name, child in children(element):
        if name in leave:
            continue
        if len(child):
            pairs.extend(flattened(child, leave, f"{prefix}{name}."))
        else:
            pairs.append((f"{prefix}{name}", (child.text or "").strip() or None))
        for key, value in child.attrib.items():
            pairs.append((f"{prefix}{name}@{str(key).rpartition('}')[2]}", str(value)))
    return pairs
