from rosenblatt.system import notices


def test_each_listener_is_called_once():
    heard = []
    notices.on_compilation(lambda: heard.append(1))
    notices.notify_compilation()
    notices.notify_compilation()
    assert heard == [1]
