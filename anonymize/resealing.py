"""New data keys for a whole dataset: vault and raw tables written again, and put in place of the former ones.

Belongs here: the copy under new keys and the two renames that finish it, now or after a crash. Not here: the
envelope (`envelope`), what one file looks like sealed (`archive.sealing`, `vault`).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from anonymize.access_log import HEAD, LOG_FILE, reseal_log
from anonymize.envelope import KEYS_FILE, put_keys, renewed_keys
from anonymize.errors import VaultError
from anonymize.keys import DatasetKey
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.parts import FOLDER, reseal_parts
from archive.store import PRIVATE_FOLDER, TableStore

READY = "resealed"
"""Folder in which the new vault and raw tables stand whole; while it is there, the former ones are void."""


def reseal_dataset(home: DatasetHome, held: DatasetKey, new_file_key: DatasetKey) -> dict[str, int]:
    """Writes vault and raw tables under new data keys, their envelope under a key file, and returns counts.

    Until the new folder is whole the former keys open what there is; from then on only the new ones do. Room
    for a second copy is needed meanwhile.

    Raises:
        VaultError: something in the vault does not open, or lies there that is not sealed.
        StoreError: a table does not open, or the disk is full.
    """
    aside = home.folder / f".{READY}.aside"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=PRIVATE_FOLDER)
    new = renewed_keys(held)
    counts = {"vault": _vault(home, held, aside / "vault", new), "raw": 0, "parts": 0}
    if home.raw.is_dir():
        counts["raw"] = _tables(
            TableStore(home.raw, private=True, sealing=held.raw_sealing),
            TableStore(aside / "raw", private=True, sealing=new.raw_sealing),
        )
        assert held.raw_sealing is not None and new.raw_sealing is not None
        counts["parts"] = reseal_parts(
            home.raw / FOLDER, aside / "raw" / FOLDER, held.raw_sealing, new.raw_sealing
        )
    put_keys(aside / "vault", new, new_file_key)
    os.replace(aside, home.folder / READY)
    finish_resealing(home)
    return counts


def finish_resealing(home: DatasetHome) -> None:
    """Puts a resealed vault and raw tables in place; nothing happens where none wait."""
    ready = home.folder / READY
    if not ready.is_dir():
        return
    for name in ("raw", "vault"):
        if (ready / name).is_dir():
            shutil.rmtree(home.folder / name, ignore_errors=True)
            os.replace(ready / name, home.folder / name)
    ready.rmdir()


def _vault(home: DatasetHome, held: DatasetKey, folder: Path, new: DatasetKey) -> int:
    old_parts, new_parts = Vault(home.vault, held), Vault(folder, new)
    count = reseal_log(home, held, folder, new)
    for path in sorted(home.vault.glob("*.bin")):
        if path.name in (KEYS_FILE, f"{HEAD}.bin"):
            continue
        content = old_parts.load_part(path.stem)
        if content is None:
            raise VaultError(f"{path.name} vanished while it was read: nobody else may write meanwhile")
        new_parts.save_part(path.stem, content)
        count += 1
    for path in sorted(home.vault.glob("*.jsonl")):
        if path.name != LOG_FILE:
            shutil.copy2(path, folder / path.name)  # a closed log: nothing opens it any more
    old = TableStore(home.vault, private=True, sealing=held.vault_sealing)
    return count + _tables(old, TableStore(folder, private=True, sealing=new.vault_sealing))


def _tables(old: TableStore, new: TableStore) -> int:
    """Writes all tables and JSON files of a store into another one and returns how many there are."""
    names = old.names()
    for name in names:
        with new.writer(name) as writer:
            writer.add(old.read(name).clear())
            for frame in old.frames(name):
                writer.add(frame)
    files = [path.name for path in sorted(old.folder.glob("*.json"))]
    for name in files:
        new.write_json(name, old.read_json(name))
    return len(names) + len(files)
