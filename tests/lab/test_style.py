from rosenblatt.lab.style import legend, numbers, plot, wide


def test_numbers_are_escaped():
    assert "&lt;b&gt;" in numbers({"<b>": "1"})


def test_plots_have_a_name_for_screen_readers_and_no_active_tools():
    found = plot("A curve", height=100)
    assert found.html_attributes["aria-label"] == "A curve"
    assert found.toolbar.active_drag is None
    found.line([0, 1], [0, 1], legend_label="a")
    legend(found, "top_left")
    assert found.legend[0].click_policy == "hide"


def test_controls_share_a_style_sheet():
    assert wide(visible=False)["visible"] is False
    assert wide()["stylesheets"] == wide()["stylesheets"]
