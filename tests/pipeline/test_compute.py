"""Workers change how long reading takes, never what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from pipeline.compute import ComputeResource, Workers

SAMPLE = Path(__file__).parents[2] / "data_samples" / "archive"


def double(number: int) -> int:
    return number * 2


@pytest.mark.parametrize("workers", list(Workers))
@pytest.mark.parametrize("size", [0, 1 << 30])
def test_results_come_in_the_order_of_the_tasks(workers: Workers, size: int) -> None:
    compute = ComputeResource(workers=workers, count=2)
    assert list(compute.map_files(double, list(range(20)), size)) == list(range(0, 40, 2))
    assert list(compute.map_files(double, [], size)) == []


def read(folder: Path, workers: Workers) -> dict[str, bytes]:
    loaded = load_manifest(SAMPLE)
    compute = ComputeResource(workers=workers, count=2)
    ingest_dataset(loaded.manifest, loaded.base, folder, lambda *_: None, compute.map_files)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_processes_and_dask_leave_the_same_bytes(tmp_path: Path) -> None:
    alone = read(tmp_path / "inline", Workers.INLINE)
    assert len(alone) > 40
    assert read(tmp_path / "processes", Workers.PROCESSES) == alone
    assert read(tmp_path / "dask", Workers.DASK) == alone
