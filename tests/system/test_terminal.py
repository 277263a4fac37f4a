from rosenblatt.system import terminal


def test_all_that_a_bar_needs_is_there():
    for name in terminal.__all__:
        assert getattr(terminal, name).__module__.startswith("rich.")
