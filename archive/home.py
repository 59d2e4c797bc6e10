"""Where the files of a dataset lie under the state folder (`--home`, `RL_DOJO_HOME`).

Belongs here: paths only. What the files hold is said by `contracts.tables` and the packages that write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from archive.errors import ManifestError
from contracts.manifest import NAME_PATTERN


@dataclass(frozen=True)
class DatasetHome:
    """The folders of one dataset; nothing is created until somebody writes."""

    home: Path
    name: str

    def __post_init__(self) -> None:
        """Refuses names that could leave the datasets folder."""
        if not NAME_PATTERN.fullmatch(self.name):
            raise ManifestError(f"dataset name {self.name!r}: use lower-case letters, digits, - and _")

    @property
    def folder(self) -> Path:
        """The dataset's own folder."""
        return self.home / "datasets" / self.name

    @property
    def manifest_path(self) -> Path:
        """The manifest as it was onboarded, with an absolute base folder."""
        return self.folder / "dataset.yaml"

    @property
    def raw(self) -> Path:
        """Canonical tables with real data; private."""
        return self.folder / "raw"

    @property
    def vault(self) -> Path:
        """Entity registry and surrogates; private."""
        return self.folder / "vault"

    @property
    def clean(self) -> Path:
        """Clean tables that passed the audit."""
        return self.folder / "clean"

    @property
    def clean_pending(self) -> Path:
        """Clean tables before the audit."""
        return self.folder / "clean.pending"

    @property
    def model(self) -> Path:
        """Company model and cases."""
        return self.folder / "model"

    @property
    def reports(self) -> Path:
        """Reports on this dataset."""
        return self.folder / "reports"

    @classmethod
    def all_under(cls, home: Path) -> list[DatasetHome]:
        """Returns the datasets with a manifest under a state folder, by name."""
        return [cls(home, path.parent.name) for path in sorted((home / "datasets").glob("*/dataset.yaml"))]
