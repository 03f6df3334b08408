"""Archives whose bytes depend only on their content and a given time."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["EARLIEST", "settle", "write_tar", "write_zip"]

EARLIEST: Final = 315_532_800
"""1980-01-01, the earliest time that a zip file can store."""
_MODE: Final = 0o644
_FOLDER_MODE: Final = 0o755


def write_tar(target: Path, folder: Path, top: str, epoch: int) -> None:
    """Write the files of a folder into a compressed tar, below `top`."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in _files(folder):
            one = tarfile.TarInfo(f"{top}/{path.relative_to(folder).as_posix()}")
            one.size, one.mode, one.mtime = path.stat().st_size, _MODE, epoch
            with path.open("rb") as file:
                archive.addfile(one, file)
    target.write_bytes(gzip.compress(data.getvalue(), mtime=0))


def write_zip(target: Path, folder: Path, top: str, epoch: int) -> None:
    """Write the files of a folder into a zip, below `top`."""
    moment = time.gmtime(max(epoch, EARLIEST))[:6]
    with zipfile.ZipFile(target, "w") as archive:
        for path in _files(folder):
            one = zipfile.ZipInfo(f"{top}/{path.relative_to(folder).as_posix()}", moment)
            one.external_attr, one.compress_type, one.create_system = _MODE << 16, zipfile.ZIP_DEFLATED, 3
            archive.writestr(one, path.read_bytes())


def settle(folder: Path) -> None:
    """Set the file modes of a folder to those of a checkout with a usual umask, since a jar contains them."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(_FOLDER_MODE if path.is_dir() else _MODE)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in an order that does not depend on the machine."""
    found = (path for path in folder.rglob("*") if path.is_file())
    yield from sorted(found, key=lambda path: path.relative_to(folder).as_posix())
