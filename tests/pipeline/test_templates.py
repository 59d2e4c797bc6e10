"""Templates of a dataset from which rows have left: fitted anew, or without their fitted layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.home import DatasetHome
from pipeline import templates
from pipeline.custody import told_templates
from pipeline.templates import NOTED, Refitted, note_template, refit_templates
from worldgen.errors import WorldError
from worldgen.template import FITTED

MANIFEST = """
name: spring
company: {names: [Brightwater], domains: [brightwater.com], zones: [UTC], currency: USD}
sources: [{name: mail, kind: mail, format: mbox, path: mail.mbox}]
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DatasetHome:
    home = DatasetHome(tmp_path / "home", "spring")
    home.folder.mkdir(parents=True)
    home.manifest_path.write_text(MANIFEST)
    (tmp_path / "mail.mbox").touch()
    monkeypatch.setattr(templates, "PROJECT", tmp_path)
    return home


def environment(folder: Path, name: str, dataset: str = "spring") -> Path:
    (folder / name).mkdir()
    (folder / name / FITTED).write_text(f"dataset: {{value: {dataset}}}\n")
    return folder / name


def fits(monkeypatch: pytest.MonkeyPatch, error: WorldError | None = None) -> None:
    class Read:
        @staticmethod
        def model_validate_json(data: bytes) -> str:
            if not data.startswith(b"{"):
                raise ValueError("no model")
            return data.decode()

    def fit(model: str, env: Path) -> None:
        if error is not None:
            raise error
        (env / FITTED).write_text(model)

    monkeypatch.setattr(templates, "CompanyModel", Read)
    monkeypatch.setattr(templates, "fit_template", fit)


def test_every_noted_template_is_fitted_to_the_new_model(
    home: DatasetHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other, foreign = (environment(tmp_path, name) for name in ("one", "other", "foreign"))
    for env in (other, one, one):
        note_template(home, env)
    home.model.mkdir()
    (home.model / "company_model.json").write_text('{"model": "without"}')
    fits(monkeypatch)
    assert refit_templates(home) == (Refitted(str(one), True), Refitted(str(other), True))
    assert [(env / FITTED).read_text() for env in (one, foreign)] == [
        '{"model": "without"}',
        "dataset: {value: spring}\n",
    ]
    assert (home.folder / NOTED).stat().st_mode & 0o777 == 0o600


def test_that_of_the_manifest_is_one_of_them(
    home: DatasetHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = environment(tmp_path, "named")
    home.manifest_path.write_text(MANIFEST + "environment: named\n")
    home.model.mkdir()
    (home.model / "company_model.json").write_text("{}")
    fits(monkeypatch)
    assert refit_templates(home) == (Refitted(str(env), True),)


@pytest.mark.parametrize("known", ["noted", "named by the manifest"])
def test_a_template_that_was_fitted_to_another_dataset_stays(
    home: DatasetHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: str
) -> None:
    env = environment(tmp_path, "named", "autumn")
    former = (env / FITTED).read_bytes()
    if known == "noted":
        note_template(home, env)
    else:
        home.manifest_path.write_text(MANIFEST + "environment: named\n")
    home.model.mkdir()
    (home.model / "company_model.json").write_text("{}")
    fits(monkeypatch)
    assert refit_templates(home) == () and (env / FITTED).read_bytes() == former


@pytest.mark.parametrize("fault", ["no fit", "no model", "a broken model"])
def test_what_cannot_be_fitted_loses_its_fitted_layer_and_says_so(
    home: DatasetHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    env = environment(tmp_path, "one")
    note_template(home, env)
    if fault != "no model":
        home.model.mkdir()
        (home.model / "company_model.json").write_text("{}" if fault == "no fit" else "broken")
    fits(monkeypatch, WorldError("too few deals") if fault == "no fit" else None)
    (found,) = refit_templates(home)
    assert not found.fitted and not (env / FITTED).exists()
    assert found.why == ("too few deals" if fault == "no fit" else "the company model cannot be read")
    assert any("is removed" in line for line in told_templates([found]))


def test_folders_that_are_gone_are_none(home: DatasetHome, tmp_path: Path) -> None:
    note_template(home, tmp_path / "gone")
    assert refit_templates(home) == () and told_templates(()) == []
