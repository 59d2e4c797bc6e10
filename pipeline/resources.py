"""What assets need from outside: the state folder, the key, and where to report progress.

Belongs here: resources that build plain objects, so that domain code never sees Dagster
(https://docs.dagster.io/guides/build/external-resources). Does not belong here: reading or writing data.
"""

from collections.abc import Callable
from dataclasses import dataclass
from os import environ
from pathlib import Path

import dagster as dg

from anonymize.envelope import make_keys, open_keys
from anonymize.keys import DEMO_DATASET, KEY_VARIABLE, DatasetKey, load_key
from anonymize.registry import Registry
from anonymize.resealing import finish_resealing
from archive.home import DatasetHome
from archive.loading import LoadedManifest, load_manifest
from pipeline.errors import OnboardRefused

PROJECT = Path(__file__).parents[1]
SAMPLE_ARCHIVE = PROJECT / "data_samples" / "archive"
DEMO_KEY = PROJECT / "data_samples" / "demo.key"

Progress = Callable[[str, str, int, int], None]
"""Called with a stage, its step, how much of the stage is done, and of how much."""
Notice = Callable[[str], None]


class LakeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The state folder (`--home`, `RL_DOJO_HOME`) in which every dataset has its own folder."""

    home: str

    def dataset(self, name: str) -> DatasetHome:
        """Returns where the files of a dataset lie."""
        return DatasetHome(Path(self.home), name)

    def manifest(self, name: str) -> LoadedManifest:
        """Returns the manifest that was kept when the dataset was registered.

        Raises:
            ArchiveError: there is none, or its sources are gone.
        """
        return load_manifest(self.dataset(name).manifest_path)


@dataclass(frozen=True)
class Listener:
    """Who hears of progress and of things a person must know."""

    progress: Progress
    notice: Notice
    gone: Registry | None = None
    """Who was erased just now, held in memory only: their forms block like those of the registry."""

    def stage(self, name: str) -> Callable[[str, int, int], None]:
        """Returns the progress callback of one stage, as domain functions take it."""
        return lambda step, done, total: self.progress(name, step, done, total)


SILENT = Listener(lambda *_: None, lambda _: None)
"""Hears nothing: the Dagster UI shows steps and metadata itself."""


def default_home() -> Path:
    """Returns the state folder that `RL_DOJO_HOME` names, `.rl-dojo` of the current folder otherwise."""
    return Path(environ.get("RL_DOJO_HOME") or ".rl-dojo").resolve()


def dataset_key(home: DatasetHome, loaded: LoadedManifest, notice: Notice) -> DatasetKey:
    """Returns the key of a dataset with its data keys, as the envelope in its vault holds them.

    Raises:
        AnonymizeError: the key is missing, may not be used for this dataset or does not open its envelope.
        OnboardRefused: the demo key is damaged, or named for an archive that is not the project's own.
    """
    return opened(home, file_key(home, loaded, notice))


def file_key(home: DatasetHome, loaded: LoadedManifest, notice: Notice, *, make: bool = True) -> DatasetKey:
    """Returns what the key file holds; the project's own sample has the published key unless one is named.

    Raises:
        AnonymizeError: the key is missing or may not be used for this dataset.
        OnboardRefused: the demo key is damaged, or named for an archive that is not the project's own.
    """
    is_sample = home.name == DEMO_DATASET and loaded.base == SAMPLE_ARCHIVE.resolve()
    if not is_sample or environ.get(KEY_VARIABLE) or not DEMO_KEY.is_file():
        key = load_key(home.name, home=home.home, notice=notice, make=make)
        if key.is_published and not is_sample:
            raise OnboardRefused(
                f"{KEY_VARIABLE} names the published demo key, which protects nothing and is only for the "
                "project's own sample: use a key of your own, or unset the variable to have one made"
            )
        return key
    try:
        return DatasetKey(bytes.fromhex(DEMO_KEY.read_text(encoding="ascii").strip()), home.name)
    except ValueError as error:
        raise OnboardRefused(f"{DEMO_KEY.name} is not hexadecimal: restore it from the repository") from error


def opened(home: DatasetHome, file_key: DatasetKey) -> DatasetKey:
    """Returns the key as a dataset's envelope holds it; one is made where only a manifest is there.

    Raises:
        VaultError: the key file does not open the envelope, or it was edited.
    """
    finish_resealing(home)
    if home.manifest_path.is_file():
        return make_keys(home.vault, file_key)
    return open_keys(home.vault, file_key) or file_key
