import pytest

from rosenblatt.training import load, predict
from tests.training.golden import FOLDER, table


@pytest.mark.parametrize("version", [2, 3])
def test_an_older_model_predicts_as_that_of_version_4(version, tmp_path):
    path = table(tmp_path / "table.csv")
    old, new = (load(FOLDER / f"{k}" / "trained.safetensors") for k in (version, 4))
    one, two = (
        [x for part in predict(run, path) for x in part.labels] for run in (old, new)
    )
    assert one == two
    assert old.encoder.ids == new.encoder.ids == ()
    assert old.encoder.codings == new.encoder.codings
    assert old.settings.keys() == new.settings.keys()
