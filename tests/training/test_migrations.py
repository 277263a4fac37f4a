from rosenblatt.training import load, predict
from tests.training.golden import FOLDER, table


def test_a_model_of_version_2_predicts_as_that_of_version_3(tmp_path):
    path = table(tmp_path / "table.csv")
    old, new = (load(FOLDER / f"{k}" / "trained.safetensors") for k in (2, 3))
    one, two = (
        [x for part in predict(run, path) for x in part.labels] for run in (old, new)
    )
    assert one == two
    assert old.encoder.codings == new.encoder.codings
    assert old.settings.keys() == new.settings.keys()
