import pickle

import numpy as np

from rosenblatt.lab.jobs.messages import Curve, Done, Job, Ready, Remark
from rosenblatt.lab.state import State


def test_messages_pass_through_a_pipe():
    for message in (Job(State(dim=7), "x = 1"), Ready(), Done(), Remark("no", True)):
        assert pickle.loads(pickle.dumps(message)) == message
    curve = Curve("theory", "a name", np.array([1.0]), np.array([0.5]))
    back = pickle.loads(pickle.dumps(curve))
    assert (back.role, back.error.tolist(), back.overlap) == ("theory", [0.5], None)
