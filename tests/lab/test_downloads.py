import csv
import io

import numpy as np

import rosenblatt as rb
from rosenblatt.lab.downloads import Downloads, result_csv, result_netcdf


def run():
    return rb.simulate(
        rb.rules.BinaryBayes(), rb.schedules.Constant(), dim=9, alpha=[0, 1], replicas=3
    )


def test_a_table_has_every_number_of_a_run():
    result = run()
    rows = list(csv.DictReader(io.StringIO(result_csv(result).decode())))
    assert len(rows) == 6
    for row in rows:
        place = {"replica": int(row["replica"]), "alpha": float(row["alpha"])}
        for name in result.data_vars:
            value = result[name].sel(place).item()
            text = row[name]
            assert (
                text == str(value) if isinstance(value, bool) else float(text) == value
            )


def test_a_netcdf_file_can_be_loaded_and_rerun(tmp_path):
    path = tmp_path / "curve.nc"
    path.write_bytes(result_netcdf(run()))
    np.testing.assert_array_equal(rb.rerun(rb.load(path)).error, run().error)


def test_nobody_can_guess_where_files_are():
    names = {Downloads.token() for _ in range(100)}
    assert len(names) == 100
    assert min(map(len, names)) >= 20
