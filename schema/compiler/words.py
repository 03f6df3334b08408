"""The unions of every version as a table, so that no code needs its own list of their variants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bundle import bundle
from sources import Version, camel_case


def unions_module(versions: Sequence[Version], header: str) -> str:
    """Return the text of `unions.py`, unformatted."""
    rows = [f"    {version.number}: {{{_unions(version)}}}," for version in versions]
    table = "\n".join(rows)
    opened = tuple(version.number for version in versions if version.is_open)
    without_version = tuple(version.number for version in versions if not _states_its_version(version))
    return f'''{header}

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

__all__ = ["OPEN", "SILENT", "UNIONS", "Union"]


class Union(NamedTuple):
    """A union of one version: the member that tells its variants apart, and the classes of the variants by tag."""

    tag: str
    """The member that tells the variants apart."""
    variants: Mapping[str, str]
    """The class of each variant, by its tag."""


OPEN: Final = {opened!r}
"""The versions whose documents may have members that the schema does not name."""

SILENT: Final = {without_version!r}
"""The versions whose messages need not say which version they are of."""

UNIONS: Final[Mapping[int, Mapping[str, Union]]] = MappingProxyType({{
{table}
}})
"""The unions of every version, by the names of their folders."""
'''


def tags_module(version: Version, header: str) -> str:
    """Return the text of `tags.py` of a version, unformatted: the tags of each union, for exhaustive checks."""
    names = [f"{camel_case(union)}Tag" for union in version.unions]
    lines: list[str] = []
    for name, (union, tag) in zip(names, version.unions.items(), strict=True):
        words = ", ".join(f'"{file.stem}"' for file in version.variants(union))
        lines += [f"{name}: TypeAlias = Literal[{words}]", f'"""The words of `{tag}` in the variants of `{union}`."""']
    exported = ", ".join(f'"{name}"' for name in sorted(names))
    body = [header, "from typing import Literal, TypeAlias", f"__all__ = [{exported}]", *lines]
    return "\n\n".join(body) + "\n"


def _unions(version: Version) -> str:
    """Return the unions of a version as dictionary entries."""
    found: list[str] = []
    for union, tag in version.unions.items():
        variants = ", ".join(f"{file.stem!r}: {file.name!r}" for file in version.variants(union))
        found.append(f"{union!r}: Union({tag!r}, {{{variants}}})")
    return ", ".join(found)


def _states_its_version(version: Version) -> bool:
    """Tell whether every message of a version must state its version."""
    definitions = bundle(version)["$defs"]
    root: dict[str, Any] = definitions.get(version.root or "", {})
    names = [reference.rpartition("/")[2] for reference in root.get("discriminator", {}).get("mapping", {}).values()]
    return bool(names) and all("schema_version" in definitions[name].get("required", ()) for name in names)
